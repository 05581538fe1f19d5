package config

import (
	"errors"

	"winnow/core/filter"
)

// memoryTable is the table of config.toml that says how memories are looked for.
type memoryTable struct {
	modelTable
	From   *string `toml:"from"`
	Filter *string `toml:"filter"`
	Redact *bool   `toml:"redact"`
}

// memorySettings are the settings of [memory].
func memorySettings() []Setting {
	return append(modelSettings("memory", "llm", func(f *tomlFile) *modelTable { return &f.Learned.modelTable }),
		Setting{Key: "memory.from", Env: "WINNOW_MEMORY_FROM", file: func(f *tomlFile) any { return f.Learned.From }, standard: always("approved"), check: checkFromSegments},
		Setting{Key: "memory.filter", Env: "WINNOW_MEMORY_FILTER", file: func(f *tomlFile) any { return f.Learned.Filter }, standard: always(""), check: checkFilter},
		Setting{Key: "memory.redact", Env: "WINNOW_MEMORY_REDACT", file: func(f *tomlFile) any { return f.Learned.Redact }, standard: always("true"), check: checkBool},
	)
}

func checkFromSegments(_ *Env, s string) error {
	if s != "approved" && s != "eligible" {
		return errors.New("must be approved, or eligible: pending and unsure segments from memory_score_threshold on, too")
	}
	return nil
}

func checkFilter(_ *Env, s string) error {
	_, err := filter.Parse(s, filter.Options{})
	return err
}

package config

import (
	"errors"
	"strconv"
	"time"
)

const runName = "run"

// runTable is the table of config.toml for what is done without a person.
type runTable struct {
	Quiet         *string  `toml:"quiet"`
	MaxCostPerDay *float64 `toml:"max_cost_per_day"`
}

func runSettings() []Setting {
	return []Setting{
		{Key: "run.quiet", Env: "WINNOW_RUN_QUIET", standard: always("10m"), check: checkPause, file: func(f *tomlFile) any { return f.Run.Quiet }},
		{Key: "run.max_cost_per_day", Env: "WINNOW_RUN_MAX_COST_PER_DAY", standard: always("0"), check: checkCost, file: func(f *tomlFile) any { return f.Run.MaxCostPerDay }},
	}
}

func checkPause(_ *Env, s string) error {
	if d, err := time.ParseDuration(s); err != nil || d < 0 {
		return errors.New(`must be a time such as "10m", or "0s" for none`)
	}
	return nil
}

func checkCost(_ *Env, s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0 && x <= 1e6) {
		return errors.New("must be a number from 0 (no limit)")
	}
	return nil
}

// Time returns a value that is a length of time.
func (c *Config) Time(key string) time.Duration {
	d, _ := time.ParseDuration(c.Text(key))
	return d
}

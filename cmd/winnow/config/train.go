package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"winnow/core/export"
	"winnow/core/train"
)

const trainName = "train"

// trainTable is the table of config.toml that says what trains, on what, and when. What
// is executed stands in this file only: no variable and no database names it.
type trainTable struct {
	Backend     *string  `toml:"backend"`
	Command     []string `toml:"command"`
	Resume      []string `toml:"resume"`
	Evaluate    []string `toml:"evaluate"`
	Base        *string  `toml:"base"`
	Data        *string  `toml:"data"`
	Format      *string  `toml:"format"`
	Filter      *string  `toml:"filter"`
	Split       *string  `toml:"split"`
	Redact      *bool    `toml:"redact"`
	MaxTokens   *int64   `toml:"max_tokens"`
	When        *int64   `toml:"when"`
	MinTotal    *int64   `toml:"min_total"`
	Cooldown    *string  `toml:"cooldown"`
	MaxFailures *int64   `toml:"max_failures"`
	MinGain     *float64 `toml:"min_gain"`
	Auto        *bool    `toml:"auto"`
	BaseURL     *string  `toml:"base_url"`
	KeyEnv      *string  `toml:"api_key_env"`
}

// trainSettings are the settings of [train], but for the commands.
func trainSettings() []Setting {
	rows := []Setting{
		{Key: "backend", standard: always(string(train.ByCommand)), check: checkBackend, file: func(f *tomlFile) any { return f.Train.Backend }},
		{Key: "base", standard: always(""), check: checkBase, file: func(f *tomlFile) any { return f.Train.Base }},
		{Key: "data", standard: always("full"), check: checkData, file: func(f *tomlFile) any { return f.Train.Data }},
		{Key: "format", standard: always(export.Names()[0]), check: checkTrained, file: func(f *tomlFile) any { return f.Train.Format }},
		{Key: "filter", standard: always(""), check: checkFilter, file: func(f *tomlFile) any { return f.Train.Filter }},
		{Key: "split", standard: always("train=0.95,validation=0.05"), check: checkSplit, file: func(f *tomlFile) any { return f.Train.Split }},
		{Key: "redact", standard: always("true"), check: checkBool, file: func(f *tomlFile) any { return f.Train.Redact }},
		{Key: "max_tokens", standard: always("0"), check: checkFrom(0, mostTokens), file: func(f *tomlFile) any { return f.Train.MaxTokens }},
		{Key: "when", standard: always("100"), check: checkFrom(1, mostSamples), file: func(f *tomlFile) any { return f.Train.When }},
		{Key: "min_total", standard: always("50"), check: checkFrom(1, mostSamples), file: func(f *tomlFile) any { return f.Train.MinTotal }},
		{Key: "cooldown", standard: always("24h"), check: checkPause, file: func(f *tomlFile) any { return f.Train.Cooldown }},
		{Key: "max_failures", standard: always("2"), check: checkFrom(1, mostRetries), file: func(f *tomlFile) any { return f.Train.MaxFailures }},
		{Key: "min_gain", standard: always("0"), check: checkGain, file: func(f *tomlFile) any { return f.Train.MinGain }},
		{Key: "auto", standard: always("false"), check: checkBool, file: func(f *tomlFile) any { return f.Train.Auto }},
		{Key: "base_url", As: "llm.base_url", check: checkURL, shown: maskURL, file: func(f *tomlFile) any { return f.Train.BaseURL }},
		{Key: "api_key_env", As: "llm.api_key_env", check: checkVariable, shown: maskVariable, file: func(f *tomlFile) any { return f.Train.KeyEnv }},
	}
	for i := range rows {
		rows[i].Env = "WINNOW_TRAIN_" + strings.ToUpper(rows[i].Key)
		rows[i].Key = trainName + "." + rows[i].Key
	}
	return rows
}

// mostSamples is more than anybody judges.
const mostSamples = 100_000_000

func checkBackend(_ *Env, s string) error {
	return oneOf("backend", []string{string(train.ByCommand), string(train.ByOpenAI)}, s)
}

func checkData(_ *Env, s string) error { return oneOf("data", []string{"full", "new"}, s) }

func checkBase(_ *Env, s string) error {
	if strings.HasPrefix(s, "-") {
		return errors.New("must be the name or the folder of a model: programs take what begins with - for an option")
	}
	return nil
}

func checkTrained(p *Env, s string) error {
	if s == "" {
		return errors.New("must be a format of exports")
	}
	if err := checkFormat(p, s); err != nil {
		return err
	}
	if e, err := export.Find(s); err == nil && !e.ApprovedOnly() {
		return fmt.Errorf("a run trains on approved samples, and %s has more than these: %q writes it for a trainer of your own", s, "winnow export --as "+s)
	}
	return nil
}

func checkSplit(_ *Env, s string) error {
	_, err := export.ParseSplits(s)
	return err
}

func checkGain(_ *Env, s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0 && x <= 1e6) {
		return errors.New("must be a number from 0 (any result may be promoted)")
	}
	return nil
}

// Commands are what a run may execute: a program with its arguments each, nil for what
// is not configured.
type Commands struct{ Train, Resume, Evaluate []string }

// argvs are the commands by the names of their settings.
func (f *tomlFile) argvs() map[string][]string {
	return map[string][]string{"command": f.Train.Command, "resume": f.Train.Resume, "evaluate": f.Train.Evaluate}
}

// commandKeys are the names of the commands, in the order of the documentation.
var commandKeys = []string{"command", "resume", "evaluate"}

// checkCommands refuses commands without a program.
func (f *tomlFile) checkCommands() error {
	for _, key := range commandKeys {
		if argv := f.argvs()[key]; argv != nil && (len(argv) == 0 || argv[0] == "") {
			return fmt.Errorf("%s.%s: names no program", trainName, key)
		}
	}
	return nil
}

// commandRows lists the commands.
func (c *Config) commandRows() []Row {
	var rows []Row
	for i, argv := range [][]string{c.Commands.Train, c.Commands.Resume, c.Commands.Evaluate} {
		row := Row{Key: trainName + "." + commandKeys[i], Value: NotSet, From: "default"}
		if argv != nil {
			quoted := make([]string, len(argv))
			for i, arg := range argv {
				quoted[i] = strconv.Quote(arg)
			}
			row.Value, row.From = "["+strings.Join(quoted, ", ")+"]", c.File
		}
		rows = append(rows, row)
	}
	return rows
}

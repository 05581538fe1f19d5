// Package config is the configuration of the program: what can be set, where a value
// may come from (a flag, a variable, config.toml, a default), what makes it valid,
// and where the program keeps its files. A setting is a row of a table.
//
// What it needs from outside comes in as an Env; it knows no database and no
// command. It imports core for the names of formats, metrics and tokenizers, themes
// and tui for those of themes and keys. Its tests are here; what commands print of
// it is tested beside them.
package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"winnow/core/export"
	"winnow/core/review"
	"winnow/core/spell"
	"winnow/themes"
)

// tomlFile is the shape of config.toml. A field that is nil is not set.
type tomlFile struct {
	DB       *string  `toml:"db"`
	Agent    *string  `toml:"agent"`
	Reviewer *string  `toml:"reviewer"`
	Theme    *string  `toml:"theme"`
	ASCII    *bool    `toml:"ascii"`
	Mouse    *bool    `toml:"mouse"`
	Jobs     *int64   `toml:"jobs"`
	MaxValue *string  `toml:"max_value"`
	Memory   *float64 `toml:"memory_score_threshold"`
	SFT      *float64 `toml:"sft_score_threshold"`
	Preview  *string  `toml:"preview_format"`

	Reader readerTable `toml:"reader"`
	Run    runTable    `toml:"run"`
	Review struct {
		AskBelow *float64 `toml:"ask_below"`
	} `toml:"review"`

	LLM     modelTable  `toml:"llm"`
	Judge   modelTable  `toml:"judge"`
	Learned memoryTable `toml:"memory"`
	Score   scoreTable  `toml:"score"`
	Train   trainTable  `toml:"train"`

	Learn struct {
		Enabled *bool   `toml:"enabled"`
		From    *string `toml:"from"`
	} `toml:"learn"`

	Quotas map[string]float64 `toml:"quotas"`

	// Why are reasons of verdicts, words by key; whys are they when they are checked,
	// with those there are without any.
	Why  map[string]string `toml:"why"`
	whys []review.Why

	// Keys are other keys for actions: a text, or a list of them, by name; a
	// place before the name makes a table. keys are they when they are checked.
	Keys map[string]any `toml:"keys"`
	keys map[string][]string
}

// Setting is one row of the configuration: where a value may come from and
// what makes it valid.
type Setting struct {
	Key  string // in config.toml; with a dot, in a table of it
	Env  string // environment variable
	Flag string // global flag, "" if it has none
	file func(*tomlFile) any
	// standard is the value without any configuration.
	standard func(*Env) string
	check    func(*Env, string) error // nil: any text
	// others is a variable of other programs that counts where env and the
	// file say nothing: what is written for winnow is not overruled by what
	// was set for something else.
	others string
	// As is the setting whose value counts where this one has none; it stands
	// before this one.
	As string
	// shown is how a value is printed that may hold a secret; nil: as it is.
	shown func(string) string
}

// text returns a value as it may be printed.
func (s *Setting) text(v string) string {
	if s.shown != nil {
		return s.shown(v)
	}
	return v
}

var settings = slices.Concat([]Setting{
	{Key: "db", Env: "WINNOW_DB", Flag: "db", file: func(f *tomlFile) any { return f.DB }, standard: (*Env).standardDB},
	{Key: "agent", Env: "WINNOW_AGENT", file: func(f *tomlFile) any { return f.Agent }, standard: always("default")},
	{Key: "reviewer", Env: "WINNOW_REVIEWER", Flag: "reviewer", file: func(f *tomlFile) any { return f.Reviewer }, standard: (*Env).standardReviewer},
	{Key: "theme", Env: "WINNOW_THEME", Flag: "theme", file: func(f *tomlFile) any { return f.Theme }, standard: always("auto"), check: (*Env).checkTheme},
	{Key: "ascii", Env: "WINNOW_ASCII", Flag: "ascii", file: func(f *tomlFile) any { return f.ASCII }, standard: (*Env).standardASCII, check: checkBool},
	{Key: "mouse", Env: "WINNOW_MOUSE", Flag: "mouse", file: func(f *tomlFile) any { return f.Mouse }, standard: always("false"), check: checkBool},
	{Key: "jobs", Env: "WINNOW_JOBS", file: func(f *tomlFile) any { return f.Jobs }, standard: always("0"), check: checkJobs},
	{Key: "max_value", Env: "WINNOW_MAX_VALUE", file: func(f *tomlFile) any { return f.MaxValue }, standard: always("256M"), check: checkSize},
	{Key: "memory_score_threshold", Env: "WINNOW_MEMORY_SCORE_THRESHOLD", file: func(f *tomlFile) any { return f.Memory }, standard: always("0.7"), check: checkScore},
	{Key: "sft_score_threshold", Env: "WINNOW_SFT_SCORE_THRESHOLD", file: func(f *tomlFile) any { return f.SFT }, standard: always("0.8"), check: checkScore},
	{Key: "preview_format", Env: "WINNOW_PREVIEW_FORMAT", file: func(f *tomlFile) any { return f.Preview }, standard: always(""), check: checkFormat},
},
	modelSettings("llm", "", func(f *tomlFile) *modelTable { return &f.LLM }),
	modelSettings("judge", "llm", func(f *tomlFile) *modelTable { return &f.Judge }),
	memorySettings(),
	scoreSettings(),
	[]Setting{
		{Key: "learn.enabled", Env: "WINNOW_LEARN_ENABLED", file: func(f *tomlFile) any { return f.Learn.Enabled }, standard: always("true"), check: checkBool},
		{Key: "learn.from", Env: "WINNOW_LEARN_FROM", file: func(f *tomlFile) any { return f.Learn.From }, standard: always("me"), check: checkWhose},
	},
	readerSettings(),
	runSettings(),
	trainSettings(),
	[]Setting{{Key: "review.ask_below", Env: "WINNOW_REVIEW_ASK_BELOW", file: func(f *tomlFile) any { return f.Review.AskBelow }, standard: always("0"), check: checkScore}},
	quotaSettings(),
)

// Settings returns all settings, in the order of the documentation.
func Settings() []Setting { return slices.Clone(settings) }

func always(text string) func(*Env) string { return func(*Env) string { return text } }

func checkBool(_ *Env, s string) error {
	if _, err := strconv.ParseBool(s); err != nil {
		return errors.New("must be true or false")
	}
	return nil
}

func checkWhose(_ *Env, s string) error {
	if s != "me" && s != "all" {
		return errors.New("must be me or all")
	}
	return nil
}

func checkJobs(_ *Env, s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 {
		return errors.New("must be a number of 0 or more; 0 is one job for each processor")
	}
	return nil
}

func checkSize(_ *Env, s string) error {
	if _, err := export.ParseSize(s); err != nil {
		return errors.New("write a size such as 64M or 1G")
	}
	return nil
}

// checkTheme wants a theme that is there, or "auto".
func (e *Env) checkTheme(s string) error {
	return oneOf("theme", append(themes.Names(e.UserThemes()), "auto"), s)
}

// checkFormat wants a format of exports, or none.
func checkFormat(_ *Env, s string) error {
	if s == "" {
		return nil
	}
	return oneOf("format", export.Names(), s)
}

// oneOf wants one of the names there are.
func oneOf(what string, names []string, s string) error {
	if slices.Contains(names, s) {
		return nil
	}
	return errors.New("no such " + what + ": " + spell.Known(s, names))
}

func checkScore(_ *Env, s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0 && x <= 1) {
		return errors.New("must be a number from 0 to 1")
	}
	return nil
}

// value is a configured value and where it came from.
type value struct{ text, from string }

// Config is the configuration in force.
type Config struct {
	File     string              // whether it exists or not; "" without a home
	Keys     map[string][]string // of actions, by name
	Whys     []review.Why        // reasons of verdicts, in the order they are shown
	Commands Commands            // that runs execute
	env      *Env
	values   map[string]value
}

// Text returns the value of a setting.
func (c *Config) Text(key string) string { return c.values[key].text }

// From tells where a value came from: a flag, a variable, the file, another
// setting, or "default".
func (c *Config) From(key string) string { return c.values[key].from }

// Number returns a value that is a number. The values are checked when they are
// read; parsing them cannot fail.
func (c *Config) Number(key string) float64 {
	x, _ := strconv.ParseFloat(c.Text(key), 64)
	return x
}

// Size returns a value that is a number of bytes.
func (c *Config) Size(key string) int64 {
	n, _ := export.ParseSize(c.Text(key))
	return n
}

// Truth returns a value that is true or false.
func (c *Config) Truth(key string) bool {
	b, _ := strconv.ParseBool(c.Text(key))
	return b
}

// Error is a value or a file that makes no sense. It names its place.
type Error struct{ what error }

func (e *Error) Error() string { return e.what.Error() }

// Unwrap implements the interface of package errors.
func (e *Error) Unwrap() error { return e.what }

// Wrong returns an Error.
func Wrong(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Read reads the configuration: flags over environment over file over
// defaults. flag returns a global flag, "" if it was not given. A value that makes
// no sense is an Error.
func Read(env *Env, flag func(name string) string) (*Config, error) {
	c := &Config{env: env, values: map[string]value{}, File: under(env.Dir(), "config.toml")}
	file, err := readConfigFile(c.File)
	if err != nil {
		return nil, err
	}
	c.Keys, c.Whys = file.keys, file.whys
	c.Commands = Commands{file.Train.Command, file.Train.Resume, file.Train.Evaluate}
	for i := range settings {
		s := &settings[i]
		v := c.lookup(s, file, flag)
		if s.check != nil {
			if err := s.check(env, v.text); err != nil {
				return nil, Wrong("%s: %s = %q: %w", v.from, s.Key, s.text(v.text), err)
			}
		}
		c.values[s.Key] = v
	}
	for _, table := range modelTables {
		if err := c.fitModel(table); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// lookup finds the value of a setting in the first place that has one. Empty
// flags and variables count as not set. c has the settings before this one.
func (c *Config) lookup(s *Setting, file *tomlFile, flag func(name string) string) value {
	if s.Flag != "" {
		if text := flag(s.Flag); text != "" {
			return value{text, "--" + s.Flag}
		}
	}
	if text := c.env.Get(s.Env); text != "" {
		return value{text, s.Env}
	}
	if text, ok := textOf(s.file(file)); ok {
		if s.Key == "db" {
			text = c.env.ExpandHome(text)
		}
		return value{text, c.File}
	}
	if s.As != "" {
		return value{c.Text(s.As), s.As}
	}
	if text := c.env.Get(s.others); s.others != "" && text != "" {
		return value{text, s.others}
	}
	return value{s.standard(c.env), "default"}
}

// textOf renders a field of the file; ok is false for one that is not set.
func textOf(field any) (text string, ok bool) {
	v := reflect.ValueOf(field)
	if v.IsNil() {
		return "", false
	}
	if x, isNumber := v.Elem().Interface().(float64); isNumber {
		return strconv.FormatFloat(x, 'g', -1, 64), true
	}
	return fmt.Sprint(v.Elem().Interface()), true
}

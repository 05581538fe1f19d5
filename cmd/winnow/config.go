package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/themes"
)

// configFile is the shape of config.toml. A field that is nil is not set.
type configFile struct {
	DB       *string  `toml:"db"`
	Agent    *string  `toml:"agent"`
	Reviewer *string  `toml:"reviewer"`
	Theme    *string  `toml:"theme"`
	ASCII    *bool    `toml:"ascii"`
	Mouse    *bool    `toml:"mouse"`
	Jobs     *int64   `toml:"jobs"`
	Memory   *float64 `toml:"memory_score_threshold"`
	SFT      *float64 `toml:"sft_score_threshold"`
	Preview  *string  `toml:"preview_format"`

	LLM   modelTable `toml:"llm"`
	Judge modelTable `toml:"judge"`
	Score scoreTable `toml:"score"`

	Quotas map[string]float64 `toml:"quotas"`

	// Keys are other keys for actions: a text, or a list of them, by name; a
	// place before the name makes a table. keys are they when they are checked.
	Keys map[string]any `toml:"keys"`
	keys map[string][]string
}

// setting is one row of the configuration: where a value may come from and
// what makes it valid.
type setting struct {
	key  string // in config.toml; with a dot, in a table of it
	env  string // environment variable
	flag string // global flag, "" if it has none
	file func(*configFile) any
	// standard is the value without any configuration.
	standard func(*cli) string
	check    func(*cli, string) error // nil: any text
	// others is a variable of other programs that counts where env and the
	// file say nothing: what is written for winnow is not overruled by what
	// was set for something else.
	others string
	// as is the setting whose value counts where this one has none; it stands
	// before this one.
	as string
	// shown is how a value is printed that may hold a secret; nil: as it is.
	shown func(string) string
}

// text returns a value as it may be printed.
func (s *setting) text(v string) string {
	if s.shown != nil {
		return s.shown(v)
	}
	return v
}

var settings = slices.Concat([]setting{
	{key: "db", env: "WINNOW_DB", flag: "db", file: func(f *configFile) any { return f.DB }, standard: (*cli).standardDB},
	{key: "agent", env: "WINNOW_AGENT", file: func(f *configFile) any { return f.Agent }, standard: always("default")},
	{key: "reviewer", env: "WINNOW_REVIEWER", flag: "reviewer", file: func(f *configFile) any { return f.Reviewer }, standard: (*cli).standardReviewer},
	{key: "theme", env: "WINNOW_THEME", flag: "theme", file: func(f *configFile) any { return f.Theme }, standard: always("auto"), check: (*cli).checkTheme},
	{key: "ascii", env: "WINNOW_ASCII", flag: "ascii", file: func(f *configFile) any { return f.ASCII }, standard: (*cli).standardASCII, check: checkBool},
	{key: "mouse", env: "WINNOW_MOUSE", flag: "mouse", file: func(f *configFile) any { return f.Mouse }, standard: always("false"), check: checkBool},
	{key: "jobs", env: "WINNOW_JOBS", file: func(f *configFile) any { return f.Jobs }, standard: always("0"), check: checkJobs},
	{key: "memory_score_threshold", env: "WINNOW_MEMORY_SCORE_THRESHOLD", file: func(f *configFile) any { return f.Memory }, standard: always("0.7"), check: checkScore},
	{key: "sft_score_threshold", env: "WINNOW_SFT_SCORE_THRESHOLD", file: func(f *configFile) any { return f.SFT }, standard: always("0.8"), check: checkScore},
	{key: "preview_format", env: "WINNOW_PREVIEW_FORMAT", file: func(f *configFile) any { return f.Preview }, standard: always(""), check: checkFormat},
},
	modelSettings("llm", "", func(f *configFile) *modelTable { return &f.LLM }),
	modelSettings("judge", "llm", func(f *configFile) *modelTable { return &f.Judge }),
	scoreSettings(),
	quotaSettings(),
)

func always(text string) func(*cli) string { return func(*cli) string { return text } }

func checkBool(_ *cli, s string) error {
	if _, err := strconv.ParseBool(s); err != nil {
		return errors.New("must be true or false")
	}
	return nil
}

func checkJobs(_ *cli, s string) error {
	if n, err := strconv.Atoi(s); err != nil || n < 0 {
		return errors.New("must be a number from 0 (as many as there are processors)")
	}
	return nil
}

// checkTheme wants a theme that is there, or "auto".
func (p *cli) checkTheme(s string) error {
	names := append(themes.Names(p.userThemes()), "auto")
	if !slices.Contains(names, s) {
		return errors.New("there is no such theme: there are " + strings.Join(names, ", "))
	}
	return nil
}

func checkScore(_ *cli, s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= 0 && x <= 1) {
		return errors.New("must be a number from 0 to 1")
	}
	return nil
}

// value is a configured value and where it came from.
type value struct{ text, from string }

// config is the configuration in force.
type config struct {
	path   string // of the file, whether it exists or not; "" without a home
	values map[string]value
	keys   map[string][]string // of actions, by name
}

func (c *config) text(key string) string { return c.values[key].text }

// The values are checked when they are read; parsing them cannot fail.
func (c *config) number(key string) float64 {
	x, _ := strconv.ParseFloat(c.text(key), 64)
	return x
}

func (c *config) truth(key string) bool {
	b, _ := strconv.ParseBool(c.text(key))
	return b
}

// config reads the configuration: flags over environment over file over
// defaults. A value that makes no sense is an error that names its place.
func (p *cli) config() (*config, error) {
	c := &config{values: map[string]value{}}
	if dir := p.configDir(); dir != "" {
		c.path = filepath.Join(dir, "config.toml")
	}
	file, err := readConfigFile(c.path)
	if err != nil {
		return nil, err
	}
	c.keys = file.keys
	for i := range settings {
		s := &settings[i]
		v := p.lookup(s, file, c)
		if s.check != nil {
			if err := s.check(p, v.text); err != nil {
				return nil, &failure{exitUsage, fmt.Errorf("%s: %s = %q: %w", v.from, s.key, s.text(v.text), err)}
			}
		}
		c.values[s.key] = v
	}
	for _, table := range modelTables {
		if err := c.fitModel(table); err != nil {
			return nil, &failure{exitUsage, err}
		}
	}
	return c, nil
}

// lookup finds the value of a setting in the first place that has one. Empty
// flags and variables count as not set. c has the settings before this one.
func (p *cli) lookup(s *setting, file *configFile, c *config) value {
	if text := p.flagText(s.flag); text != "" {
		return value{text, "--" + s.flag}
	}
	if text := p.env.get(s.env); text != "" {
		return value{text, s.env}
	}
	if text, ok := textOf(s.file(file)); ok {
		if s.key == "db" {
			text = p.expandHome(text)
		}
		return value{text, c.path}
	}
	if s.as != "" {
		return value{c.text(s.as), s.as}
	}
	if text := p.env.get(s.others); s.others != "" && text != "" {
		return value{text, s.others}
	}
	return value{s.standard(p), "default"}
}

func (p *cli) flagText(name string) string {
	if name == "" || p.flag == nil {
		return ""
	}
	text, given := p.flag(name)
	if !given {
		return ""
	}
	return text
}

// textOf renders a field of the file; ok is false for one that is not set.
func textOf(field any) (text string, ok bool) {
	switch f := field.(type) {
	case *string:
		if f != nil {
			return *f, true
		}
	case *bool:
		if f != nil {
			return strconv.FormatBool(*f), true
		}
	case *int64:
		if f != nil {
			return strconv.FormatInt(*f, 10), true
		}
	case *float64:
		if f != nil {
			return strconv.FormatFloat(*f, 'g', -1, 64), true
		}
	}
	return "", false
}

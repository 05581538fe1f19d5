package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"winnow/themes"
)

// configFile is the shape of config.toml. A field that is nil is not set.
type configFile struct {
	DB       *string  `toml:"db"`
	Agent    *string  `toml:"agent"`
	Reviewer *string  `toml:"reviewer"`
	Theme    *string  `toml:"theme"`
	ASCII    *bool    `toml:"ascii"`
	Jobs     *int64   `toml:"jobs"`
	Memory   *float64 `toml:"memory_score_threshold"`
	SFT      *float64 `toml:"sft_score_threshold"`
}

// setting is one row of the configuration: where a value may come from and
// what makes it valid.
type setting struct {
	key  string // in config.toml
	env  string // environment variable
	flag string // global flag, "" if it has none
	file func(*configFile) any
	// standard is the value without any configuration.
	standard func(*cli) string
	check    func(*cli, string) error // nil: any text
}

var settings = [...]setting{
	{"db", "WINNOW_DB", "db", func(f *configFile) any { return f.DB }, (*cli).standardDB, nil},
	{"agent", "WINNOW_AGENT", "", func(f *configFile) any { return f.Agent }, always("default"), nil},
	{"reviewer", "WINNOW_REVIEWER", "reviewer", func(f *configFile) any { return f.Reviewer }, (*cli).standardReviewer, nil},
	{"theme", "WINNOW_THEME", "theme", func(f *configFile) any { return f.Theme }, always("auto"), (*cli).checkTheme},
	{"ascii", "WINNOW_ASCII", "ascii", func(f *configFile) any { return f.ASCII }, (*cli).standardASCII, checkBool},
	{"jobs", "WINNOW_JOBS", "", func(f *configFile) any { return f.Jobs }, always("0"), checkJobs},
	{"memory_score_threshold", "WINNOW_MEMORY_SCORE_THRESHOLD", "", func(f *configFile) any { return f.Memory }, always("0.7"), checkScore},
	{"sft_score_threshold", "WINNOW_SFT_SCORE_THRESHOLD", "", func(f *configFile) any { return f.SFT }, always("0.8"), checkScore},
}

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
	for i := range settings {
		s := &settings[i]
		v := p.lookup(s, file, c.path)
		if s.check != nil {
			if err := s.check(p, v.text); err != nil {
				return nil, &failure{exitUsage, fmt.Errorf("%s: %s = %q: %w", v.from, s.key, v.text, err)}
			}
		}
		c.values[s.key] = v
	}
	return c, nil
}

// lookup finds the value of a setting in the first place that has one. Empty
// flags and variables count as not set.
func (p *cli) lookup(s *setting, file *configFile, path string) value {
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
		return value{text, path}
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

// readConfigFile reads config.toml; a missing one is empty. Errors name the
// file, the line and the key.
func readConfigFile(path string) (*configFile, error) {
	f := &configFile{}
	if path == "" {
		return f, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(f)
	if err == nil {
		return f, nil
	}
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) && len(missing.Errors) > 0 {
		e := &missing.Errors[0]
		row, _ := e.Position()
		return nil, &failure{exitUsage, fmt.Errorf("%s:%d: unknown key %s: known are %s",
			path, row, strings.Join(e.Key(), "."), strings.Join(settingKeys(), ", "))}
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, column := bad.Position()
		return nil, &failure{exitUsage, fmt.Errorf("%s:%d:%d: %s", path, row, column, decodeText(bad))}
	}
	return nil, &failure{exitUsage, fmt.Errorf("%s: %w", path, err)}
}

// decodeText says what is wrong with the file. A value of another type than its
// key wants is told in our words: the decoder's are about Go.
func decodeText(bad *toml.DecodeError) string {
	text := strings.TrimPrefix(bad.Error(), "toml: ")
	if !strings.Contains(text, "cannot decode") && !strings.Contains(text, "cannot store") {
		return text
	}
	for i := range settings {
		if s := &settings[i]; len(bad.Key()) > 0 && bad.Key()[0] == s.key {
			return s.key + " must be " + wanted(s.file(&configFile{}))
		}
	}
	return "not the kind of value that is wanted here"
}

// wanted says what a field of the file takes.
func wanted(field any) string {
	switch field.(type) {
	case *bool:
		return "true or false"
	case *int64:
		return "a whole number"
	case *float64:
		return "a number"
	}
	return `a text in quotes, as in "text"`
}

func settingKeys() []string {
	keys := make([]string, len(settings))
	for i := range settings {
		keys[i] = settings[i].key
	}
	return keys
}

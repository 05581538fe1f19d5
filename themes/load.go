// Package themes turns palettes, small TOML files, into the styles of the
// screen. A palette names roles, never places: what a tool result looks like
// is said once, wherever it is drawn.
package themes

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/pelletier/go-toml/v2"
)

//go:embed *.toml
var builtin embed.FS

// fallback is the theme that lends its roles to themes that miss some.
const fallback = "dark"

// roles maps the names of a palette's roles to their styles.
var roles = [...]struct {
	name string
	of   func(*Styles) *lipgloss.Style
}{
	{"text", func(s *Styles) *lipgloss.Style { return &s.Text }},
	{"muted", func(s *Styles) *lipgloss.Style { return &s.Muted }},
	{"border", func(s *Styles) *lipgloss.Style { return &s.Border }},
	{"selection", func(s *Styles) *lipgloss.Style { return &s.Selection }},
	{"user", func(s *Styles) *lipgloss.Style { return &s.User }},
	{"assistant", func(s *Styles) *lipgloss.Style { return &s.Assistant }},
	{"system", func(s *Styles) *lipgloss.Style { return &s.System }},
	{"tool", func(s *Styles) *lipgloss.Style { return &s.Tool }},
	{"thinking", func(s *Styles) *lipgloss.Style { return &s.Thinking }},
	{"code", func(s *Styles) *lipgloss.Style { return &s.Code }},
	{"match", func(s *Styles) *lipgloss.Style { return &s.Match }},
	{"error", func(s *Styles) *lipgloss.Style { return &s.Error }},
	{"warning", func(s *Styles) *lipgloss.Style { return &s.Warning }},
	{"approved", func(s *Styles) *lipgloss.Style { return &s.Approved }},
	{"rejected", func(s *Styles) *lipgloss.Style { return &s.Rejected }},
	{"unsure", func(s *Styles) *lipgloss.Style { return &s.Unsure }},
	{"stale", func(s *Styles) *lipgloss.Style { return &s.Stale }},
	{"score_low", func(s *Styles) *lipgloss.Style { return &s.ScoreLow }},
	{"score_mid", func(s *Styles) *lipgloss.Style { return &s.ScoreMid }},
	{"score_high", func(s *Styles) *lipgloss.Style { return &s.ScoreHigh }},
}

// palette is the content of a theme's file.
type palette struct {
	Dark       *bool             `toml:"dark"`
	Background string            `toml:"background"`
	Roles      map[string]string `toml:"roles"`
}

// Load returns the theme called name: a built-in one, or NAME.toml at the
// root of user, which may be nil. A user's file with the name of a built-in
// theme changes only the roles it has; in any other file a missing or
// unreadable role is taken from dark and gives a warning.
func Load(name string, user fs.FS) (Styles, []string, error) {
	if !slices.Contains(Names(user), name) {
		return Styles{}, nil, fmt.Errorf("no theme %q: there are %s", name, strings.Join(Names(user), ", "))
	}
	s, _, err := apply(Styles{}, builtin, fallback)
	if err != nil {
		return Styles{}, nil, err
	}
	shipped := exists(builtin, name)
	if shipped {
		if s, _, err = apply(s, builtin, name); err != nil {
			return Styles{}, nil, err
		}
	}
	var warnings []string
	if exists(user, name) {
		var missing []string
		if s, missing, err = apply(s, user, name); err != nil {
			return Styles{}, nil, err
		}
		for _, m := range missing {
			if shipped && strings.HasSuffix(m, isMissing) {
				continue
			}
			warnings = append(warnings, m)
		}
	}
	s.Name = name
	return s, warnings, nil
}

// Names lists the themes there are, sorted: the built-in ones and those of
// user, which may be nil.
func Names(user fs.FS) []string {
	var names []string
	for _, dir := range []fs.FS{builtin, user} {
		if dir == nil {
			continue
		}
		files, _ := fs.Glob(dir, "*.toml") // the pattern is well-formed
		for _, f := range files {
			names = append(names, strings.TrimSuffix(f, ".toml"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ForBackground names the theme for a terminal of that background.
func ForBackground(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

func exists(dir fs.FS, name string) bool {
	if dir == nil {
		return false
	}
	_, err := fs.Stat(dir, name+".toml")
	return err == nil
}

// isMissing ends the warning about a role that a file does not have.
const isMissing = "is missing; using dark's"

// apply puts the roles of a file over base and tells what it left as it was.
func apply(base Styles, dir fs.FS, name string) (Styles, []string, error) {
	p, err := read(dir, name)
	if err != nil {
		return base, nil, err
	}
	if p.Dark != nil {
		base.Dark = *p.Dark
	}
	var warnings []string
	warn := func(format string, args ...any) {
		warnings = append(warnings, "theme "+name+": "+fmt.Sprintf(format, args...))
	}
	for _, role := range roles {
		spec, ok := p.Roles[role.name]
		if !ok {
			warn("role %s %s", role.name, isMissing)
			continue
		}
		delete(p.Roles, role.name)
		style, err := parseStyle(spec)
		if err != nil {
			warn("role %s: %v; using dark's", role.name, err)
			continue
		}
		*role.of(&base) = style
	}
	for unknown := range p.Roles {
		warn("there is no role %q", unknown)
	}
	slices.Sort(warnings)
	return base, warnings, nil
}

func read(dir fs.FS, name string) (palette, error) {
	var p palette
	data, err := fs.ReadFile(dir, name+".toml")
	if err != nil {
		return p, fmt.Errorf("theme %s: %w", name, err)
	}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&p); err != nil {
		return p, fmt.Errorf("theme %s: %s", name, placed(err))
	}
	return p, nil
}

// placed renders a TOML error on one line, with its place where it has one. The
// strict error comes first: it wraps decoding errors.
func placed(err error) string {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(strict.Errors) > 0 {
		line, _ := strict.Errors[0].Position()
		return fmt.Sprintf("line %d: no such setting %q", line, strings.Join(strict.Errors[0].Key(), "."))
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		return fmt.Sprintf("line %d, column %d: %s", line, column, bad.Error())
	}
	return err.Error()
}

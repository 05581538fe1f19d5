// Package themes turns palettes, small TOML files, into the styles of the
// screen. A palette names roles, never places: what a tool result looks like
// is said once, wherever it is drawn.
package themes

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/pelletier/go-toml/v2"
)

//go:embed *.toml
var builtin embed.FS

// fallback is the theme that lends its roles to themes that miss some.
const fallback = "dark"

// Colourless is the theme for terminals without colours.
const Colourless = "mono"

// role is one of the roles: its name in files, and its style.
type role struct {
	name string
	of   func(*Styles) *lipgloss.Style
}

// roles maps the names of a palette's roles to their styles.
var roles = [...]role{
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
	// ANSI are the roles on a terminal with sixteen colours, whose looks are
	// the terminal's: the nearest of them to a colour is often that of another
	// role.
	ANSI map[string]string `toml:"ansi"`
	file string
	data []byte
}

// Load returns the theme called name: a built-in one, or NAME.toml at the
// root of user, which may be nil. A user's file with the name of a built-in
// theme changes only the roles it has; in any other file a missing or
// unreadable role is taken from dark and gives a warning, "file:line:column:
// what".
func Load(name string, user fs.FS) (Styles, []string, error) {
	if !slices.Contains(Names(user), name) {
		return Styles{}, nil, fmt.Errorf("no theme %q: there are %s", name, strings.Join(Names(user), ", "))
	}
	s, err := overlay(Styles{}, builtin, fallback, nil)
	if err != nil {
		return Styles{}, nil, err
	}
	shipped := exists(builtin, name)
	if shipped {
		s.Background = nil
		if s, err = overlay(s, builtin, name, nil); err != nil {
			return Styles{}, nil, err
		}
	}
	var w warnings
	own := exists(user, name)
	if own {
		if !shipped {
			s.Background = nil
		}
		w.lenient = shipped
		if s, err = overlay(s, user, name, &w); err != nil {
			return Styles{}, nil, err
		}
	}
	s.Name, s.Own = name, own
	return s, w.list, s.addSixteen(name, user)
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

// warnings collects what a file says in vain.
type warnings struct {
	lenient bool // it need not have all roles
	list    []string
}

// add warns of a place in a file. Built-in files give none: they are tested.
func (w *warnings) add(at, format string, args ...any) {
	if w != nil {
		w.list = append(w.list, at+": "+fmt.Sprintf(format, args...))
	}
}

// overlay puts the roles of a file over base. What it can't use stays as it was.
func overlay(base Styles, dir fs.FS, name string, w *warnings) (Styles, error) {
	p, err := read(dir, name)
	if err != nil {
		return base, err
	}
	if p.Dark != nil {
		base.Dark = *p.Dark
	}
	if p.Background != "" {
		if c, err := parseColor(p.Background); err != nil {
			w.add(p.at("background"), "background: %v", err)
		} else {
			base.Background = c
		}
	}
	p.paint("roles", p.Roles, &base, w)
	p.paint("ansi", p.ANSI, &Styles{}, w) // for what is wrong with them; see addSixteen
	var missing []string
	for _, role := range roles {
		if _, ok := p.Roles[role.name]; !ok {
			missing = append(missing, role.name)
		}
	}
	if w != nil && !w.lenient && len(missing) > 0 {
		w.add(p.file, "without %s: using dark's", strings.Join(missing, ", "))
	}
	return base, nil
}

// paint sets the roles of a table of the file.
func (p *palette) paint(table string, specs map[string]string, s *Styles, w *warnings) {
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		i := slices.IndexFunc(roles[:], func(r role) bool { return r.name == name })
		if i < 0 {
			w.add(p.at(table, name), "there is no role %q", name)
			continue
		}
		style, err := parseStyle(specs[name])
		if err != nil {
			w.add(p.at(table, name), "role %s: %v; using dark's", name, err)
			continue
		}
		*roles[i].of(s) = style
	}
}

func read(dir fs.FS, name string) (palette, error) {
	p := palette{file: name + ".toml"}
	data, err := fs.ReadFile(dir, p.file)
	if err != nil {
		return p, fmt.Errorf("theme %s: %w", name, err)
	}
	p.data = data
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&p); err != nil {
		return p, placed(p.file, err)
	}
	return p, nil
}

package themes

import (
	"image/color"
	"io/fs"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// On returns the styles as a terminal with these colours can show them.
func (s Styles) On(p colorprofile.Profile) Styles {
	if p == colorprofile.ANSI && s.sixteen != nil {
		return *s.sixteen
	}
	return s
}

// addSixteen makes the styles for terminals with sixteen colours: a role that
// has other colours gets those of dark or light, and what the theme's own files
// say comes last.
func (s *Styles) addSixteen(name string, user fs.FS) error {
	p, err := read(builtin, ForBackground(s.Dark))
	if err != nil {
		return err
	}
	plain := Styles{}
	p.paint("ansi", p.ANSI, &plain, nil)
	few := *s
	for _, role := range roles {
		if !inSixteen(*role.of(s)) {
			*role.of(&few) = *role.of(&plain)
		}
	}
	for _, dir := range []fs.FS{builtin, user} {
		if !exists(dir, name) {
			continue
		}
		if p, err = read(dir, name); err != nil {
			return err
		}
		p.paint("ansi", p.ANSI, &few, nil)
	}
	s.sixteen = &few
	return nil
}

// inSixteen reports whether a style has no colour but the terminal's own.
func inSixteen(s lipgloss.Style) bool {
	for _, c := range []color.Color{s.GetForeground(), s.GetBackground()} {
		switch c.(type) {
		case nil, lipgloss.NoColor, ansi.BasicColor:
		default:
			return false
		}
	}
	return true
}

package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/themes"
)

// loadTheme loads a theme. Its warnings and errors name the whole path of the
// user's file.
func (p *cli) loadTheme(name string) (themes.Styles, []string, error) {
	at := p.env.ShortPath(p.env.ThemesDir()) + string(filepath.Separator)
	s, warnings, err := themes.Load(name, p.env.UserThemes())
	for i := range warnings {
		warnings[i] = at + warnings[i]
	}
	if bad, ok := errors.AsType[*themes.FileError](err); ok {
		bad.File = at + bad.File
	}
	return s, warnings, err
}

// loadThemes loads all themes. Those that can't be read are left out; what is
// wrong with any of them is told.
func (p *cli) loadThemes() []themes.Styles {
	var all []themes.Styles
	for _, name := range themes.Names(p.env.UserThemes()) {
		s, warnings, err := p.loadTheme(name)
		for _, w := range warnings {
			p.warn("%s", w)
		}
		if err != nil {
			p.warn("%s", err)
			continue
		}
		all = append(all, s)
	}
	return all
}

func (p *cli) themesCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "themes",
		Short: "List the colour themes",
		Long: `Lists the built-in themes and your own, on a terminal with a sample of each.
Your own are TOML files in the folder "themes" beside config.toml. A file with
the name of a built-in theme changes the roles that it names. "auto" chooses by
the terminal: its background, and whether it has colours.`,
		RunE: func(*cobra.Command, []string) error {
			c, err := p.config()
			if err != nil {
				return err
			}
			return p.listThemes(p.loadThemes(), c.Text("theme"))
		},
	}, p.jsonFlag("print one JSON object per theme"))
}

func (p *cli) listThemes(all []themes.Styles, chosen string) error {
	t := p.out.List(p.asJSON, print.Left("THEME"), print.Left("FOR"), print.Left("FROM"), print.Left(""))
	for i := range all {
		s := &all[i]
		row := tell.Theme{Name: s.Name, Dark: s.Dark, For: s.For(), Own: s.Own, Chosen: chosen == s.Name}
		if err := t.Put(row, row.Cells()...); err != nil {
			return err
		}
	}
	t.Flush()
	if p.asJSON || !p.out.TTY {
		return nil
	}
	p.out.Printf("\n")
	return p.showThemes(all)
}

// showThemes prints a line of each theme in its colours.
func (p *cli) showThemes(all []themes.Styles) error {
	profile := colorprofile.Env(p.env.colourVariables())
	w := colorprofile.Writer{Forward: p.out, Profile: profile}
	widest := 0
	for i := range all {
		widest = max(widest, len(all[i].Name))
	}
	for i := range all {
		s := all[i].On(profile)
		name := s.Name + strings.Repeat(" ", widest-len(s.Name)) + "  "
		if _, err := w.WriteString(name + tell.ThemeSample(&s) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// colourVariables are what the environment says of colours, as NAME=value.
func (e *environment) colourVariables() []string {
	var vars []string
	for _, name := range []string{"TERM", "COLORTERM", "TERM_PROGRAM", "WT_SESSION", "TMUX", "STY", "CLICOLOR", "CLICOLOR_FORCE"} {
		if v, ok := e.Lookup(name); ok {
			vars = append(vars, name+"="+v)
		}
	}
	if e.NoColour() {
		vars = append(vars, "NO_COLOR=1")
	}
	return vars
}

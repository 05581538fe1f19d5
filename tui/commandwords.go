package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/command"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// Verbs are the commands that take words.
func (p forCommand) Verbs() []command.Verb {
	a := p.App
	return append(a.Verbs(),
		command.Verb{Name: "theme", Words: "NAME", Help: "use a theme", In: keys.InPages, Run: a.themeCommand, Complete: a.themeWords},
		command.Verb{Name: "quit", Help: "quit, after saving what was decided", In: keys.InPages, Run: command.Any(func(string) tea.Cmd { return a.quit() })},
		command.Verb{Name: "write", Help: "nothing to do: every verdict is saved as it is given", In: keys.InPages, Run: command.Any(a.sayWritten)},
	)
}

func (a *App) sayWritten(string) tea.Cmd {
	a.Say("verdicts, notes and cuts are saved as they are given")
	return nil
}

// themeCommand uses a theme by its name.
func (a *App) themeCommand(text string) (func() tea.Cmd, error) {
	names := []string{"auto"}
	for i := range a.themes {
		names = append(names, a.themes[i].Name)
	}
	if !slices.Contains(names, text) {
		return nil, fmt.Errorf("no theme %s: choose one of %s", clean.Line(draw.Head(text)), clean.Line(strings.Join(names, ", ")))
	}
	return func() tea.Cmd { a.useTheme(text); return nil }, nil
}

func (a *App) themeWords(text string) []line.Completion {
	var words []line.Completion
	for i := range a.themes {
		name, help := a.themes[i].Name, ""
		if i == a.theme {
			help = "in use"
		}
		if strings.HasPrefix(name, text) {
			words = append(words, line.Completion{Text: name, Label: clean.Line(name), Help: help})
		}
	}
	return words
}

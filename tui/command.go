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

func commandKeys() []keyRow {
	return []keyRow{
		keys.Key(":", keys.Command, "open the command line: run any action by its name", "", keys.InPages, (*App).openCommand, nil),
		keys.Key("enter", "run", "run the command; with a completion chosen, that one", "run", keys.InCommand, (*App).enterLine, nil),
		keys.Key("tab down", "next-command", "choose the next completion; down also the next earlier command", "complete", keys.InCommand, stepLine(+1), nil),
		keys.Key("shift+tab up", "previous-command", "choose the previous completion; up with none chosen: earlier commands", "", keys.InCommand, stepLine(-1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "", keys.InCommand, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; its text comes back the next time", "", keys.InCommand, keys.Do((*App).putLineAway), nil),
		keys.Key("esc", "drop", "close the choice, else the line", "close", keys.InCommand, keys.Do((*App).dropLine), nil),
	}
}

// openCommand begins to type a command.
func (a *App) openCommand() tea.Cmd {
	return a.OpenLine(&command.New(a.Pen, a.keys, &a.commands, forCommand{a}).Line, a.commands.Draft)
}

// forCommand is the program as the command line uses it.
type forCommand struct{ *App }

func (p forCommand) Act(b *keys.Binding) tea.Cmd {
	p.Key = ""
	return p.act(b)
}

// Verbs are the commands that take words.
func (p forCommand) Verbs() []command.Verb {
	a := p.App
	return append(a.Verbs(),
		a.memoryVerb(),
		command.Verb{Name: "theme", Words: "NAME", Help: "use a theme", In: keys.InPages, Run: a.themeCommand, Complete: a.themeWords},
		command.Verb{Name: "quit", Help: "quit, after saving what was decided", In: keys.InPages, Run: command.Any(func(string) tea.Cmd { return a.quit() })},
		command.Verb{Name: "write", Help: "nothing to do: every verdict is saved as it is given", In: keys.InPages, Run: command.Any(func(string) tea.Cmd {
			a.Say("verdicts, notes and cuts are saved as they are given")
			return nil
		})},
	)
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

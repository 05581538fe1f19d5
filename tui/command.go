package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/command"
	"winnow/tui/keys"
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

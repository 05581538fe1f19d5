package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/command"
	"winnow/tui/keys"
)

func commandKeys() []keyRow {
	return []keyRow{
		keys.Key(":", keys.Command, "a command line: every action by its name", "", keys.InPages, (*App).openCommand, nil),
		keys.Key("enter", "run", "run the command; with a completion chosen, that one", "run", keys.InCommand, (*App).enterLine, nil),
		keys.Key("tab down", "next-command", "choose a completion, the next one; down also the next command of before", "complete", keys.InCommand, with((*App).stepLine, +1), nil),
		keys.Key("shift+tab up", "previous-command", "the completion before; up with none chosen: the commands of before", "", keys.InCommand, with((*App).stepLine, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "", keys.InCommand, (*App).clearLine, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InCommand, (*App).putLineAway, nil),
		keys.Key("esc", "drop", "close the choice, else the line", "close", keys.InCommand, (*App).dropLine, nil),
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

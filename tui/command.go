package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/line"
)

// commandLine is a command being typed.
type commandLine struct {
	line.Line
	app *App
}

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
	l := &commandLine{app: a}
	l.Line = line.Line{Label: " :", In: keys.InCommand, Depth: 1, Menu: true, Memory: &a.commands, Use: l}
	return a.openLine(&l.Line, a.commands.Draft)
}

// Changed offers what may be meant.
func (l *commandLine) Changed(bool) tea.Cmd {
	l.Err, l.Popup = nil, l.app.commandPopup(l.Text())
	return nil
}

// Keep runs the command.
func (l *commandLine) Keep(text string) (func() tea.Cmd, error) {
	if text = strings.TrimSpace(text); text == "" {
		return func() tea.Cmd { l.Drop(); return nil }, nil
	}
	run, err := l.app.parseCommand(text)
	return func() tea.Cmd {
		l.Drop()
		l.Memory.Keep(text)
		return run()
	}, err
}

// PutAway keeps the text for the next time.
func (l *commandLine) PutAway(text string) {
	l.Memory.Draft = strings.TrimSpace(text)
	if l.Memory.Draft != "" {
		l.app.say("command put away: " + l.app.keyFor(keys.Command) + " goes on with it")
	}
}

// Drop leaves nothing for the next time.
func (l *commandLine) Drop() { l.Memory.Draft = "" }

package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/line"
)

// commandLine is a command being typed.
type commandLine struct {
	text  string // as it is now
	at    int    // where the cursor is, in characters
	err   string // why it was not run
	popup line.Popup
	walk  line.Walk // among the commands of before
}

func commandKeys() []keyRow {
	return []keyRow{
		keys.Key(":", keys.Command, "a command line: every action by its name", "", keys.InPages, (*App).openCommand, nil),
		keys.Key("enter", "run", "run the command; with a completion chosen, that one", "run", keys.InCommand, (*App).runCommand, nil),
		keys.Key("tab down", "next-command", "choose a completion, the next one; down also the next command of before", "complete", keys.InCommand, with((*App).chooseCommand, +1), nil),
		keys.Key("shift+tab up", "previous-command", "the completion before; up with none chosen: the commands of before", "", keys.InCommand, with((*App).chooseCommand, -1), nil),
		keys.Key("ctrl+u", "clear", "clear the line", "", keys.InCommand, func(a *App) tea.Cmd { a.setCommand(""); return nil }, nil),
		keys.Key("ctrl+c", "put-away", "close the line; the text is there again the next time", "", keys.InCommand, (*App).putCommandAway, nil),
		keys.Key("esc", "drop", "close the choice, else the line", "close", keys.InCommand, (*App).escCommand, nil),
	}
}

// openCommand begins to type a command.
func (a *App) openCommand() tea.Cmd {
	a.command = &commandLine{at: -1}
	cmd := a.openField(line.Field{Label: ":", Away: func(string) {}}, "")
	a.setCommand(a.commands.Draft)
	return cmd
}

// setCommand replaces the text.
func (a *App) setCommand(text string) {
	a.field.Input.SetValue(text)
	a.field.Input.CursorEnd()
	a.commandChanged()
}

// commandChanged follows the text and the cursor.
func (a *App) commandChanged() {
	c, text, at := a.command, a.field.Input.Value(), a.field.Input.Position()
	if text == c.text && at == c.at {
		return
	}
	c.text, c.at, c.err = text, at, ""
	c.popup = a.commandPopup(text)
}

// chooseCommand goes to the next completion, or the one before. The arrows
// walk through the commands of before while nothing is typed or chosen.
func (a *App) chooseCommand(step int) func() tea.Cmd {
	return func() tea.Cmd {
		c := a.command
		p := &c.popup
		arrow := a.key == "up" || a.key == "down"
		walks := c.text == "" && step < 0 || c.walk.Back > 0
		if !arrow || p.Cur >= 0 || !walks || !a.walkCommands(step) {
			p.Choose(step)
		}
		return nil
	}
}

// walkCommands shows the commands that were run before, from the last one on,
// and then again what was typed; false if there are none.
func (a *App) walkCommands(step int) bool {
	c := a.command
	if _, ok := a.commands.To(c.walk, c.text, step); !ok {
		return len(a.commands.Kept) > 0
	}
	next, text := a.commands.Walk(c.walk, c.text, step)
	a.setCommand(text)
	c.walk = next
	return true
}

// runCommand runs what is typed, or takes the completion that is chosen: one
// that words may follow is typed, for them.
func (a *App) runCommand() tea.Cmd {
	c := a.command
	text := c.text
	if p := &c.popup; p.Cur >= 0 {
		chosen := p.Items[p.Cur]
		runes := []rune(text)
		text = string(runes[:p.From]) + chosen.Text
		if chosen.Typed {
			a.setCommand(text)
			return nil
		}
	}
	if strings.TrimSpace(text) == "" {
		a.closeCommand()
		return nil
	}
	run, err := a.parseCommand(text)
	if err != nil {
		c.err = err.Error()
		return nil
	}
	a.closeCommand()
	text = strings.TrimSpace(text)
	a.commands.Keep(text)
	return run()
}

func (a *App) closeCommand() { a.command, a.field, a.commands.Draft = nil, nil, "" }

// escCommand closes the choice of a completion, else the line.
func (a *App) escCommand() tea.Cmd {
	if a.command.popup.Unchoose() {
		return nil
	}
	a.closeCommand()
	return nil
}

// putCommandAway closes the line; what was typed is there again the next time.
func (a *App) putCommandAway() tea.Cmd {
	text := strings.TrimSpace(a.field.Input.Value())
	a.closeCommand()
	if a.commands.Draft = text; text != "" {
		a.say("command put away: " + a.keyFor(keys.Command) + " goes on with it")
	}
	return nil
}

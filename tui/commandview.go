package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// commandHeight is what the command line takes of the screen: the line, and
// what it would run or why it does not.
const commandHeight = 2

// commandLines draws the command line and what stands below it, and returns
// the column of the cursor.
func (a *App) commandLines(w int) (lines []string, x int) {
	c, label := a.command, " :"
	n := ansi.StringWidth(label)
	text, column := viewText([]rune(c.text), c.at, max(1, w-n-1))
	lines = []string{draw.Fit(a.Ink.Key.On(label)+a.Ink.Text.On(text), w, "")}
	return append(lines, draw.Fit(" "+a.commandTold(w-2), w, a.G.More)), min(w-1, n+column(c.at))
}

// commandColumn is where on the screen the word begins that is completed.
func (a *App) commandColumn(w int) int {
	c := a.command
	_, column := viewText([]rune(c.text), c.at, max(1, w-3))
	return 2 + column(c.popup.From)
}

// commandTold says why a command was not run, else the keys of the line, and
// where there is room what enter would run.
func (a *App) commandTold(w int) string {
	c := a.command
	if c.err != "" {
		said, clear := clean.Line(draw.Head(c.err)), ""
		if k := a.keyIn("clear", keys.InCommand); k != "" { // what is typed next goes on with the text
			clear = "  " + k + " clears"
		}
		room := max(0, w-ansi.StringWidth(clear))
		return a.Ink.Fail.On(draw.Fit(said, min(room, ansi.StringWidth(said)), a.G.More)) + a.Ink.Muted.On(draw.Fit(clear, min(w, ansi.StringWidth(clear)), ""))
	}
	keys := [][2]string{{a.keyIn("run", keys.InCommand), "run"}, {a.keyIn("drop", keys.InCommand), "close"}, {a.keyIn("next-command", keys.InCommand), "complete"}}
	if len(a.commands.Kept) > 0 && c.text == "" {
		keys = append(keys, [2]string{"up", "commands of before"})
	}
	if c.popup.Cur >= 0 {
		keys[0][1], keys[1][1], keys[2][1] = "take it", "back", "next"
	}
	text, used := line.Hints(a.Pen, keys, w)
	if runs := a.wouldRun(); runs != "" && w-used > 30 {
		text += a.Ink.Muted.On(draw.Fit("  "+a.G.Arrow+" "+runs, w-used, a.G.More))
	}
	return text
}

// wouldRun says what enter would run, "" if that is not clear.
func (a *App) wouldRun() string {
	c := a.command
	if strings.TrimSpace(c.text) == "" || c.popup.Cur >= 0 {
		return ""
	}
	name, _ := splitCommand(c.text)
	x, err := a.actionCalled(name)
	if err != nil {
		return ""
	}
	return x.name + ": " + x.help
}

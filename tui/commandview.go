package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// Below says why a command was not run, else names the keys of the line, and
// where there is room what enter would run.
func (l *commandLine) Below(w int) []string {
	return []string{draw.Fit(" "+l.says(w-2), w, l.app.G.More)}
}

func (l *commandLine) says(w int) string {
	a := l.app
	if l.Err != nil {
		said, clear := clean.Line(draw.Head(l.Err.Error())), ""
		if k := a.keyIn("clear", keys.InCommand); k != "" { // what is typed next goes on with the text
			clear = "  " + k + " clears"
		}
		room := max(0, w-ansi.StringWidth(clear))
		return a.Ink.Fail.On(draw.Fit(said, min(room, ansi.StringWidth(said)), a.G.More)) + a.Ink.Muted.On(draw.Fit(clear, min(w, ansi.StringWidth(clear)), ""))
	}
	keys := [][2]string{{a.keyIn("run", keys.InCommand), "run"}, {a.keyIn("drop", keys.InCommand), "close"}, {a.keyIn("next-command", keys.InCommand), "complete"}}
	if len(a.commands.Kept) > 0 && l.Text() == "" {
		keys = append(keys, [2]string{"up", "commands of before"})
	}
	if l.Popup.Cur >= 0 {
		keys[0][1], keys[1][1], keys[2][1] = "take it", "back", "next"
	}
	text, used := line.Hints(a.Pen, keys, w)
	if runs := l.wouldRun(); runs != "" && w-used > 30 {
		text += a.Ink.Muted.On(draw.Fit("  "+a.G.Arrow+" "+runs, w-used, a.G.More))
	}
	return text
}

// wouldRun says what enter would run, "" if that is not clear.
func (l *commandLine) wouldRun() string {
	if strings.TrimSpace(l.Text()) == "" || l.Popup.Cur >= 0 {
		return ""
	}
	name, _ := splitCommand(l.Text())
	x, err := l.app.actionCalled(name)
	if err != nil {
		return ""
	}
	return x.name + ": " + x.help
}

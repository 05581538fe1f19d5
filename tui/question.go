package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// answer answers the question whether sessions may be sent to a host.
func answer(send bool) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { return a.work.Answer(send) }
}

// questionLines draw the question. It stands above the footer and leaves what is
// read to be read.
func (a *App) questionLines(w int) []string {
	if a.Context() != keys.InQuestion {
		return nil
	}
	text, instead := a.work.Question()
	var lines []string
	wrap := func(k draw.Ink, text string) {
		for l := range strings.SplitSeq(ansi.Wrap(text, w-2, ""), "\n") {
			lines = append(lines, draw.Fit(" "+k.On(l), w, a.G.More))
		}
	}
	wrap(a.Ink.Warn, text)
	wrap(a.Ink.Muted, a.keyIn("send", keys.InQuestion)+" sends later sessions of this database too "+a.G.Dot+" "+a.keyIn("rules", keys.InQuestion)+" "+instead)
	return lines[:min(len(lines), max(1, a.H-screen.LeastAround))]
}

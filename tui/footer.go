package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/screen"
)

// mostFailed is how many lines a failure has above the footer: an error with a
// path and what to do has room in them on 80 columns.
const mostFailed = 3

// failedLines tell what failed where the footer has no room for all of it.
func (a *App) failedLines(w int) []string {
	if !a.Message.Failed || a.field != nil || a.AsksBulk() || len(a.questionLines(w)) > 0 {
		return nil
	}
	said, h := clean.Line(draw.Head(a.Message.Text)), a.hints()
	if ansi.StringWidth(said) <= w-4-h.width(false) {
		return nil
	}
	lines := strings.Split(ansi.Wrap(said, w-2, ""), "\n")
	if len(lines) > mostFailed {
		lines = append(lines[:mostFailed-1], strings.Join(lines[mostFailed-1:], " "))
	}
	for i := range lines {
		lines[i] = draw.Fit(" "+a.Ink.Fail.On(lines[i]), w, a.G.More)
	}
	return lines
}

// leastWord is the room below which nothing is said unless something happened.
const leastWord = 16

// leastWhy is the room for the lowest metric of a score, if it is there at all.
// Wide footers tell more of it, but keys have more than half of them.
const leastWhy = 30

// footerLine shows the keys of the pane that has them, and what there is to
// say. The keys of every minute are never pushed out: what is said has the
// room they leave. What needs much more has the room of their words, too.
func (a *App) footerLine(w int) string {
	h := a.hints()
	said, k := clean.Line(draw.Head(a.Message.Text)), a.Ink.Text
	above := len(a.failedLines(w)) > 0
	if above {
		said = ""
	}
	switch {
	case a.Message.Failed && !above:
		k = a.Ink.Fail
	case said == "":
		said, k = a.whereabouts(), a.Ink.Muted
	}
	room := w - 4 // one space at either end, two between
	beside := room - h.width(true)
	if said == "" && a.Context() == keys.InList {
		said = a.Why(a.List.Selected(), min(beside, max(leastWhy, room*2/5)))
	}
	if all := said + " " + a.G.Dot + " " + a.Message.Undo; a.Message.Undo != "" && ansi.StringWidth(all) <= beside {
		said = all
	}
	if short := a.Message.Short; short != "" && ansi.StringWidth(said) > beside {
		said = short
	}
	n := ansi.StringWidth(said)
	asks := a.Context() == keys.InQuestion // what its keys do matters more
	if n > beside && (asks || a.Message.Text == "" && beside < leastWord) {
		said, n = "", 0
	}
	words := n <= beside || a.Message.Text == "" || above || !a.Message.Failed && n*4 <= beside*5
	if !words {
		beside = room - h.width(false)
	}
	said = draw.Fit(said, max(0, min(n, beside)), a.G.More)
	keys := h.render(w-4-ansi.StringWidth(said), words)
	return draw.Fit(" "+draw.Fit(keys, w-4-ansi.StringWidth(said), "")+"  "+k.On(said), w, "")
}

// whereabouts is what the footer says when nothing happened: where the reader
// is, and what is known of the selected segment but not drawn in its row.
func (a *App) whereabouts() string {
	var parts []string
	switch s := a.top(); {
	case s != nil:
		if f, ok := s.Layer.(screen.Footer); ok {
			parts = f.Footer()
		}
	case a.Context() == keys.InReader:
		s := a.Reader.Status()
		if s.Notice != "" && a.IsReading() {
			return clean.Line(draw.Head(s.Notice))
		}
		if s.Of > 0 {
			if s.Digest {
				parts = append(parts, "digest")
			}
			parts = append(parts, fmt.Sprintf("message %s of %s", draw.Grouped(s.Message), draw.Grouped(s.Of)))
		}
		if l, ok := a.Reader.Link(); ok {
			if a.W < room.TwoPanes {
				parts = nil // there is room for one of them
			}
			parts = append(parts, a.keyIn("unfold", keys.InReader)+": "+a.LinkName(l))
		}
	case a.Context() == keys.InList && !a.Wide():
		parts = a.Remarks()
	}
	return strings.Join(parts, " "+a.G.Dot+" ")
}

// termWidth is how much of a term that is looked for the footer shows.
const termWidth = 20

// findState says what is looked for and how far one is, "" without a find.
func (a *App) findState() string {
	s := a.findStatus()
	if a.Context()&keys.InFound == 0 || s.FindQuery == "" && !s.Marked {
		return ""
	}
	if s.Marked {
		return hits(s)
	}
	term := draw.CutWords(clean.Line(draw.Head(s.FindQuery)), termWidth, a.G.More)
	return "find " + a.G.Quote + term + a.G.Unquote + " " + a.G.Dot + " " + hits(s)
}

func hits(s reader.Status) string {
	count := draw.Grouped(s.Hits)
	if s.Capped {
		count += "+"
	}
	text := count + " hits"
	switch {
	case s.Hit > 0:
		text = draw.Grouped(s.Hit) + " of " + count
	case s.Hits == 0 && s.Searching:
		return "searching"
	case s.Hits == 0:
		return "no hit"
	case s.Hits == 1:
		text = "1 hit"
	}
	if s.Searching {
		text += " so far"
	}
	return text
}

package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// filterDepth is how many lines stand below the filter line: what is wrong with it
// or comes of it, and what to do.
const filterDepth = 2

// Below draws what stands below the filter line.
func (l *filterLine) Below(w int) []string {
	a := l.app
	if e := l.shownError(); e != nil {
		hint := draw.Fit(" "+a.Ink.Muted.On(clean.Line(draw.Head(e.Hint))), w, a.G.More)
		return []string{a.caretLine(w, l.Column(e.Column-1, w), e.Text), hint}
	}
	return []string{draw.Fit(" "+a.lineResult(), w, a.G.More), draw.Fit(" "+l.keyHints(w-1), w, "")}
}

// caretLine points at the column of an error, and says what it is beside it.
func (a *App) caretLine(w, at int, what string) string {
	what = clean.Line(draw.Head(what))
	at = max(1, min(at, w-1))
	n := ansi.StringWidth(what)
	if left := at - 1 - n; n > w-at-3 && left >= 1 {
		return draw.Fit(strings.Repeat(" ", left)+a.Ink.Fail.On(what+" "+a.G.Caret), w, "")
	}
	if n > w-at-3 && at > w/2 {
		return draw.Fit(" "+a.Ink.Fail.On(draw.Fit(what, at-2, a.G.More)+" "+a.G.Caret), w, "")
	}
	return draw.Fit(strings.Repeat(" ", at)+a.Ink.Fail.On(a.G.Caret+" "+what), w, a.G.More)
}

// lineResult says what passes the filter as it is typed by now.
func (a *App) lineResult() string {
	if a.Message.Text != "" {
		k := a.Ink.Text
		if a.Message.Failed {
			k = a.Ink.Fail
		}
		return k.On(clean.Line(draw.Head(a.Message.Text)))
	}
	text := a.counted()
	if a.sieve.node == nil {
		text = "all " + draw.Plural(a.totals.Segments, "segment")
	}
	if share := a.searching(); share != "" {
		text += " " + a.G.Dot + " " + share
	}
	return a.Ink.Muted.On(text)
}

// keyHints names the keys of the line.
func (l *filterLine) keyHints(w int) string {
	a := l.app
	shown := [][2]string{{a.keyIn("keep-filter", keys.InFilter), "keep"}, {a.keyIn("restore", keys.InFilter), "restore"}, {a.keyIn("next-completion", keys.InFilter), "complete"}, {a.keyIn("clear", keys.InFilter), "clear"}}
	if l.Walks(-1) {
		shown = append(shown, [2]string{"up", "filters of before"})
	}
	switch p := &l.Popup; {
	case p.Cur >= 0:
		shown = [][2]string{{a.keyIn("keep-filter", keys.InFilter), "take it"}, {a.keyIn("next-completion", keys.InFilter), "next"}, {a.keyIn("previous-completion", keys.InFilter), "previous"}, {a.keyIn("restore", keys.InFilter), "back"}}
	case p.Show && len(p.Items) > 0:
		shown = shown[:4]
	}
	text, _ := line.Hints(a.Pen, shown, w)
	return text
}

// searching says how much of the text is searched while the index is being
// filled, "" when all is.
func (r *Room) searching() string {
	t := &r.tally
	if t.key != r.sieve.key || t.done >= t.all || !r.sieve.finds {
		return ""
	}
	return "searching " + strconv.FormatInt(t.done*100/t.all, 10) + "% of messages"
}

package review

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
	r := l.room
	if e := l.shownError(); e != nil {
		hint := draw.Fit(" "+r.Ink.Muted.On(clean.Line(draw.Head(e.Hint))), w, r.G.More)
		return []string{r.caretLine(w, l.Column(e.Column-1, w), e.Text), hint}
	}
	return []string{draw.Fit(" "+r.lineResult(), w, r.G.More), draw.Fit(" "+l.keyHints(w-1), w, "")}
}

// caretLine points at the column of an error, and says what it is beside it.
func (r *Room) caretLine(w, at int, what string) string {
	what = clean.Line(draw.Head(what))
	at = max(1, min(at, w-1))
	n := ansi.StringWidth(what)
	if left := at - 1 - n; n > w-at-3 && left >= 1 {
		return draw.Fit(strings.Repeat(" ", left)+r.Ink.Fail.On(what+" "+r.G.Caret), w, "")
	}
	if n > w-at-3 && at > w/2 {
		return draw.Fit(" "+r.Ink.Fail.On(draw.Fit(what, at-2, r.G.More)+" "+r.G.Caret), w, "")
	}
	return draw.Fit(strings.Repeat(" ", at)+r.Ink.Fail.On(r.G.Caret+" "+what), w, r.G.More)
}

// lineResult says what passes the filter as it is typed by now.
func (r *Room) lineResult() string {
	if r.Message.Text != "" {
		k := r.Ink.Text
		if r.Message.Failed {
			k = r.Ink.Fail
		}
		return k.On(clean.Line(draw.Head(r.Message.Text)))
	}
	text := r.counted()
	if r.Filter.Node == nil {
		text = "all " + draw.Plural(r.Totals.Segments, "segment")
	}
	if share := r.Searching(); share != "" {
		text += " " + r.G.Dot + " " + share
	}
	return r.Ink.Muted.On(text)
}

// keyHints names the keys of the line.
func (l *filterLine) keyHints(w int) string {
	r := l.room
	shown := [][2]string{{r.keys.Key("keep-filter", keys.InFilter), "keep"}, {r.keys.Key("restore", keys.InFilter), "restore"}, {r.keys.Key("next-completion", keys.InFilter), "complete"}, {r.keys.Key("clear", keys.InFilter), "clear"}}
	if l.Walks(-1) {
		shown = append(shown, [2]string{line.WalkKey(r.keys, "previous-completion", keys.InFilter), "earlier filters"})
	}
	switch p := &l.Popup; {
	case p.Cur >= 0:
		shown = [][2]string{{r.keys.Key("keep-filter", keys.InFilter), "take it"}, {r.keys.Key("next-completion", keys.InFilter), "next"}, {r.keys.Key("previous-completion", keys.InFilter), "previous"}, {r.keys.Key("restore", keys.InFilter), "back"}}
	case p.Show && len(p.Items) > 0:
		shown = shown[:4]
	}
	text, _ := line.Hints(r.Pen, shown, w)
	return text
}

// Searching says how much of the text is searched while the index is being
// filled, "" when all is.
func (r *Room) Searching() string {
	t := &r.counts
	if t.Key != r.Filter.Key || t.Done >= t.All || !r.Filter.Finds {
		return ""
	}
	return "searching " + strconv.FormatInt(t.Done*100/t.All, 10) + "% of messages"
}

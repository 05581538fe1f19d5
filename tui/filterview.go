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

// lineHeight is what the filter line takes of the screen: the line, what is
// wrong with it or comes of it, and what to do.
const lineHeight = 3

// filterLines draws the filter line and what stands below it, and returns the
// column of the cursor.
func (a *App) filterLines(w int) (lines []string, x int) {
	l := a.line
	label := " filter "
	room := max(1, w-ansi.StringWidth(label)-1)
	text, column := viewText([]rune(l.text), l.at, room)
	x = ansi.StringWidth(label) + column(l.at)
	lines = []string{draw.Fit(a.Ink.Key.On(label)+a.Ink.Text.On(text), w, "")}
	if e := l.shownError(); e != nil {
		at := ansi.StringWidth(label) + column(e.Column-1)
		return append(lines, a.caretLine(w, at, e.Text), draw.Fit(" "+a.Ink.Muted.On(clean.Line(draw.Head(e.Hint))), w, a.G.More)), x
	}
	return append(lines, draw.Fit(" "+a.lineResult(), w, a.G.More), draw.Fit(" "+a.lineKeys(w-1), w, "")), x
}

// viewText returns as much of a text as fits w cells, with the cursor in it,
// and which column a character has. The text may hold names that a session
// gave: it is safe to be shown.
func viewText(text []rune, at, w int) (view string, column func(i int) int) {
	cells := func(from, to int) int { return ansi.StringWidth(clean.Line(string(text[from:max(from, to)]))) }
	at = max(0, min(at, len(text)))
	from := at
	for used := 0; from > 0; from-- {
		if used += cells(from-1, from); used > w-1 {
			break
		}
	}
	to := at
	for to < len(text) && cells(from, to+1) <= w {
		to++
	}
	return clean.Line(string(text[from:to])), func(i int) int {
		i = max(from, min(i, len(text)))
		return min(cells(from, i), max(0, w-1))
	}
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
	if a.message.text != "" {
		k := a.Ink.Text
		if a.message.failed {
			k = a.Ink.Fail
		}
		return k.On(clean.Line(draw.Head(a.message.text)))
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

// lineKeys names the keys of the line.
func (a *App) lineKeys(w int) string {
	shown := [][2]string{{a.keyIn("keep-filter", keys.InFilter), "keep"}, {a.keyIn("restore", keys.InFilter), "restore"}, {a.keyIn("next-completion", keys.InFilter), "complete"}, {a.keyIn("clear", keys.InFilter), "clear"}}
	if a.walks(-1) {
		shown = append(shown, [2]string{"up", "filters of before"})
	}
	switch p := &a.line.popup; {
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
func (a *App) searching() string {
	t := &a.tally
	if t.key != a.sieve.key || t.done >= t.all || !a.sieve.finds {
		return ""
	}
	return "searching " + strconv.FormatInt(t.done*100/t.all, 10) + "% of messages"
}

// popupBox draws completions in a box of at most height lines, and returns the
// column it stands at: with its words at a column of the line below, where
// there is room.
func (a *App) popupBox(p *line.Popup, at, w, height int) (lines []string, column int) {
	height = min(popupLines, max(height*2/3, 4)) // above it, results follow
	if !p.Show || len(p.Items) == 0 {
		return nil, 0
	}
	n := len(p.Items)
	if n > height {
		n = height - 1 // the last line tells of the others
	}
	p.Top = max(0, min(p.Top, max(0, p.Cur), len(p.Items)-n), p.Cur-n+1)
	label, keys, help, count := 0, 0, 0, 0
	for i := range p.Items {
		c := &p.Items[i]
		keys = max(keys, ansi.StringWidth(c.Keys))
		label, help, count = max(label, ansi.StringWidth(c.Label)), max(help, ansi.StringWidth(c.Help)), max(count, len(c.CountText()))
	}
	const walls = 2 + 2 // with the mark and the space beside them
	if keys > 0 {
		keys += 2 // the space before them
	}
	rest := w - walls - label - keys
	if count > 0 {
		count += 2 // the space before it
		rest -= count
	}
	if help = min(help+2, rest); help < 8 {
		label, help = min(label, w-walls-keys-count), 0
	}
	wall := a.Ink.Border.On(a.G.Wall)
	for i := p.Top; i < p.Top+n; i++ {
		c, k, mark := &p.Items[i], &a.Ink, " "
		if i == p.Cur {
			k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
		}
		text := draw.Fit("  "+c.Help, help, a.G.More) + draw.Right(c.CountText(), count)
		lines = append(lines, wall+mark+k.Text.On(draw.Fit(c.Label, label, a.G.More))+k.Key.On(draw.Fit("  "+c.Keys, keys, ""))+k.Muted.On(text)+k.Text.On(" ")+wall)
	}
	width := label + keys + help + count
	if n < len(p.Items) {
		text := " " + a.G.Down + " " + strconv.Itoa(len(p.Items)-n) + " more"
		if p.Cur >= 0 {
			text = " " + strconv.Itoa(p.Cur+1) + " of " + strconv.Itoa(len(p.Items))
		}
		lines = append(lines, wall+a.Ink.Muted.On(draw.Fit(text, width+2, ""))+wall)
	}
	return lines, max(0, min(at-2, w-width-walls))
}

// popupColumn is where on the screen the word begins that is completed.
func (a *App) popupColumn(w int) int {
	l, label := a.line, ansi.StringWidth(" filter ")
	_, column := viewText([]rune(l.text), l.at, max(1, w-label-1))
	return label + column(l.popup.From)
}

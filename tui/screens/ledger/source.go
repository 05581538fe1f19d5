package ledger

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/tui/draw"
)

// reasonRows returns how many reasons are on screen: a third of it at most, so
// that lines stay in sight, two of them on the smallest screen.
func (l *Screen) reasonRows() int {
	v := l.source
	n := len(v.reasons)
	if v.counted.Awaited() {
		n = 1 // says so
	}
	const aroundLines = sourceTitle + 2 + 2 // a rule, the heads of the columns, two lines
	return min(n, max(3, (l.height-sourceTitle)/3), max(1, l.height-aroundLines))
}

// lineRows returns how many lines of the open source are on screen.
func (l *Screen) lineRows() int {
	h := l.height - sourceTitle - 1 // the heads of the columns
	if n := l.reasonRows(); n > 0 {
		h -= n + 1 // a rule above them
	}
	return h
}

// sourceLines draws a source: what it is, why lines were not simply read, and
// these lines.
func (l *Screen) sourceLines(w, height int) []string {
	v := l.source
	lines := append(l.sourceHead(w), l.reasonLines(w)...)
	p := &v.lines
	switch {
	case p.Failed() != nil && len(p.Rows) == 0:
		return append(lines, l.Centred(w, height-len(lines), l.Unread(w, "The lines could not be listed.", p.Failed()))...)
	case !p.Ready():
		return append(lines, l.Centred(w, height-len(lines), []string{l.Ink.Muted.On("loading")})...)
	case len(p.Rows) == 0:
		return append(lines, l.Centred(w, height-len(lines), []string{l.Ink.Name.On("Every line was read."), "", l.Ink.Text.On("There is nothing to list.")})...)
	}
	c := lineColumnsFor(w)
	lines = append(lines, c.heads(&l.Ink))
	rows := p.Visible()
	for i := range rows {
		k, mark := l.RowIn(p.Top+i == p.Cur, !v.onTop)
		lines = append(lines, c.draw(k, l.G, mark, &rows[i]))
	}
	return lines
}

// sourceHead says which source is open and what became of it.
func (l *Screen) sourceHead(w int) []string {
	s := &l.source.Source
	format := clean.Line(draw.Head(s.Format))
	if format != "" {
		format += " " + l.G.Dot + " "
	}
	return []string{
		l.Ink.Key.On(l.G.Mark) + " " + l.Ink.Name.On(draw.Tail(l.ShortPath(s.Path), w-3, l.G.More)),
		"  " + l.Ink.Muted.On(format) + l.fate(s, l.source.counted.Got.original),
	}
}

// scrollReasons brings the reason under the cursor among the n on screen.
func (v *sourceView) scrollReasons(n int) {
	v.top = max(0, min(v.reason, max(v.top, v.reason-n+1), len(v.reasons)-n))
}

// reasonLines draws the reasons, each with the number of its lines.
func (l *Screen) reasonLines(w int) []string {
	v := l.source
	n := l.reasonRows()
	if n == 0 {
		return nil
	}
	if v.counted.Awaited() {
		return []string{l.Rule(w), l.Ink.Muted.On("  counting the reasons")}
	}
	lines := []string{l.Rule(w)}
	for i := v.top; i < v.top+n; i++ {
		k, mark := l.RowIn(i == v.reason && len(v.reasons) > 1, v.onTop)
		lines = append(lines, l.reasonRow(k, mark, w, i))
	}
	return lines
}

func (l *Screen) reasonRow(k *draw.Inks, mark string, w, i int) string {
	v := l.source
	r := v.reasons[i]
	word, text := severityWord(r.Severity), clean.Line(draw.Head(r.Text))
	switch {
	case i == 0 && len(v.reasons) > 1:
		word, text = "all", draw.Plural(len(v.reasons)-1+v.more, "reason")
	case i == len(v.reasons)-1 && v.more > 0:
		text += "  (" + draw.Grouped(v.more) + " more reasons are not listed)"
	}
	const numberWidth = 11
	room := w - numberWidth - 2 - severityWidth - 1
	return mark + k.Text.On(draw.Right(draw.Grouped(r.Lines), numberWidth-1)+"  ") +
		severityInk(k, r.Severity).On(draw.Fit(word, severityWidth, l.G.More)) + k.Text.On(draw.Fit(text, room, l.G.More)+" ")
}

// severityWidth has room for "unfinished" and a space.
const severityWidth = 11

// lineColumns are the widths of a line row's parts in cells; 0 is left out.
type lineColumns struct{ line, offset, length, reason int }

func lineColumnsFor(w int) lineColumns {
	var c lineColumns
	rest := w - 2 - severityWidth - 1
	take := func(into *int, n, leastReason int) {
		if rest-n >= leastReason {
			rest -= n
			*into = n
		}
	}
	take(&c.line, 11, 14) // a line is told by its number first
	take(&c.offset, 15, 20)
	take(&c.length, 12, 20)
	c.reason = max(0, rest-2)
	return c
}

func (c lineColumns) heads(k *draw.Inks) string {
	text := "  " + strings.Repeat(" ", severityWidth) + draw.Right("line", c.line) + draw.Right("at byte", c.offset) + draw.Right("bytes", c.length)
	return k.Muted.On(text + "  why")
}

func (c lineColumns) draw(k *draw.Inks, g *draw.Glyphs, mark string, is *ledger.Issue) string {
	line := draw.Grouped(int(is.Line))
	if is.Line == 0 {
		line = g.None // the file as a whole
	}
	return mark + k.Text.On(" ") + severityInk(k, is.Severity).On(draw.Fit(severityWord(is.Severity), severityWidth, g.More)) +
		k.Text.On(draw.Right(line, c.line)) + k.Muted.On(draw.Right(draw.Grouped(int(is.Offset)), c.offset)+draw.Right(draw.Grouped(int(is.Length)), c.length)) +
		k.Text.On("  "+draw.Fit(clean.Line(draw.Head(is.Reason)), c.reason, g.More)+" ")
}

package tui

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
	"winnow/tui/draw"
)

// reasonRows returns how many reasons are on screen: a third of it at most, so
// that lines stay in sight, two of them on the smallest screen.
func (a *App) reasonRows() int {
	v := a.ledger.source
	n := len(v.reasons)
	if !v.counted {
		n = 1 // says so
	}
	const aroundLines = sourceTitle + 2 + 2 // a rule, the heads of the columns, two lines
	return min(n, max(3, (a.bodyHeight()-sourceTitle)/3), max(1, a.bodyHeight()-aroundLines))
}

// lineRows returns how many lines of the open source are on screen.
func (a *App) lineRows() int {
	h := a.bodyHeight() - sourceTitle - 1 // the heads of the columns
	if n := a.reasonRows(); n > 0 {
		h -= n + 1 // a rule above them
	}
	return h
}

// sourceLines draws a source: what it is, why lines were not simply read, and
// these lines.
func (a *App) sourceLines(w, height int) []string {
	v := a.ledger.source
	lines := append(a.sourceHead(w), a.reasonLines(w)...)
	p := &v.lines
	switch {
	case p.Failed != nil && len(p.Rows) == 0:
		return append(lines, a.Centred(w, height-len(lines), a.failedText(w, "The lines could not be listed.", p.Failed))...)
	case !p.Ready:
		return append(lines, a.Centred(w, height-len(lines), []string{a.Ink.Muted.On("loading")})...)
	case len(p.Rows) == 0:
		return append(lines, a.Centred(w, height-len(lines), []string{a.Ink.Name.On("Every line was read."), "", a.Ink.Text.On("There is nothing to look at.")})...)
	}
	c := lineColumnsFor(w)
	lines = append(lines, c.heads(&a.Ink))
	rows := p.Visible()
	for i := range rows {
		k, mark := &a.Ink, " "
		if p.Top+i == p.Cur {
			mark = a.Ink.Border.On(a.G.Mark)
			if !v.onTop {
				k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
			}
		}
		lines = append(lines, c.draw(k, a.G, mark, &rows[i]))
	}
	return lines
}

// sourceHead says which source is open and what became of it.
func (a *App) sourceHead(w int) []string {
	s := &a.ledger.source.Source
	format := clean.Line(draw.Head(s.Format))
	if format != "" {
		format += " " + a.G.Dot + " "
	}
	return []string{
		a.Ink.Key.On(a.G.Mark) + " " + a.Ink.Name.On(draw.Tail(a.pathOf(s.Path), w-3, a.G.More)),
		"  " + a.Ink.Muted.On(format) + a.fate(s, a.ledger.source.original),
	}
}

// reasonLines draws the reasons, each with the number of its lines.
func (a *App) reasonLines(w int) []string {
	v := a.ledger.source
	n := a.reasonRows()
	if n == 0 {
		return nil
	}
	if !v.counted {
		return []string{a.Rule(w), a.Ink.Muted.On("  counting the reasons")}
	}
	v.top = max(0, min(v.reason, max(v.top, v.reason-n+1), len(v.reasons)-n))
	lines := []string{a.Rule(w)}
	for i := v.top; i < v.top+n; i++ {
		k, mark := &a.Ink, " "
		if i == v.reason && len(v.reasons) > 1 {
			mark = a.Ink.Border.On(a.G.Mark)
			if v.onTop {
				k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
			}
		}
		lines = append(lines, a.reasonRow(k, mark, w, i))
	}
	return lines
}

func (a *App) reasonRow(k *draw.Inks, mark string, w, i int) string {
	v := a.ledger.source
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
		severityInk(k, r.Severity).On(draw.Fit(word, severityWidth, a.G.More)) + k.Text.On(draw.Fit(text, room, a.G.More)+" ")
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

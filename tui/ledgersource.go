package tui

import (
	"strings"

	"winnow/core/clean"
	"winnow/core/ledger"
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
	case p.failed != nil && len(p.rows) == 0:
		return append(lines, a.centred(w, height-len(lines), a.failedText(w, "The lines could not be listed.", p.failed))...)
	case !p.ready:
		return append(lines, a.centred(w, height-len(lines), []string{a.ink.muted.on("loading")})...)
	case len(p.rows) == 0:
		return append(lines, a.centred(w, height-len(lines), []string{a.ink.name.on("Every line was read."), "", a.ink.text.on("There is nothing to look at.")})...)
	}
	c := lineColumnsFor(w)
	lines = append(lines, c.heads(&a.ink))
	rows := p.visible()
	for i := range rows {
		k, mark := &a.ink, " "
		if p.top+i == p.cur {
			mark = a.ink.border.on(a.g.mark)
			if !v.onTop {
				k, mark = &a.sel, a.sel.key.on(a.g.mark)
			}
		}
		lines = append(lines, c.draw(k, a.g, mark, &rows[i]))
	}
	return lines
}

// sourceHead says which source is open and what became of it.
func (a *App) sourceHead(w int) []string {
	s := &a.ledger.source.Source
	format := clean.Line(head(s.Format))
	if format != "" {
		format += " " + a.g.dot + " "
	}
	return []string{
		a.ink.key.on(a.g.mark) + " " + a.ink.name.on(tail(a.pathOf(s.Path), w-3, a.g.more)),
		"  " + a.ink.muted.on(format) + a.fate(s, a.ledger.source.original),
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
		return []string{a.rule(w), a.ink.muted.on("  counting the reasons")}
	}
	v.top = max(0, min(v.reason, max(v.top, v.reason-n+1), len(v.reasons)-n))
	lines := []string{a.rule(w)}
	for i := v.top; i < v.top+n; i++ {
		k, mark := &a.ink, " "
		if i == v.reason && len(v.reasons) > 1 {
			mark = a.ink.border.on(a.g.mark)
			if v.onTop {
				k, mark = &a.sel, a.sel.key.on(a.g.mark)
			}
		}
		lines = append(lines, a.reasonRow(k, mark, w, i))
	}
	return lines
}

func (a *App) reasonRow(k *inks, mark string, w, i int) string {
	v := a.ledger.source
	r := v.reasons[i]
	word, text := severityWord(r.Severity), clean.Line(head(r.Text))
	switch {
	case i == 0 && len(v.reasons) > 1:
		word, text = "all", plural(len(v.reasons)-1+v.more, "reason")
	case i == len(v.reasons)-1 && v.more > 0:
		text += "  (" + grouped(v.more) + " more reasons are not listed)"
	}
	const numberWidth = 11
	room := w - numberWidth - 2 - severityWidth - 1
	return mark + k.text.on(right(grouped(r.Lines), numberWidth-1)+"  ") +
		severityInk(k, r.Severity).on(fit(word, severityWidth, a.g.more)) + k.text.on(fit(text, room, a.g.more)+" ")
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

func (c lineColumns) heads(k *inks) string {
	text := "  " + strings.Repeat(" ", severityWidth) + right("line", c.line) + right("at byte", c.offset) + right("bytes", c.length)
	return k.muted.on(text + "  why")
}

func (c lineColumns) draw(k *inks, g *glyphs, mark string, is *ledger.Issue) string {
	line := grouped(int(is.Line))
	if is.Line == 0 {
		line = g.none // the file as a whole
	}
	return mark + k.text.on(" ") + severityInk(k, is.Severity).on(fit(severityWord(is.Severity), severityWidth, g.more)) +
		k.text.on(right(line, c.line)) + k.muted.on(right(grouped(int(is.Offset)), c.offset)+right(grouped(int(is.Length)), c.length)) +
		k.text.on("  "+fit(clean.Line(head(is.Reason)), c.reason, g.more)+" ")
}

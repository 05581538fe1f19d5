package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
)

// Lines draws the sections.
func (p *Page) Lines(w, height int) []string {
	whole := p.whole(w)
	lines := make([]string, 0, height)
	of, shares := -1, []int(nil)
	for i := p.top; i < min(len(p.lines), p.top+height-len(whole)); i++ {
		if n := p.lines[i].section; n != of {
			of, shares = n, p.Sections[n].widths(w-2)
		}
		lines = append(lines, draw.Fit(p.line(i, shares, w), w, p.G.More))
	}
	if len(whole) > 0 {
		lines = append(p.Filled(lines, w, height-len(whole)), whole...)
	}
	return p.Filled(lines, w, height)
}

// whole is the last text of the row under the cursor, if it does not stand there whole:
// why something waits, or was refused.
func (p *Page) whole(w int) []string {
	r, most := p.Selected(), min(mostWhole, p.Height/3)
	if r == nil || most < 1 {
		return nil
	}
	sec := &p.Sections[p.rows[p.cur].section]
	last := len(r.Cells) - 1
	for last > 0 && (r.Cells[last].Text == "" || sec.Columns[last].Grow == 0) {
		last--
	}
	if ansi.StringWidth(r.Cells[last].Text) < sec.widths(w - 2)[last] {
		return nil
	}
	ink := p.Ink.Text
	if r.Cells[last].Ink != nil {
		ink = r.Cells[last].Ink(&p.Ink)
	}
	rows := []string{p.Rule(w)}
	for _, l := range draw.WrapTo(r.Cells[last].Text, w-3, most, p.G.More) {
		rows = append(rows, draw.Fit(ink.On("  "+l), w, ""))
	}
	return rows
}

// mostWhole is how many lines of it are shown, where there is room.
const mostWhole = 4

// line draws one line.
func (p *Page) line(i int, shares []int, w int) string {
	at := p.lines[i]
	sec := &p.Sections[at.section]
	switch {
	case at.row == gapLine:
		return ""
	case at.row == titleLine:
		return " " + p.Ink.Name.On(sec.Title) + p.Ink.Muted.On(draw.Cut("  "+sec.Note, max(0, w-len(sec.Title)-1), p.G.More))
	case at.row == emptyLine:
		return "  " + p.Ink.Muted.On(sec.Empty)
	case at.row <= aboveLine:
		return "  " + sec.Above[aboveLine-at.row]
	case at.row == headLine:
		var b strings.Builder
		for c, n := range shares {
			b.WriteString(p.fit(&sec.Columns[c], sec.Columns[c].Head, n))
		}
		return p.Ink.Muted.On("  " + b.String())
	}
	k, mark := p.Row(len(p.rows) > 0 && p.rows[p.cur].line == i)
	var b strings.Builder
	b.WriteString(mark + k.Text.On(" "))
	for c, n := range shares {
		one := &sec.Rows[at.row].Cells[c]
		ink := k.Text
		if one.Ink != nil {
			ink = one.Ink(k)
		}
		text := one.Text
		if one.Tail {
			text = draw.Tail(text, n-1, p.G.More)
		}
		b.WriteString(ink.On(p.fit(&sec.Columns[c], text, n)))
	}
	return b.String()
}

// fit brings a text to n cells, the last of which is a space.
func (p *Page) fit(c *Column, text string, n int) string {
	switch {
	case n == 0:
		return ""
	case c.Right:
		return draw.Right(draw.Cut(text, n-1, p.G.More), n-1) + " "
	}
	return draw.Fit(text, n-1, p.G.More) + " "
}

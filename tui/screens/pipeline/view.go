package pipeline

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
)

// Header says what is shown.
func (s *Screen) Header(int) []draw.Part {
	return []draw.Part{{Text: s.Ink.Text.On("pipeline"), Worth: 8}}
}

// Lines draws the sections, or why there are none.
func (s *Screen) Lines(w, height int) []string {
	switch {
	case s.state.Err != nil && !s.state.Came:
		return s.Centred(w, height, s.Unread(w, "What comes in could not be read.", s.state.Err))
	case !s.state.Came:
		return s.Centred(w, height, []string{s.Ink.Muted.On("loading")})
	}
	whole := s.whole(w)
	lines := make([]string, 0, height)
	of, shares := -1, []int(nil)
	for i := s.top; i < min(len(s.lines), s.top+height-len(whole)); i++ {
		if n := s.lines[i].section; n != of {
			of, shares = n, s.sections[n].widths(w-2)
		}
		lines = append(lines, draw.Fit(s.line(i, shares, w), w, s.G.More))
	}
	if len(whole) > 0 {
		lines = append(s.Filled(lines, w, height-len(whole)), whole...)
	}
	return s.Filled(lines, w, height)
}

// whole is the last text of the row under the cursor, if it does not stand there whole:
// why something waits, or was refused.
func (s *Screen) whole(w int) []string {
	r, most := s.row(), min(mostWhole, s.height/4-1)
	if r == nil || most < 1 {
		return nil
	}
	sec := &s.sections[s.rows[s.cur].section]
	last := len(r.cells) - 1
	if ansi.StringWidth(r.cells[last].text) < sec.widths(w - 2)[last] {
		return nil
	}
	rows := s.Wrap(s.Ink.Warn, r.cells[last].text, w-3)
	rows = rows[:min(len(rows), most)]
	for i := range rows {
		rows[i] = draw.Fit("  "+rows[i], w, s.G.More)
	}
	return append([]string{s.Rule(w)}, rows...)
}

// mostWhole is how many lines of it are shown, where there is room.
const mostWhole = 4

// line draws one line.
func (s *Screen) line(i int, shares []int, w int) string {
	at := s.lines[i]
	sec := &s.sections[at.section]
	switch at.row {
	case gapLine:
		return ""
	case titleLine:
		return " " + s.Ink.Name.On(sec.title) + s.Ink.Muted.On(draw.Cut("  "+sec.note, max(0, w-len(sec.title)-1), s.G.More))
	case emptyLine:
		return "  " + s.Ink.Muted.On(sec.empty)
	case headLine:
		var b strings.Builder
		for c, n := range shares {
			b.WriteString(s.fit(&sec.columns[c], sec.columns[c].head, n))
		}
		return s.Ink.Muted.On("  " + b.String())
	}
	k, mark := s.Row(len(s.rows) > 0 && s.rows[s.cur].line == i)
	var b strings.Builder
	b.WriteString(mark + k.Text.On(" "))
	for c, n := range shares {
		one := &sec.rows[at.row].cells[c]
		ink := k.Text
		if one.ink != nil {
			ink = one.ink(k)
		}
		b.WriteString(ink.On(s.fit(&sec.columns[c], one.text, n)))
	}
	return b.String()
}

// fit brings a text to n cells, the last of which is a space.
func (s *Screen) fit(c *column, text string, n int) string {
	switch {
	case n == 0:
		return ""
	case c.right:
		return draw.Right(draw.Cut(text, n-1, s.G.More), n-1) + " "
	}
	return draw.Fit(text, n-1, s.G.More) + " "
}

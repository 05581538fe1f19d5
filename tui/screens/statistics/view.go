package statistics

import (
	"slices"
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	leastName = 14 // cells that a name has before columns fall away
	mostBar   = 60
)

// Header says what is described.
func (s *Screen) Header(w int) []draw.Part {
	parts := append([]draw.Part{{Text: s.Ink.Text.On("statistics"), Worth: 8}}, s.program.Shown(w)...)
	switch {
	case s.described.Came && s.asking():
		parts = append(parts, draw.Part{Text: s.Ink.Muted.On("counting again"), Worth: 5})
	case s.outdated():
		parts = append(parts, draw.Part{Text: s.Ink.Warn.On("changed since: " + s.Key(keys.Reload)), Worth: 5})
	}
	return parts
}

// Lines draws the tables, or why there are none.
func (s *Screen) Lines(w, height int) []string {
	if len(s.sections) == 0 {
		return s.Centred(w, height, s.noText(w))
	}
	l := &s.layout
	shares := make([]widths, len(s.sections))
	for i := range s.sections {
		shares[i] = s.sections[i].share(l.column)
	}
	lines := make([]string, height)
	for y := range lines {
		for c, column := range l.columns {
			text := ""
			if i := s.top + y; i < len(column) {
				text = s.drawLine(column[i], shares, l.column)
			}
			if c > 0 {
				lines[y] += " " + s.Ink.Border.On(s.G.Wall) + " "
			}
			lines[y] += draw.Fit(text, l.column, s.G.More)
		}
		lines[y] = draw.Fit(lines[y], w, s.G.More)
	}
	return lines
}

// noText says what is waited for, or why there is nothing to describe.
func (s *Screen) noText(w int) []string {
	n, pretty := s.Filter()
	title, why := "", ""
	switch {
	case s.described.Err != nil:
		return s.Unread(w, "The segments could not be counted.", s.described.Err)
	case !s.described.Came:
		text := "counting " + s.program.Count()
		if n != nil {
			text += "  " + pretty
		}
		return []string{s.Ink.Muted.On(draw.Cut(text, w-4, s.G.More))}
	case n != nil:
		title, why = "No segment passes the filter.", pretty
	default:
		title, why = "Nothing here yet.", "The scores and verdicts of imported segments are shown here."
	}
	lines := append([]string{s.Ink.Name.On(title), ""}, s.Wrap(s.Ink.Text, why, w)...)
	if n != nil {
		return append(lines, "", s.Ink.Text.On(s.Key("filter")+" changes it, "+s.Key("no-filter")+" describes all segments"))
	}
	return append(append(lines, ""), s.ToImport()...)
}

// widths are the widths of a table's parts in cells; 0 is left out.
type widths struct {
	name, bar int
	columns   []int
}

// share shares out a column of the screen.
func (sec *section) share(w int) widths {
	s := widths{name: min(sec.widest, max(leastName, w*2/5)), columns: make([]int, len(sec.columns))}
	rest := w - 4 - s.name // the mark, a space, a space before the bar and after it
	order := make([]int, len(sec.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return sec.columns[j].worth - sec.columns[i].worth })
	for n, i := range order {
		needs := sec.columns[i].width
		if sec.most > 0 && n >= 2 {
			needs += draw.LeastBar // a bar is worth more than the third number
		}
		if rest >= needs {
			s.columns[i] = sec.columns[i].width
			rest -= s.columns[i]
		}
	}
	if sec.most > 0 && rest >= draw.LeastBar {
		s.bar = min(rest, mostBar)
	}
	return s
}

func (s *Screen) drawLine(l line, shares []widths, w int) string {
	sec := &s.sections[l.section]
	switch l.row {
	case titleLine:
		return " " + s.Ink.Name.On(sec.title) + s.Ink.Muted.On("  "+sec.note)
	case headLine:
		return s.Ink.Muted.On(sec.heads(&shares[l.section]))
	case gapLine:
		return ""
	}
	r := &sec.rows[l.row]
	_, on := s.selected()
	k, mark := s.Row(r == on)
	if r.whole {
		ink := k.Text
		if r.threshold > 0 && l.part == 0 && mark == " " {
			mark = k.Score(r.threshold).On(s.G.Threshold)
		}
		return mark + ink.On(draw.Fit(" "+wrapped(r.name, w)[l.part], w-1, s.G.More))
	}
	return mark + s.drawRow(k, sec, r, &shares[l.section], w-1)
}

func (sec *section) heads(s *widths) string {
	text := "  " + draw.Fit(sec.head, s.name, "")
	for i, c := range sec.columns {
		text += draw.Right(c.head, s.columns[i])
	}
	return text
}

// drawRow draws a row in w cells.
func (s *Screen) drawRow(k *draw.Inks, sec *section, r *row, share *widths, w int) string {
	name := k.Text
	if r.folds {
		name = k.Muted
	}
	var b strings.Builder
	b.WriteString(name.On(" " + draw.Fit(r.name, share.name, s.G.More)))
	n := 1 + share.name
	for i, width := range share.columns {
		if width == 0 {
			continue
		}
		n += width
		if i >= len(r.cells) {
			b.WriteString(k.Text.On(strings.Repeat(" ", width)))
			continue
		}
		b.WriteString(r.cells[i].ink(k).On(draw.Right(r.cells[i].text, width)))
	}
	if share.bar > 0 && n+1 < w {
		b.WriteString(k.Text.On(" "))
		used := s.stack(&b, k, r.bar, sec.most, min(share.bar, w-n-1))
		n += 1 + used
	}
	b.WriteString(k.Text.On(strings.Repeat(" ", max(0, w-n))))
	return b.String()
}

// stack draws a bar in at most w cells, each verdict in its colour and its
// shade, and returns its length. What is not nothing has a cell at least.
func (s *Screen) stack(b *strings.Builder, k *draw.Inks, of review.ByBand, most, w int) int {
	counts := [...]int{of.Approved, of.Rejected, of.Unsure, of.Pending}
	total := 0
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return 0
	}
	cells := max(1, (total*w+most/2)/most)
	sum, drawn := 0, 0
	for i, n := range counts {
		sum += n
		to := (sum*cells + total/2) / total
		v := barVerdicts[i]
		ink := k.Verdict(&review.Segment{Verdict: v})
		b.WriteString(ink.On(strings.Repeat(s.G.Share[v], max(0, to-drawn))))
		drawn = to
	}
	return cells
}

// Footer says what the row under the cursor means, and whether more follows.
func (s *Screen) Footer() []string {
	var parts []string
	if _, r := s.selected(); r != nil && r.tell != "" {
		parts = append(parts, r.tell)
	}
	if len(parts) == 0 && len(s.sections) > 0 {
		parts = s.Below(s.layout.lines - s.top - s.height)
	}
	return parts
}

// Copied is the row under the cursor.
func (s *Screen) Copied() (text, what string) {
	_, r := s.selected()
	if r == nil {
		return "", ""
	}
	parts := []string{r.name}
	for _, c := range r.cells {
		parts = append(parts, strings.TrimSpace(c.text))
	}
	return strings.TrimSpace(strings.Join(parts, "\t")), "the row of " + clean.Line(draw.Head(r.name))
}

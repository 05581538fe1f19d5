package tui

import (
	"slices"
	"strings"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

const (
	leastStatName = 14 // cells that a name has before columns fall away
	leastBar      = 8  // a shorter bar tells nothing
	mostBar       = 60
)

// statisticsHeader says what is described.
func (a *App) statisticsHeader(w int) string {
	parts := []draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("statistics"), Worth: 8}}
	parts = append(parts, a.shownParts(w)...)
	switch s := a.statistics; {
	case s.came && s.asking:
		parts = append(parts, draw.Part{Text: a.Ink.Muted.On("counting again"), Worth: 5})
	case s.outdated():
		parts = append(parts, draw.Part{Text: a.Ink.Warn.On("changed since: " + a.keyFor(keys.Reload)), Worth: 5})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.FitParts(parts, w)
}

// statisticsLines draws the tables, or why there are none.
func (a *App) statisticsLines(w, height int) []string {
	s := a.statistics
	if len(s.sections) == 0 {
		return a.Centred(w, height, a.noStatText(w))
	}
	s.layOut(w)
	s.scroll(height)
	l := &s.layout
	places := make([]statWidths, len(s.sections))
	for i := range s.sections {
		places[i] = s.sections[i].widths(l.column)
	}
	lines := make([]string, height)
	for y := range lines {
		for c, column := range l.columns {
			text := ""
			if i := s.top + y; i < len(column) {
				text = a.statLine(column[i], places, l.column)
			}
			if c > 0 {
				lines[y] += " " + a.Ink.Border.On(a.G.Wall) + " "
			}
			lines[y] += draw.Fit(text, l.column, a.G.More)
		}
		lines[y] = draw.Fit(lines[y], w, a.G.More)
	}
	return lines
}

// noStatText says what is waited for, or why there is nothing to describe.
func (a *App) noStatText(w int) []string {
	s := a.statistics
	title, why := "", ""
	switch {
	case s.failed != nil:
		return a.failedText(w, "The segments could not be counted.", s.failed)
	case !s.came:
		text := "counting " + a.shownCount()
		if a.sieve.node != nil {
			text += "  " + a.sieve.pretty
		}
		return []string{a.Ink.Muted.On(draw.Cut(text, w-4, a.G.More))}
	case a.sieve.node != nil:
		title, why = "No segment passes the filter.", a.sieve.pretty
	default:
		title, why = "Nothing here yet.", "What is imported is described here, with its scores and verdicts."
	}
	lines := append([]string{a.Ink.Name.On(title), ""}, a.Wrap(a.Ink.Text, why, w)...)
	if a.sieve.node != nil {
		return append(lines, "", a.Ink.Text.On(a.keyFor("filter")+" changes it, "+a.keyFor("no-filter")+" describes all segments"))
	}
	return append(append(lines, ""), a.ToImport()...)
}

// statWidths are the widths of a table's parts in cells; 0 is left out.
type statWidths struct {
	name, bar int
	columns   []int
}

// widths shares out a column of the screen.
func (sec *statSection) widths(w int) statWidths {
	s := statWidths{name: min(sec.widest, max(leastStatName, w*2/5)), columns: make([]int, len(sec.columns))}
	rest := w - 4 - s.name // the mark, a space, a space before the bar and behind it
	order := make([]int, len(sec.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return sec.columns[j].worth - sec.columns[i].worth })
	for n, i := range order {
		needs := sec.columns[i].width
		if sec.most > 0 && n >= 2 {
			needs += leastBar // a bar is worth more than the third number
		}
		if rest >= needs {
			s.columns[i] = sec.columns[i].width
			rest -= s.columns[i]
		}
	}
	if sec.most > 0 && rest >= leastBar {
		s.bar = min(rest, mostBar)
	}
	return s
}

func (a *App) statLine(l statLine, widths []statWidths, w int) string {
	sec := &a.statistics.sections[l.section]
	switch l.row {
	case statTitle:
		return " " + a.Ink.Name.On(sec.title) + a.Ink.Muted.On("  "+sec.note)
	case statHead:
		return a.Ink.Muted.On(sec.heads(&widths[l.section]))
	case statGap:
		return ""
	}
	r, k, mark := &sec.rows[l.row], &a.Ink, " "
	if _, on := a.statistics.selected(); on == r {
		k, mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
	}
	if r.whole {
		ink := k.Text
		if r.threshold > 0 && l.part == 0 && mark == " " {
			mark = k.Score(r.threshold).On(a.G.Threshold)
		}
		return mark + ink.On(draw.Fit(" "+wrapStat(r.name, w)[l.part], w-1, a.G.More))
	}
	return mark + a.statRow(k, sec, r, &widths[l.section], w-1)
}

func (sec *statSection) heads(s *statWidths) string {
	text := "  " + draw.Fit(sec.head, s.name, "")
	for i, c := range sec.columns {
		text += draw.Right(c.head, s.columns[i])
	}
	return text
}

// statRow draws a row in w cells.
func (a *App) statRow(k *draw.Inks, sec *statSection, r *statRow, s *statWidths, w int) string {
	name := k.Text
	if r.folds {
		name = k.Muted
	}
	var b strings.Builder
	b.WriteString(name.On(" " + draw.Fit(r.name, s.name, a.G.More)))
	n := 1 + s.name
	for i, width := range s.columns {
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
	if s.bar > 0 && n+1 < w {
		b.WriteString(k.Text.On(" "))
		used := a.stack(&b, k, r.bar, sec.most, min(s.bar, w-n-1))
		n += 1 + used
	}
	b.WriteString(k.Text.On(strings.Repeat(" ", max(0, w-n))))
	return b.String()
}

// stack draws a bar in at most w cells, each verdict in its colour and with its
// sign, and returns its length. What is not nothing has a cell at least.
func (a *App) stack(b *strings.Builder, k *draw.Inks, of review.ByBand, most, w int) int {
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
		b.WriteString(ink.On(strings.Repeat(a.G.Verdict[v], max(0, to-drawn))))
		drawn = to
	}
	return cells
}

// statTold says what the row under the cursor means, and whether more follows.
func (a *App) statTold() []string {
	s := a.statistics
	var parts []string
	if _, r := s.selected(); r != nil && r.tell != "" {
		parts = append(parts, r.tell)
	}
	if n := s.below(a.bodyHeight()); n > 0 && len(parts) == 0 && len(s.sections) > 0 {
		parts = append(parts, a.G.Down+" "+draw.Plural(n, "more line"))
	}
	return parts
}

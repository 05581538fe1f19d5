package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/tui/draw"
)

const (
	reasonsWidth  = 100 // cells: longer lines are hard to read
	reasonsLeast  = 60  // of a box beside the reader; below that it covers it
	metricName    = 13  // cells of the longest name of a metric
	summaryLines  = 2   // of a box that has no room for more
	framedFrom    = 16  // lines of a box that has them for a line above and below
	reasonIndent  = 1 + 5 + metricName + 1 + 4
	reasonLinesOf = 5 // of the reason under the cursor
)

// scoreHead names a segment's score and type of task.
func (a *App) scoreHead(s *review.Segment) string {
	text := a.G.None
	if s.Score != nil {
		text = metric.ScoreText(*s.Score)
	}
	if s.TaskType != "" {
		text += " " + clean.Line(draw.Head(s.TaskType))
	}
	return text
}

// reasonsLines draws the box, of at most height lines.
func (a *App) reasonsLines(height int) []string {
	b := a.reasons
	width := min(reasonsWidth, a.w)
	if beside := a.listWidth() + 1; a.wide() && beside >= reasonsLeast {
		width = min(width, beside)
	}
	framed := height >= framedFrom
	if framed {
		height -= 2
	}
	inner := width - 2
	flags := draw.WrapTo(b.flags, inner-8, summaryLines, a.G.More)
	most := height - 1 - len(flags) - len(b.rows) - reasonLinesOf // lines that are left for the summary
	lines := []string{""}                                         // the title, which tells what is out of view
	for _, text := range draw.WrapTo(b.summary, inner-2, max(summaryLines, most), a.G.More) {
		lines = append(lines, a.Ink.Text.On(draw.Fit(" "+text, inner, a.G.More)))
	}
	for i, text := range flags {
		label := " flags  "
		if i > 0 {
			label = strings.Repeat(" ", 8)
		}
		lines = append(lines, a.Ink.Muted.On(label)+a.Ink.Warn.On(draw.Fit(text, inner-8, "")))
	}
	if len(b.rows) == 0 {
		lines = append(lines, a.Ink.Muted.On(draw.Fit(" no metric applies", inner, a.G.More)))
	}
	rows, above, below := a.metricRows(inner, height-len(lines))
	hidden := ""
	if above > 0 {
		hidden += " " + a.G.Up + strconv.Itoa(above)
	}
	if below > 0 {
		hidden += " " + a.G.Down + strconv.Itoa(below)
	}
	title := draw.Fit(" why "+b.head+"  "+a.G.Dot+" "+b.by, inner-ansi.StringWidth(hidden)-1, a.G.More)
	lines[0] = a.Ink.Name.On(title) + a.Ink.Muted.On(hidden+" ")
	return a.Box(append(lines, rows...), inner, framed)
}

// metricRows draws as many metrics as there is room for, the one under the
// cursor among them, and counts the lines above and below that are out of view.
func (a *App) metricRows(inner, room int) (shown []string, above, below int) {
	b := a.reasons
	var lines []string
	from, to := 0, 0 // the current row's
	for i := range b.rows {
		drawn := a.metricRow(i, inner)
		if i == b.cur {
			from, to = len(lines), len(lines)+len(drawn)
		}
		lines = append(lines, drawn...)
	}
	room = max(1, room)
	b.top = max(0, min(b.top, len(lines)-room, from))
	b.top = max(b.top, min(to-room, from))
	end := min(len(lines), b.top+room)
	return lines[b.top:end], b.top, len(lines) - end
}

// metricRow draws a metric: the current one with all of its reason, the others
// on one line.
func (a *App) metricRow(i, inner int) []string {
	b, k, mark := a.reasons, &a.Ink, " "
	r := &b.rows[i]
	most := 1
	if i == b.cur {
		k, mark, most = &a.Sel, a.Sel.Key.On(a.G.Mark), reasonLinesOf
	}
	width := max(8, inner-reasonIndent-1)
	parts := draw.WrapTo(r.reason, width, most, a.G.More)
	if len(parts) == 0 {
		parts = []string{""}
	}
	weight := a.G.Times + strconv.FormatFloat(r.weight, 'f', -1, 64)
	lines := make([]string, len(parts))
	cite := 0
	for n, part := range parts {
		head := mark + k.Text.On(strings.Repeat(" ", reasonIndent-1))
		if n == 0 {
			score := metric.ScoreText(r.score)
			head = mark + k.Score(r.score).On(score) + k.Text.On(" "+draw.Fit(r.name, metricName, a.G.More)+" ") + k.Muted.On(draw.Fit(weight, 4, ""))
		}
		chosen := -1
		if i == b.cur {
			chosen = b.cite
		}
		text := a.citedText(part, r, k, chosen, &cite)
		lines[n] = head + text + k.Text.On(strings.Repeat(" ", max(0, inner-reasonIndent-ansi.StringWidth(part))))
	}
	return lines
}

// citedText draws a part of a reason, in which messages that one can go to
// stand out, the chosen one most. cite counts them.
func (a *App) citedText(part string, r *reasonRow, k *draw.Inks, chosen int, cite *int) string {
	var out strings.Builder
	at := 0
	for _, c := range metric.Cites(part) {
		if *cite >= len(r.cites) || r.cites[*cite].N != c.N {
			continue
		}
		out.WriteString(k.Text.On(part[at:c.From]))
		to := k.Key
		text := part[c.From:c.To]
		if *cite == chosen {
			to, text = k.Name, part[c.From:c.To]
			out.WriteString(draw.Underlined(to, text))
		} else {
			out.WriteString(to.On(text))
		}
		*cite++
		at = c.To
	}
	out.WriteString(k.Text.On(part[at:]))
	return out.String()
}

// why tells in short what a segment's score is made of, the lowest metrics
// first, in as many cells as there are.
func (a *App) why(s *review.Segment, room int) string {
	if s == nil || s.Analysis == "" {
		return ""
	}
	if a.whyOf.analysis != s.Analysis {
		a.whyOf = whyMemo{s.Analysis, nil}
		if an, err := metric.Parse(s.Analysis); err == nil {
			for _, r := range reasonsOf(s, &an).rows {
				a.whyOf.parts = append(a.whyOf.parts, r.name+" "+shortScore(r.score))
			}
		}
	}
	text := a.scoreHead(s) + " why:"
	for i, part := range a.whyOf.parts {
		if ansi.StringWidth(text)+1+ansi.StringWidth(part) > room {
			if i == 0 {
				return ""
			}
			break
		}
		text += " " + part
	}
	return text
}

// whyMemo keeps what an analysis says: every frame asks for it.
type whyMemo struct {
	analysis string
	parts    []string
}

// shortScore writes a score in three cells: .88, or 1.0.
func shortScore(x float64) string {
	if text := metric.ScoreText(x); x < 1 {
		return strings.TrimPrefix(text, "0")
	}
	return "1"
}

package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/metric"
	"winnow/core/review"
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
	text := a.g.none
	if s.Score != nil {
		text = metric.ScoreText(*s.Score)
	}
	if s.TaskType != "" {
		text += " " + clean.Line(head(s.TaskType))
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
	flags := wrapTo(b.flags, inner-8, summaryLines, a.g.more)
	most := height - 1 - len(flags) - len(b.rows) - reasonLinesOf // lines that are left for the summary
	lines := []string{""}                                         // the title, which tells what is out of view
	for _, text := range wrapTo(b.summary, inner-2, max(summaryLines, most), a.g.more) {
		lines = append(lines, a.ink.text.on(fit(" "+text, inner, a.g.more)))
	}
	for i, text := range flags {
		label := " flags  "
		if i > 0 {
			label = strings.Repeat(" ", 8)
		}
		lines = append(lines, a.ink.muted.on(label)+a.ink.warn.on(fit(text, inner-8, "")))
	}
	if len(b.rows) == 0 {
		lines = append(lines, a.ink.muted.on(fit(" no metric applies", inner, a.g.more)))
	}
	rows, above, below := a.metricRows(inner, height-len(lines))
	hidden := ""
	if above > 0 {
		hidden += " " + a.g.up + strconv.Itoa(above)
	}
	if below > 0 {
		hidden += " " + a.g.down + strconv.Itoa(below)
	}
	title := fit(" why "+b.head+"  "+a.g.dot+" "+b.by, inner-ansi.StringWidth(hidden)-1, a.g.more)
	lines[0] = a.ink.name.on(title) + a.ink.muted.on(hidden+" ")
	return a.boxed(append(lines, rows...), inner, framed)
}

// boxed puts walls beside lines of inner cells, and a line above and below.
func (a *App) boxed(lines []string, inner int, framed bool) []string {
	k, g := a.ink.border, a.g
	box := make([]string, 0, len(lines)+2)
	rule := func(left, right string) {
		if framed {
			box = append(box, k.on(left+strings.Repeat(g.rule, inner)+right))
		}
	}
	rule(g.corners[0], g.corners[1])
	wall := k.on(g.wall)
	for _, l := range lines {
		box = append(box, wall+l+wall)
	}
	rule(g.corners[2], g.corners[3])
	return box
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
	b, k, mark := a.reasons, &a.ink, " "
	r := &b.rows[i]
	most := 1
	if i == b.cur {
		k, mark, most = &a.sel, a.sel.key.on(a.g.mark), reasonLinesOf
	}
	width := max(8, inner-reasonIndent-1)
	parts := wrapTo(r.reason, width, most, a.g.more)
	if len(parts) == 0 {
		parts = []string{""}
	}
	weight := a.g.times + strconv.FormatFloat(r.weight, 'f', -1, 64)
	lines := make([]string, len(parts))
	cite := 0
	for n, part := range parts {
		head := mark + k.text.on(strings.Repeat(" ", reasonIndent-1))
		if n == 0 {
			score := metric.ScoreText(r.score)
			head = mark + k.score(r.score).on(score) + k.text.on(" "+fit(r.name, metricName, a.g.more)+" ") + k.muted.on(fit(weight, 4, ""))
		}
		chosen := -1
		if i == b.cur {
			chosen = b.cite
		}
		text := a.citedText(part, r, k, chosen, &cite)
		lines[n] = head + text + k.text.on(strings.Repeat(" ", max(0, inner-reasonIndent-ansi.StringWidth(part))))
	}
	return lines
}

// citedText draws a part of a reason, in which messages that one can go to
// stand out, the chosen one most. cite counts them.
func (a *App) citedText(part string, r *reasonRow, k *inks, chosen int, cite *int) string {
	var out strings.Builder
	at := 0
	for _, c := range metric.Cites(part) {
		if *cite >= len(r.cites) || r.cites[*cite].N != c.N {
			continue
		}
		out.WriteString(k.text.on(part[at:c.From]))
		to := k.key
		text := part[c.From:c.To]
		if *cite == chosen {
			to, text = k.name, part[c.From:c.To]
			out.WriteString(underlined(to, text))
		} else {
			out.WriteString(to.on(text))
		}
		*cite++
		at = c.To
	}
	out.WriteString(k.text.on(part[at:]))
	return out.String()
}

// underlined draws the chosen message: underlined, which is told without
// colour, too.
func underlined(k ink, text string) string {
	const on, off = "\x1b[4m", "\x1b[24m"
	return k.on(on + text + off)
}

// wrapTo wraps a clean text into at most so many lines.
func wrapTo(text string, width, most int, more string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(text, max(1, width), ""), "\n")
	if len(lines) > most {
		rest := strings.Join(lines[most-1:], " ")
		lines = append(lines[:most-1:most-1], ansi.Truncate(rest, max(1, width), more))
	}
	return lines
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

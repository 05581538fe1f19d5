package reasons

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/metric"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

const (
	boxWidth      = 100 // cells: longer lines are hard to read
	boxLeast      = 60  // beside the reader; below that the box covers it
	metricName    = 13  // cells of the longest name of a metric
	summaryLines  = 2   // of a box that has no room for more
	framedFrom    = 16  // lines of a box that has them for a line above and below
	reasonIndent  = 1 + 5 + metricName + 1 + 4
	reasonLinesOf = 5 // of the reason under the cursor
)

// content is what the box has to show, before it is cut to its height.
type content struct {
	framed   bool
	inner    int      // cells within the walls
	above    []string // summary and flags
	rows     []string // the lines of the metrics
	from, to int      // those of the metric under the cursor
	room     int      // for lines of metrics
}

// content lays the box out: all but a line of the frame is for it.
func (s *Screen) content() content {
	width, height := min(boxWidth, s.frame.Width), s.frame.Height-1
	if beside := s.program.Beside(); beside >= boxLeast {
		width = min(width, beside)
	}
	c := content{framed: height >= framedFrom, inner: width - 2}
	if c.framed {
		height -= 2
	}
	flags := draw.WrapTo(s.flags, c.inner-8, summaryLines, s.G.More)
	likely := draw.WrapTo(s.likely.Got, c.inner-2, summaryLines, s.G.More)
	most := height - 1 - len(flags) - len(likely) - len(s.rows) - reasonLinesOf // lines that are left for the summary
	for _, text := range draw.WrapTo(s.summary, c.inner-2, max(summaryLines, most), s.G.More) {
		c.above = append(c.above, s.Ink.Text.On(draw.Fit(" "+text, c.inner, s.G.More)))
	}
	for _, text := range likely {
		c.above = append(c.above, s.Ink.Text.On(draw.Fit(" "+text, c.inner, s.G.More)))
	}
	label := " flags  "
	for _, text := range flags {
		c.above = append(c.above, s.Ink.Muted.On(draw.Fit(label, 8, ""))+s.Ink.Warn.On(draw.Fit(text, c.inner-8, "")))
		label = ""
	}
	if len(s.rows) == 0 {
		c.above = append(c.above, s.Ink.Muted.On(draw.Fit(" no metric applies", c.inner, s.G.More)))
	}
	for i := range s.rows {
		lines := s.metricLines(i, c.inner)
		if i == s.at.row {
			c.from, c.to = len(c.rows), len(c.rows)+len(lines)
		}
		c.rows = append(c.rows, lines...)
	}
	c.room = max(1, height-1-len(c.above))
	return c
}

// Follow brings the metric under the cursor on screen.
func (s *Screen) Follow(f screen.Frame) {
	s.frame = f
	c := s.content()
	s.top = max(0, min(s.top, len(c.rows)-c.room, c.from))
	s.top = max(s.top, min(c.to-c.room, c.from))
}

// Column is where the box begins.
func (s *Screen) Column() int { return 0 }

// Box draws the box. Its title tells what is out of view.
func (s *Screen) Box(int) []string {
	c := s.content()
	end, hidden := min(len(c.rows), s.top+c.room), ""
	if s.top > 0 {
		hidden += " " + s.G.Up + strconv.Itoa(s.top)
	}
	if below := len(c.rows) - end; below > 0 {
		hidden += " " + s.G.Down + strconv.Itoa(below)
	}
	title := draw.Fit(" why "+s.head+"  "+s.G.Dot+" "+s.by, c.inner-ansi.StringWidth(hidden)-1, s.G.More)
	lines := append([]string{s.Ink.Name.On(title) + s.Ink.Muted.On(hidden+" ")}, c.above...)
	return s.Pen.Box(append(lines, c.rows[s.top:end]...), c.inner, c.framed)
}

// metricLines draw a metric: the current one with all of its reason, the others
// on one line.
func (s *Screen) metricLines(i, inner int) []string {
	r, current, most, chosen := &s.rows[i], i == s.at.row, 1, -1
	k, mark := s.Row(current)
	if current {
		most, chosen = reasonLinesOf, s.at.cite
	}
	parts := draw.WrapTo(r.Reason.Reason, max(8, inner-reasonIndent-1), most, s.G.More)
	if len(parts) == 0 {
		parts = []string{""}
	}
	weight := s.G.Times + strconv.FormatFloat(r.Weight, 'f', -1, 64)
	head := k.Score(r.Score).On(metric.ScoreText(r.Score)) + k.Text.On(" "+draw.Fit(r.Metric, metricName, s.G.More)+" ") + k.Muted.On(draw.Fit(weight, 4, ""))
	cite := 0
	for n, part := range parts {
		room := max(0, inner-reasonIndent-ansi.StringWidth(part))
		parts[n] = mark + head + citedText(part, r.cites, k, chosen, &cite) + k.Text.On(strings.Repeat(" ", room))
		head = k.Text.On(strings.Repeat(" ", reasonIndent-1))
	}
	return parts
}

// citedText draws a part of a reason, in which messages that one can go to
// stand out; the chosen one is underlined, which is told without colour, too.
// cite counts them.
func citedText(part string, cites []metric.Cite, k *draw.Inks, chosen int, cite *int) string {
	const underlined, plain = "\x1b[4m", "\x1b[24m"
	var out strings.Builder
	at := 0
	for _, c := range metric.Cites(part) {
		if *cite >= len(cites) || cites[*cite].N != c.N {
			continue
		}
		text := k.Key.On(part[c.From:c.To])
		if *cite == chosen {
			text = k.Name.On(underlined + part[c.From:c.To] + plain)
		}
		out.WriteString(k.Text.On(part[at:c.From]) + text)
		*cite++
		at = c.To
	}
	out.WriteString(k.Text.On(part[at:]))
	return out.String()
}

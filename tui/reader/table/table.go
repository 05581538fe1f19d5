// Package table draws a list of JSON objects as rows and columns.
//
// A table is drawn only where it reads better than the JSON: its columns fit, most
// cells hold something, few are cut. What objects within the objects hold has columns
// of its own. Its texts come from tools, and are cleaned here. Its tests are those of the reader, which shows what it draws.
package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
)

// columnGap is the number of cells between columns.
const columnGap = 2

// Style is what tables are drawn with.
type Style struct {
	Head, Rule, Text, Value draw.Ink
	Line, More              string              // the sign of the rule, and of what is cut
	Shown                   func(string) string // a clean text as the terminal shows it
}

// Rows draws a list of objects in width cells: the names of the columns, on as many
// lines as they take, a rule, and a row for each object, of which there are so many.
// It returns nil for what is no such list, and for a table that does not read better
// than JSON. It takes time linear in raw, which is valid JSON.
func (s *Style) Rows(raw string, width int) (rows []string, objects int) {
	g := s.gridOf(raw, true)
	if g == nil || !g.fit(width) {
		if g = s.gridOf(raw, false); g == nil || !g.fit(width) || g.cutsObjects() {
			return nil, 0
		}
	}
	gap := strings.Repeat(" ", columnGap)
	for _, names := range g.heads() {
		rows = append(rows, s.Head.On(strings.TrimRight(strings.Join(names, gap), " ")))
	}
	var rule []string
	for i := range g.columns {
		rule = append(rule, strings.Repeat(s.Line, g.columns[i].width))
	}
	rows = append(rows, s.Rule.On(strings.Join(rule, gap)))
	for _, cells := range g.rows {
		var out strings.Builder
		for i := range cells {
			if i > 0 {
				out.WriteString(gap)
			}
			ink := s.Value
			if cells[i].plain {
				ink = s.Text
			}
			out.WriteString(ink.On(g.columns[i].fitted(cells[i].text, s.More)))
		}
		rows = append(rows, out.String())
	}
	return rows, len(g.rows)
}

// heads are the lines of the names, as wide as their columns; a shorter name stands
// on the last ones.
func (g *grid) heads() [][]string {
	var names [][]string
	most := 0
	for i := range g.columns {
		lines := g.columns[i].nameLines()
		names, most = append(names, lines), max(most, len(lines))
	}
	heads := make([][]string, most)
	for at := range heads {
		for i := range g.columns {
			name := ""
			if from := most - len(names[i]); at >= from {
				name = names[i][at-from]
			}
			heads[at] = append(heads[at], g.columns[i].fitted(name, ""))
		}
	}
	return heads
}

// nameLines are the lines of a name, broken after the signs between its words.
func (c *column) nameLines() []string {
	var lines []string
	line := ""
	for _, word := range words(c.name) {
		if line != "" && ansi.StringWidth(line+word) > c.width {
			lines, line = append(lines, line), ""
		}
		line += word
	}
	return append(lines, line)
}

// words takes a name apart after the signs between its words.
func words(name string) []string {
	var all []string
	for name != "" {
		n := strings.IndexAny(name, "_.-/ ") + 1
		if n == 0 {
			n = len(name)
		}
		all, name = append(all, name[:n]), name[n:]
	}
	return all
}

// fitted returns a text as wide as the column; numbers stand at its right edge.
func (c *column) fitted(text, more string) string {
	text = ansi.Truncate(text, c.width, more)
	space := strings.Repeat(" ", max(0, c.width-ansi.StringWidth(text)))
	if c.number {
		return space + text
	}
	return text + space
}

// Package table draws a list of JSON objects as rows and columns.
//
// A table is drawn only where it reads better than the JSON: its columns fit, most
// cells hold something, few are cut. Its texts come from tools, and are cleaned
// here. Its tests are those of the reader, which shows what it draws.
package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/rawjson"
	"winnow/tui/draw"
)

const (
	// mostColumns is how many columns a table has at most: more are data.
	mostColumns = 24
	// cellBytes is how much of a string a cell is made of.
	cellBytes = 1 << 10
	// narrowCell is how narrow a column may get for the others, and wideCell how
	// wide one gets while others are cut.
	narrowCell, wideCell = 8, 48
	// leastFilled and mostCut are the shares of cells that must hold something, and
	// of those that may be cut, for a table to read better than JSON.
	leastFilled, mostCut = 0.5, 0.25
	// columnGap is the number of cells between columns.
	columnGap = 2
)

// Style is what tables are drawn with.
type Style struct {
	Head, Rule, Text, Value draw.Ink
	Line, More              string              // the sign of the rule, and of what is cut
	Shown                   func(string) string // a clean text as the terminal shows it
}

// grid is a table taken apart. Its texts are clean.
type grid struct {
	columns []column
	rows    [][]cell // as long as the columns known when the row was read
	filled  int      // cells that hold something
}

type column struct {
	name   string
	width  int // of the widest cell, or what it gets
	number bool
}

type cell struct {
	text  string
	width int
	plain bool // a string
}

// gridOf takes a list of objects apart; nil if it is none that has columns.
func (s *Style) gridOf(raw string) *grid {
	g := &grid{}
	index := map[string]int{}
	for element := range rawjson.Elements(raw) {
		if !rawjson.IsObject(element) {
			return nil
		}
		row := make([]cell, len(g.columns))
		for name, value := range rawjson.Members(element) {
			i, known := index[name]
			if !known {
				if i = len(g.columns); i == mostColumns {
					return nil
				}
				index[name] = i
				g.columns = append(g.columns, s.newColumn(name))
				row = append(row, cell{})
			}
			s.set(g, row, i, value)
		}
		g.rows = append(g.rows, row)
	}
	if len(g.columns) < 2 {
		return nil
	}
	return g
}

func (s *Style) newColumn(name string) column {
	name = s.Shown(oneLine(rawjson.Unescape(name)))
	return column{name, max(1, ansi.StringWidth(name)), true}
}

// set fills a cell.
func (s *Style) set(g *grid, row []cell, i int, value string) {
	if rawjson.IsNull(value) {
		return
	}
	text := s.Shown(oneLine(rawjson.Recorded(value)))
	if text == "" {
		return
	}
	if row[i].text == "" {
		g.filled++
	}
	row[i] = cell{text, ansi.StringWidth(text), rawjson.IsText(value)}
	c := &g.columns[i]
	c.width = max(c.width, row[i].width)
	c.number = c.number && !row[i].plain && (value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}

// oneLine cleans the beginning of a text.
func oneLine(text string) string {
	if len(text) > cellBytes {
		text = strings.ToValidUTF8(text[:cellBytes], "")
	}
	return strings.Join(strings.Fields(clean.Line(text)), " ")
}

// fit gives each column its width of so many cells in all; false if a table of that
// width does not read better than JSON.
func (g *grid) fit(width int) bool {
	if float64(g.filled) < leastFilled*float64(len(g.rows)*len(g.columns)) {
		return false
	}
	over := columnGap*(len(g.columns)-1) - width
	for i := range g.columns {
		over += g.columns[i].width
	}
	for _, least := range [...]int{wideCell, narrowCell} {
		for over > 0 {
			widest := 0
			for i := range g.columns {
				if g.columns[i].width > g.columns[widest].width {
					widest = i
				}
			}
			c := &g.columns[widest]
			next := least
			for i := range g.columns { // down to the one that is next to it
				if w := g.columns[i].width; i != widest && w < c.width && w > next {
					next = w
				}
			}
			less := min(over, max(1, c.width-next))
			if c.width-less < least {
				break
			}
			c.width -= less
			over -= less
		}
	}
	return over <= 0 && float64(g.cut()) <= mostCut*float64(g.filled)
}

// cut counts the cells that their columns have no room for.
func (g *grid) cut() (n int) {
	for _, row := range g.rows {
		for i := range row {
			if row[i].width > g.columns[i].width {
				n++
			}
		}
	}
	return n
}

// Rows draws a list of objects in width cells: the names of the columns, a rule, and
// a row for each object. It returns nil for what is no such list, and for a table
// that does not read better than JSON. It takes time linear in raw, which is valid
// JSON.
func (s *Style) Rows(raw string, width int) []string {
	g := s.gridOf(raw)
	if g == nil || !g.fit(width) {
		return nil
	}
	gap := strings.Repeat(" ", columnGap)
	var head, rule []string
	for i := range g.columns {
		c := &g.columns[i]
		head = append(head, c.fitted(c.name, s.More))
		rule = append(rule, strings.Repeat(s.Line, c.width))
	}
	rows := []string{s.Head.On(strings.TrimRight(strings.Join(head, gap), " ")), s.Rule.On(strings.Join(rule, gap))}
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
	return rows
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

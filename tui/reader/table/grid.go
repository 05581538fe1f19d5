package table

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/rawjson"
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
)

// grid is a table taken apart. Its texts are clean.
type grid struct {
	columns []column
	index   map[string]int // of columns, by name
	rows    [][]cell       // as long as the columns known when the row was read
	filled  int            // cells that hold something
}

type column struct {
	name   string
	width  int // of the widest cell, or what it gets
	cells  int // of the widest cell
	word   int // of the widest word of its name
	number bool
}

type cell struct {
	text   string
	width  int
	plain  bool // a string
	object bool
}

// gridOf takes a list of objects apart, deep with what the objects in these hold; nil
// if it is none that has columns.
func (s *Style) gridOf(raw string, deep bool) *grid {
	g := &grid{index: map[string]int{}}
	for element := range rawjson.Elements(raw) {
		if !rawjson.IsObject(element) {
			return nil
		}
		row := make([]cell, len(g.columns))
		for name, value := range rawjson.Members(element) {
			if !deep || !rawjson.IsObject(value) {
				row = s.put(g, row, name, value)
				continue
			}
			for inner, value := range rawjson.Members(value) {
				row = s.put(g, row, name+"\x00"+inner, value)
			}
		}
		if len(g.columns) > mostColumns {
			return nil
		}
		g.rows = append(g.rows, row)
	}
	if len(g.columns) < 2 {
		return nil
	}
	return g
}

// put puts a value into the column of a name, which is that of an object and that
// within it with a zero byte between them, as JSON has none. A column too many is only
// counted.
func (s *Style) put(g *grid, row []cell, name, value string) []cell {
	i, known := g.index[name]
	if !known {
		if i = len(g.columns); i > mostColumns {
			return row
		}
		g.index[name] = i
		g.columns = append(g.columns, s.newColumn(name))
		row = append(row, cell{})
	}
	s.set(g, row, i, value)
	return row
}

func (s *Style) newColumn(name string) column {
	name, inner, nested := strings.Cut(name, "\x00")
	if name = s.Shown(oneLine(rawjson.Unescape(name))); nested {
		name += "." + s.Shown(oneLine(rawjson.Unescape(inner)))
	}
	c := column{name: name, width: max(1, ansi.StringWidth(name)), number: true}
	for _, word := range words(name) {
		c.word = max(c.word, ansi.StringWidth(word))
	}
	return c
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
	row[i] = cell{text, ansi.StringWidth(text), rawjson.IsText(value), rawjson.IsObject(value)}
	c := &g.columns[i]
	c.cells = max(c.cells, row[i].width)
	c.width = max(c.width, c.cells)
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
// width does not read better than JSON. Names take more lines before cells are cut,
// and no word of a name is.
func (g *grid) fit(width int) bool {
	if float64(g.filled) < leastFilled*float64(len(g.rows)*len(g.columns)) {
		return false
	}
	over := columnGap*(len(g.columns)-1) - width
	for i := range g.columns {
		over += g.columns[i].width
	}
	over = g.narrow(over, func(c *column) int { return max(1, c.word, c.cells) })
	for _, least := range [...]int{wideCell, narrowCell} {
		over = g.narrow(over, func(c *column) int { return max(least, c.word) })
	}
	for i := range g.columns {
		g.columns[i].tighten()
	}
	return over <= 0 && float64(g.cut()) <= mostCut*float64(g.filled)
}

// tighten makes a column no wider than the lines of its name need, which then are
// about equally long.
func (c *column) tighten() {
	lines := len(c.nameLines())
	for lines > 1 && c.width > max(c.word, c.cells) {
		if c.width--; len(c.nameLines()) > lines {
			c.width++
			return
		}
	}
}

// narrow takes cells from the widest columns, down to what is the least of each, and
// returns how many are still to be taken.
func (g *grid) narrow(over int, least func(*column) int) int {
	for over > 0 {
		var c *column
		for i := range g.columns {
			if one := &g.columns[i]; one.width > least(one) && (c == nil || one.width > c.width) {
				c = one
			}
		}
		if c == nil {
			return over
		}
		next := least(c)
		for i := range g.columns { // down to the one that is next to it
			if w := g.columns[i].width; w < c.width && w > next {
				next = w
			}
		}
		less := min(over, c.width-next)
		c.width -= less
		over -= less
	}
	return over
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

// cutsObjects reports whether an object within one is cut, which says nothing.
func (g *grid) cutsObjects() bool {
	for _, row := range g.rows {
		for i := range row {
			if row[i].object && row[i].width > g.columns[i].width {
				return true
			}
		}
	}
	return false
}

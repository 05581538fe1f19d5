package reader

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/rawjson"
)

// table is a JSON list of objects inside of a text: the lines between its
// brackets, which may be drawn as rows and columns.
type table struct {
	from, to int    // of the lines in the text, without the last line feed
	depth    int    // how far they are moved in, in steps of two cells
	items    []int  // where the objects begin in the text
	raw      string // the list
}

func (t *table) add(item int) { t.items = append(t.items, item) }

// moved returns the table in a text that stands behind at bytes of another.
func (t table) moved(at int) table {
	t.from, t.to = t.from+at, t.to+at
	items := make([]int, len(t.items))
	for i, item := range t.items {
		items[i] = item + at
	}
	t.items = items
	return t
}

const (
	// tableColumns is how many columns a table has at most: more are data.
	tableColumns = 24
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

// listsObjects reports whether JSON begins with a list of two objects.
func listsObjects(raw []byte) bool {
	at, end := rawjson.Token(raw, 1)
	if at >= end || raw[at] != '{' {
		return false
	}
	at, end = rawjson.Token(raw, rawjson.End(raw, at))
	if at >= end || raw[at] != ',' {
		return false
	}
	at, end = rawjson.Token(raw, end)
	return at < end && raw[at] == '{'
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
func gridOf(raw string, ascii bool) *grid {
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
				if i = len(g.columns); i == tableColumns {
					return nil
				}
				index[name] = i
				g.columns = append(g.columns, newColumn(name, ascii))
				row = append(row, cell{})
			}
			g.set(row, i, value, ascii)
		}
		g.rows = append(g.rows, row)
	}
	if len(g.columns) < 2 {
		return nil
	}
	return g
}

func newColumn(name string, ascii bool) column {
	name = shown(clean.Line(rawjson.Unescape(beginning(name, cellBytes))), ascii)
	return column{name, max(1, ansi.StringWidth(name)), true}
}

// set fills a cell.
func (g *grid) set(row []cell, i int, value string, ascii bool) {
	if rawjson.IsNull(value) {
		return
	}
	text := shown(cellText(value), ascii)
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

// shown is a clean text as the terminal shows it.
func shown(text string, ascii bool) string {
	if ascii {
		return caret(text)
	}
	return text
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

// rowsOf draws a table in width cells: its names, a rule, a row for each object.
// nil if it does not read better than JSON.
func (t *table) rowsOf(width int, k *inks, signs *glyphs) []string {
	indent := 2 * t.depth
	g := gridOf(t.raw, signs.ascii)
	if g == nil || len(g.rows) != len(t.items) || !g.fit(width-indent) {
		return nil
	}
	margin := strings.Repeat(" ", indent)
	var head, rule strings.Builder
	for i := range g.columns {
		c := &g.columns[i]
		if i > 0 {
			head.WriteString(strings.Repeat(" ", columnGap))
			rule.WriteString(strings.Repeat(" ", columnGap))
		}
		head.WriteString(c.fitted(c.name, signs.more))
		rule.WriteString(strings.Repeat(signs.rule, c.width))
	}
	rows := []string{margin + k.code.On(strings.TrimRight(head.String(), " ")), margin + k.border.On(rule.String())}
	for _, cells := range g.rows {
		var out strings.Builder
		for i := range cells {
			if i > 0 {
				out.WriteString(strings.Repeat(" ", columnGap))
			}
			ink := k.tool
			if cells[i].plain {
				ink = k.text
			}
			out.WriteString(ink.On(g.columns[i].fitted(cells[i].text, signs.more)))
		}
		rows = append(rows, margin+out.String())
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

package print

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// Column is a column of a table.
type Column struct {
	name  string
	right bool // numbers stand at the right
	path  bool // the last column: what does not fit goes at the front
}

// Left is a column of texts.
func Left(name string) Column { return Column{name: name} }

// Right is a column of numbers.
func Right(name string) Column { return Column{name: name, right: true} }

// Path is a last column of paths.
func Path(name string) Column { return Column{name: name, path: true} }

// Table prints aligned rows. Rows are held back until flush, which may be
// called again and again: later rows keep the widths of earlier ones, so that
// a list of any length can be printed in pages.
type Table struct {
	o       *Output
	columns []Column
	widths  []int
	rows    []tableRow
	json    bool // rows are printed as JSON
	Headed  bool
}

// tableRow is a row of cells, or a remark on the row before.
type tableRow struct {
	cells  []string
	remark string
}

func (o *Output) Table(columns ...Column) *Table {
	t := &Table{o: o, columns: columns, widths: make([]int, len(columns))}
	for i, c := range columns {
		t.widths[i] = ansi.StringWidth(c.name)
	}
	return t
}

// List returns a table, or with asJSON what prints its rows as JSON.
func (o *Output) List(asJSON bool, columns ...Column) *Table {
	t := o.Table(columns...)
	t.json = asJSON
	return t
}

// Row adds a row; every cell becomes one clean line.
func (t *Table) Row(cells ...string) {
	for i := range cells {
		cells[i] = clean.Line(cells[i])
		t.widths[i] = max(t.widths[i], ansi.StringWidth(cells[i]))
	}
	t.rows = append(t.rows, tableRow{cells: cells})
}

// Put adds a row: its cells, or where JSON was asked for an object on a line.
func (t *Table) Put(row any, cells ...string) error {
	if t.json {
		return t.o.JSON(row)
	}
	t.Row(cells...)
	return nil
}

// Remark adds a line of text that belongs to the row before.
func (t *Table) Remark(text string) { t.rows = append(t.rows, tableRow{remark: text}) }

// RemarkIndent sets remarks apart from rows.
const RemarkIndent = "    "

// Flush prints the rows added since the last flush. A table without any rows
// prints nothing.
func (t *Table) Flush() {
	if !t.Headed && len(t.rows) > 0 {
		t.Headed = true
		names := make([]string, len(t.columns))
		for i, c := range t.columns {
			names[i] = c.name
		}
		t.print(names)
	}
	for _, r := range t.rows {
		if r.cells == nil {
			t.o.Hang(RemarkIndent, r.remark)
			continue
		}
		t.print(r.cells)
	}
	t.rows = t.rows[:0]
}

func (t *Table) print(cells []string) {
	var b strings.Builder
	used := 0
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
			used += t.widths[i-1] + 2
		}
		if room := t.o.width - used; t.columns[i].path && room > 1 {
			cell = draw.Tail(cell, room, "…")
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-ansi.StringWidth(cell)))
		if t.columns[i].right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	t.o.Line(strings.TrimRight(b.String(), " "))
}

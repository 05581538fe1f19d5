package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/clean"
)

// output is what a command prints, cleaned of whatever could drive a terminal
// or hides in it, wherever it goes: text for people shows such characters, JSON
// escapes them and has the same value. Training data is exact, except on a
// terminal, where it is escaped, too.
type output struct {
	w     *bufio.Writer
	tty   bool
	width int // cells of the terminal, 0 if there is none
}

func newOutput(env *environment) *output {
	return &output{w: bufio.NewWriterSize(env.stdout, 64<<10), tty: env.stdoutTTY, width: env.width}
}

// Write passes bytes on as they are.
func (o *output) Write(b []byte) (int, error) { return o.w.Write(b) }

// Flush writes what is still held back.
func (o *output) Flush() error { return o.w.Flush() }

// printf prints for people: texts among args are cleaned, format is not.
// Write errors show when the output is flushed.
func (o *output) printf(format string, args ...any) {
	fprintf(o.w, format, args...)
}

func fprintf(w io.Writer, format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = clean.Line(a)
		case error:
			args[i] = clean.Line(a.Error())
		}
	}
	fmt.Fprintf(w, format, args...)
}

// jsonOptions: names of files and recorded texts may hold invalid UTF-8, which
// becomes U+FFFD rather than an error.
var jsonOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))

// JSON prints one value as one line.
func (o *output) JSON(v any) error {
	b, err := json.Marshal(v, jsonOptions)
	if err != nil {
		return err
	}
	return o.rawJSON(append(b, '\n'))
}

// rawJSON prints a piece of JSON text, which must not end inside a character.
func (o *output) rawJSON(b []byte) error {
	_, err := o.w.Write(clean.JSON(nil, b))
	return err
}

// record prints a line of training data, which is what its file would hold.
func (o *output) record(line []byte) error {
	if o.tty {
		return o.rawJSON(line)
	}
	_, err := o.w.Write(line)
	return err
}

// hang prints a label and a text. On a terminal the text is wrapped, so that
// it stays in a column of its own.
func (o *output) hang(label, text string) {
	label, text = clean.Line(label), clean.Line(text)
	if o.width > 0 {
		indent := ansi.StringWidth(label)
		text = ansi.Wrap(text, max(o.width-indent, narrowest), "")
		text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", indent))
	}
	o.w.WriteString(label + text + "\n")
}

// line prints a line, on a terminal as much of it as fits.
func (o *output) line(text string) {
	if o.width > 0 {
		text = ansi.Truncate(text, o.width, "…")
	}
	o.w.WriteString(text + "\n")
}

// narrowest is the least width that text is wrapped to; what is narrower is
// left to the terminal.
const narrowest = 20

// column is a column of a table.
type column struct {
	name  string
	right bool // numbers stand at the right
	path  bool // the last column: what does not fit goes at the front
}

func left(name string) column  { return column{name: name} }
func right(name string) column { return column{name: name, right: true} }

// pathColumn is a last column of paths.
func pathColumn(name string) column { return column{name: name, path: true} }

// table prints aligned rows. Rows are held back until flush, which may be
// called again and again: later rows keep the widths of earlier ones, so that
// a list of any length can be printed in pages.
type table struct {
	o       *output
	columns []column
	widths  []int
	rows    []tableRow
	headed  bool
}

// tableRow is a row of cells, or a remark on the row before.
type tableRow struct {
	cells  []string
	remark string
}

func (o *output) table(columns ...column) *table {
	t := &table{o: o, columns: columns, widths: make([]int, len(columns))}
	for i, c := range columns {
		t.widths[i] = ansi.StringWidth(c.name)
	}
	return t
}

// row adds a row; every cell becomes one clean line.
func (t *table) row(cells ...string) {
	for i := range cells {
		cells[i] = clean.Line(cells[i])
		t.widths[i] = max(t.widths[i], ansi.StringWidth(cells[i]))
	}
	t.rows = append(t.rows, tableRow{cells: cells})
}

// remark adds a line of text that belongs to the row before.
func (t *table) remark(text string) { t.rows = append(t.rows, tableRow{remark: text}) }

// remarkIndent sets remarks apart from rows.
const remarkIndent = "    "

// flush prints the rows added since the last flush. A table without any rows
// prints nothing.
func (t *table) flush() {
	if !t.headed && len(t.rows) > 0 {
		t.headed = true
		names := make([]string, len(t.columns))
		for i, c := range t.columns {
			names[i] = c.name
		}
		t.print(names)
	}
	for _, r := range t.rows {
		if r.cells == nil {
			t.o.hang(remarkIndent, r.remark)
			continue
		}
		t.print(r.cells)
	}
	t.rows = t.rows[:0]
}

func (t *table) print(cells []string) {
	var b strings.Builder
	used := 0
	for i, cell := range cells {
		if i > 0 {
			b.WriteString("  ")
			used += t.widths[i-1] + 2
		}
		if room := t.o.width - used; t.columns[i].path && room > 1 {
			if over := ansi.StringWidth(cell) - room; over > 0 {
				cell = ansi.TruncateLeft(cell, over+1, "…")
			}
		}
		pad := strings.Repeat(" ", max(0, t.widths[i]-ansi.StringWidth(cell)))
		if t.columns[i].right {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	t.o.line(strings.TrimRight(b.String(), " "))
}

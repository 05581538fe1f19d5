package sheet

import (
	"strings"

	"winnow/core/rawjson"
	"winnow/tui/reader/table"
)

// Table is a JSON list of objects inside of a text: the lines between its
// brackets, which may be drawn as rows and columns.
type Table struct {
	From, To int    // of the lines in the text, without the last line feed
	Depth    int    // how far they are moved in, in steps of two cells
	Items    []int  // where the objects begin in the text
	Raw      string // the list
}

func (t *Table) add(item int) { t.Items = append(t.Items, item) }

// moved returns the table in a text that stands after at bytes of another.
func (t Table) moved(at int) Table {
	t.From, t.To = t.From+at, t.To+at
	items := make([]int, len(t.Items))
	for i, item := range t.Items {
		items[i] = item + at
	}
	t.Items = items
	return t
}

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

// Rows draws a table in width cells: its heading of one line or more, a rule, and a
// row for each of its objects, as the last ones. It returns nil if JSON reads better.
func (t *Table) Rows(style *table.Style, width int) []string {
	indent := 2 * t.Depth
	rows, objects := style.Rows(t.Raw, width-indent)
	if objects != len(t.Items) {
		return nil
	}
	for i := range rows {
		rows[i] = strings.Repeat(" ", indent) + rows[i]
	}
	return rows
}

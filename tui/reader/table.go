package reader

import (
	"strings"

	"winnow/core/rawjson"
	tables "winnow/tui/reader/table"
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

// rowsOf draws a table in width cells, nil if it does not read better than JSON.
func (t *table) rowsOf(width int, k *inks, signs *glyphs) []string {
	style := tables.Style{Head: k.code, Rule: k.border, Text: k.text, Value: k.tool, Line: signs.rule, More: signs.more, Shown: strings.Clone}
	if signs.ascii {
		style.Shown = caret
	}
	indent := 2 * t.depth
	rows := style.Rows(t.raw, width-indent)
	if len(rows) != len(t.items)+2 {
		return nil
	}
	for i := range rows {
		rows[i] = strings.Repeat(" ", indent) + rows[i]
	}
	return rows
}

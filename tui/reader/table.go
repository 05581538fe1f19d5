package reader

import (
	"strings"

	"winnow/core/clean"
	"winnow/tui/reader/table"
)

// table returns what tables are drawn with.
func (k *inks) table(signs *glyphs) *table.Style {
	style := &table.Style{Head: k.code, Rule: k.border, Text: k.text, Value: k.tool, Line: signs.rule, More: signs.more, Shown: strings.Clone}
	if signs.ascii {
		style.Shown = clean.Carets
	}
	return style
}

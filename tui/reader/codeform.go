package reader

import (
	"slices"
	"strings"

	"winnow/tui/reader/markdown"
	"winnow/tui/reader/sheet"
)

// codeFormOf draws the text of a block in colours, its code in those of the
// language, and its tables as such in room cells. The rest is as it is anyway; nil if there is
// nothing else.
func codeFormOf(b *block, language string, style *markdown.Style, k *inks, signs *glyphs, width, room int) *form {
	f := &form{}
	found := false
	tables := b.tables
	for at := 0; at <= len(b.text); {
		if len(tables) > 0 && at >= tables[0].From {
			t := &tables[0]
			tables = tables[1:]
			if rows := t.Rows(k.table(signs), room); rows != nil {
				f.Rows = append(f.Rows, rows...)
				f.Source = append(f.Source, slices.Repeat([]int{t.From}, len(rows)-len(t.Items))...)
				f.Source = append(f.Source, t.Items...)
				found, at = true, t.To+1
				continue
			}
		}
		kind, end := b.section(at)
		if len(tables) > 0 {
			end = min(end, tables[0].From-1)
		}
		var code [][]markdown.Run
		if kind == sheet.PlainLines {
			code = style.Code(b.text[at:end], language, k.muted)
			found = found || code != nil
		}
		for i, line := range strings.Split(b.text[at:end], "\n") {
			runs := []markdown.Run{{Text: line, Ink: k.body(b, at)}}
			switch {
			case code != nil:
				runs = code[i]
			case kind == sheet.JSONLines:
				runs = k.json(line)
			}
			markdown.EachRow(line, width, func(from, to int) {
				f.Rows, f.Source = append(f.Rows, markdown.Cut(runs, from, to)), append(f.Source, at+from)
			})
			at += len(line) + 1
		}
	}
	if !found {
		return nil
	}
	return f
}

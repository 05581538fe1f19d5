package reader

import (
	"strings"

	"winnow/tui/reader/markdown"
)

// codeFormOf draws the text of a block in colours: its code in those of the
// language, the rest as it is anyway. nil if there is no code in it.
func codeFormOf(b *block, language string, style *markdown.Style, k *inks, width int) *form {
	f := &form{}
	found := false
	for at := 0; at <= len(b.text); {
		kind, end := b.section(at)
		var code [][]markdown.Run
		if kind == plainSection {
			code = style.Code(b.text[at:end], language, k.muted)
			found = found || code != nil
		}
		for i, line := range strings.Split(b.text[at:end], "\n") {
			runs := []markdown.Run{{Text: line, Ink: k.body(b, at)}}
			switch {
			case code != nil:
				runs = code[i]
			case kind == jsonSection:
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

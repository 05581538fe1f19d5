package reader

import (
	"strings"

	"winnow/tui/draw"
	"winnow/tui/reader/markdown"
)

// codeFormOf draws the text of a block in colours: its code in those of the
// language, the rest as it is anyway. nil if there is no code in it.
func codeFormOf(b *block, language string, style *markdown.Style, k *inks, width int) *form {
	f := &form{}
	found := false
	for at := 0; at <= len(b.text); {
		kind, end := b.part(at)
		text := b.text[at:end]
		var lines [][]markdown.Run
		if kind == plainSection {
			lines = style.Code(text, language, k.muted)
			found = found || lines != nil
		}
		f.addPart(b, at, text, lines, k, width)
		at = end + 1
	}
	if !found {
		return nil
	}
	return f
}

// part returns what the lines from a place on are, and where they end, without
// the line feed.
func (b *block) part(at int) (kind sectionKind, end int) {
	for i := range b.sections {
		switch s := &b.sections[i]; {
		case s.from <= at:
			kind = s.kind
		default:
			return kind, s.from - 1
		}
	}
	return kind, len(b.text)
}

// addPart appends the rows of lines; without inks they have those of the block.
func (f *form) addPart(b *block, at int, text string, lines [][]markdown.Run, k *inks, width int) {
	for i, line := range strings.Split(text, "\n") {
		runs := []markdown.Run{{Text: line, Ink: k.body(b, at)}}
		switch {
		case lines != nil:
			runs = lines[i]
		case b.section(at) == jsonSection:
			runs = k.json(line)
		}
		markdown.EachRow(line, width, func(from, to int) {
			f.Rows, f.Source = append(f.Rows, markdown.Cut(runs, from, to)), append(f.Source, at+from)
		})
		at += len(line) + 1
	}
}

// json cuts a line of JSON into runs, each in the ink of its token.
func (k *inks) json(line string) (runs []markdown.Run) {
	at := 0
	for _, t := range tokensOf(line) {
		runs = append(runs, markdown.Run{Text: line[at:t.end], Ink: k.token(t.kind)})
		at = t.end
	}
	return runs
}

// token returns the ink of a kind of token of JSON.
func (k *inks) token(kind tokenKind) draw.Ink {
	switch kind {
	case keyToken:
		return k.code
	case stringToken:
		return k.text
	case valueToken:
		return k.tool
	}
	return k.muted
}

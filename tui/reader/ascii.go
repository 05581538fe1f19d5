package reader

import "strings"

// pictures is how the signs for control characters (U+2400 to U+2421) begin.
const pictures = "\xe2\x90"

// inASCII draws a message for terminals with ASCII signs only: its control
// characters as ^[ and the like. Other letters stay as they are.
func (d *document) inASCII() {
	for i := range d.blocks {
		b := &d.blocks[i]
		at, shorter := 0, 0 // by how much what stands before at gets shorter
		for j := range b.sections {
			part := b.text[at:b.sections[j].from]
			at += len(part)
			shorter += len(part) - len(caret(part))
			b.sections[j].from = at - shorter
		}
		b.moveTables()
		for _, text := range [...]*string{&b.label, &b.brief, &b.text} {
			*text = caret(*text)
		}
		if b.pretty != nil {
			b.pretty.text = caret(b.pretty.text)
		}
	}
}

// moveTables moves the tables of a text to where they stand in caret notation.
func (b *block) moveTables() {
	at, shorter := 0, 0
	move := func(to *int) {
		part := b.text[at:*to]
		at += len(part)
		shorter += len(part) - len(caret(part))
		*to = at - shorter
	}
	for i := range b.tables {
		t := &b.tables[i]
		move(&t.from)
		for j := range t.items {
			move(&t.items[j])
		}
		move(&t.to)
	}
}

// carets writes the signs for control characters in caret notation.
var carets = strings.NewReplacer(
	"␀", "^@", "␁", "^A", "␂", "^B", "␃", "^C", "␄", "^D", "␅", "^E", "␆", "^F", "␇", "^G", "␈", "^H", "␉", "^I", "␊", "^J",
	"␋", "^K", "␌", "^L", "␍", "^M", "␎", "^N", "␏", "^O", "␐", "^P", "␑", "^Q", "␒", "^R", "␓", "^S", "␔", "^T", "␕", "^U",
	"␖", "^V", "␗", "^W", "␘", "^X", "␙", "^Y", "␚", "^Z", "␛", "^[", "␜", `^\`, "␝", "^]", "␞", "^^", "␟", "^_", "␡", "^?",
)

func caret(text string) string {
	if !strings.Contains(text, pictures) {
		return text // as nearly every one, which takes no time
	}
	return carets.Replace(text)
}

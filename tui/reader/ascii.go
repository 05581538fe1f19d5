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
		for _, text := range [...]*string{&b.label, &b.brief, &b.text} {
			*text = caret(*text)
		}
		if b.pretty != nil {
			b.pretty.text = caret(b.pretty.text)
		}
	}
}

// caret writes the signs for control characters in caret notation.
func caret(text string) string {
	at := strings.Index(text, pictures)
	if at < 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for ; at >= 0; at = strings.Index(text, pictures) {
		out.WriteString(text[:at])
		c := text[at+2] - 0x80 // the sign's last byte is 0x80 and the character's code
		switch {
		case c < ' ':
			out.WriteByte('^')
			out.WriteByte(c + '@')
		case c == '!': // U+2421 stands for the last one, delete
			out.WriteString("^?")
		default:
			out.WriteString(text[at : at+3])
		}
		text = text[at+3:]
	}
	out.WriteString(text)
	return out.String()
}

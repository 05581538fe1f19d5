package reader

import "winnow/core/clean"

// inASCII draws a message for terminals with ASCII signs only: its control
// characters as ^[ and the like. Other letters stay as they are.
func (d *document) inASCII() {
	for i := range d.blocks {
		b := &d.blocks[i]
		at, shorter := 0, 0 // by how much what stands before at gets shorter
		for j := range b.sections {
			part := b.text[at:b.sections[j].From]
			at += len(part)
			shorter += len(part) - len(clean.Carets(part))
			b.sections[j].From = at - shorter
		}
		b.moveTables()
		for _, text := range [...]*string{&b.label, &b.brief, &b.text} {
			*text = clean.Carets(*text)
		}
		if b.compared != nil {
			b.compared = &compared{clean.Carets(b.compared.before), clean.Carets(b.compared.after)}
		}
		if b.pretty != nil {
			b.pretty.text = clean.Carets(b.pretty.text)
		}
	}
}

// moveTables moves the tables of a text to where they stand in caret notation.
func (b *block) moveTables() {
	at, shorter := 0, 0
	move := func(to *int) {
		part := b.text[at:*to]
		at += len(part)
		shorter += len(part) - len(clean.Carets(part))
		*to = at - shorter
	}
	for i := range b.tables {
		t := &b.tables[i]
		move(&t.From)
		for j := range t.Items {
			move(&t.Items[j])
		}
		move(&t.To)
	}
}

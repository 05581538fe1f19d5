package reader

import (
	"winnow/core/textdiff"
	"winnow/tui/beside"
	"winnow/tui/draw"
)

// compared is a text before and after.
type compared struct{ before, after string }

// form draws what changed, in place of a text of a size.
func (c *compared) form(pen *beside.Pen, width, size int) *form {
	list, left := textdiff.Compare(c.before, c.after)
	f := &form{}
	f.Rows = pen.Rows(list, width)
	if left > 0 {
		f.Rows = append(f.Rows, pen.Muted.On(draw.Plural(left, "line")+" more"))
	}
	for i := range f.Rows {
		f.Source = append(f.Source, i*size/len(f.Rows))
	}
	return f
}

// besidePen is what comparisons are drawn with.
func (r *Reader) besidePen() beside.Pen {
	k := &r.inks
	return beside.Pen{Text: k.text, Muted: k.muted, Border: k.border, Gone: k.removed, Come: k.added, Minus: r.glyphs.minus, More: r.glyphs.more, Wall: r.glyphs.wall}
}

// compare lays the texts of a message beside those that it had.
func (d *document) compare(was *document) {
	next := map[kind]int{}
	for i := range d.blocks {
		b := &d.blocks[i]
		if !b.comparable() {
			continue
		}
		before := was.nth(b.kind, next[b.kind])
		next[b.kind]++
		if old := before.said(); old != b.text {
			b.set(old)
		}
	}
	for i, seen := 0, map[kind]int{}; i < len(was.blocks); i++ {
		b := was.blocks[i]
		if !b.comparable() {
			continue
		}
		if seen[b.kind]++; seen[b.kind] > next[b.kind] {
			b.compared, b.whole = &compared{before: b.text}, false
			d.blocks = append(d.blocks, b)
			d.size += len(b.text)
		}
	}
}

// set has a block compared with an older text.
func (b *block) set(old string) {
	b.compared, b.whole = &compared{old, b.text}, false
	if b.text == "" {
		b.text = old
	}
}

func (b *block) comparable() bool {
	return b.kind == textBlock || b.kind == thinkingBlock || b.kind == callBlock || b.kind == resultBlock
}

// said is the text of a block, nil has none.
func (b *block) said() string {
	if b == nil {
		return ""
	}
	return b.text
}

// nth returns block i of a kind, from 0, nil without one.
func (d *document) nth(k kind, i int) *block {
	for b := range d.blocks {
		if d.blocks[b].kind != k {
			continue
		}
		if i == 0 {
			return &d.blocks[b]
		}
		i--
	}
	return nil
}

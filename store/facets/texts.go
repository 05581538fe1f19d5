package facets

import (
	"bytes"
	"slices"
)

// texts is a column of text of which most stand in one row only, to be searched
// for parts: all of it lies in one piece, which is gone through at the speed of
// memory.
type texts struct {
	all   []byte   // each text, folded, and texts' end after it
	from  []uint32 // where the text lies that was written n-th
	owner []int32  // the slot that it is of, -1 if it is of none any more
	at    []int32  // the number of a slot's text, -1 for none
	dead  int      // texts that are of no slot
}

// textEnd is in no text that is valid UTF-8, and in nothing that is looked for.
const textEnd = 0xFF

func (c *texts) reserve(rows int) {
	c.at, c.from, c.owner = slices.Grow(c.at, rows), slices.Grow(c.from, rows), slices.Grow(c.owner, rows)
}

// grow makes room for one more row, which has no text.
func (c *texts) grow() { c.at = append(c.at, -1) }

// of returns the text of a row.
func (c *texts) of(slot int32) []byte {
	n := c.at[slot]
	if n < 0 {
		return nil
	}
	return c.all[c.from[n] : c.end(int(n))-1]
}

// end is where the next text begins.
func (c *texts) end(n int) int {
	if n+1 < len(c.from) {
		return int(c.from[n+1])
	}
	return len(c.all)
}

// set gives a row its text.
func (c *texts) set(slot int32, text string) {
	if string(c.of(slot)) == text {
		return
	}
	if n := c.at[slot]; n >= 0 {
		c.owner[n], c.at[slot] = -1, -1
		c.dead++
	}
	if text != "" {
		c.at[slot] = int32(len(c.from))
		c.from, c.owner = append(c.from, uint32(len(c.all))), append(c.owner, slot)
		c.all = append(append(c.all, text...), textEnd)
	}
	if c.dead > 1000+len(c.at)/2 {
		c.compact()
	}
}

// compact leaves out the texts that are of no slot.
func (c *texts) compact() {
	old := *c
	c.all, c.from, c.owner, c.dead = nil, nil, nil, 0
	for n, slot := range old.owner {
		if slot >= 0 {
			c.at[slot] = int32(len(c.from))
			c.from, c.owner = append(c.from, uint32(len(c.all))), append(c.owner, slot)
			c.all = append(c.all, old.all[old.from[n]:old.end(n)]...)
		}
	}
}

// fewRows is the share of rows, one of so many, up to which each is looked at
// by itself.
const fewRows = 16

// containing returns the slots whose text contains a part.
func (c *texts) containing(in rowSet, part []byte) rowSet {
	if in.len() < len(c.at)/fewRows {
		return in.where(func(slot int32) bool { return c.at[slot] >= 0 && bytes.Contains(c.of(slot), part) })
	}
	out := make(rowSet, len(in))
	if bytes.IndexByte(part, textEnd) >= 0 {
		return out
	}
	for n, at := 0, 0; at < len(c.all); n++ {
		hit := bytes.Index(c.all[at:], part)
		if hit < 0 {
			break
		}
		for c.end(n) <= at+hit {
			n++
		}
		if slot := c.owner[n]; slot >= 0 && in.has(slot) {
			out.add(slot)
		}
		at = c.end(n)
	}
	return out
}

package facets

import "slices"

// words is a column of text. Most texts stand in many rows, so that each is
// kept once, and a filter looks at each once.
type words struct {
	at     []uint32 // number of the text, by slot
	number map[string]uint32
	text   []string // by number; 0 is ""
	rows   []int32  // how many have it
	free   []uint32
}

func newWords() words {
	return words{number: map[string]uint32{"": 0}, text: []string{""}, rows: []int32{0}}
}

func (c *words) reserve(rows int) { c.at = slices.Grow(c.at, rows) }

// grow makes room for one more row, which has no text.
func (c *words) grow() {
	c.at = append(c.at, 0)
	c.rows[0]++
}

// set gives a row its text.
func (c *words) set(slot int32, text string) {
	old := c.at[slot]
	if c.text[old] == text {
		return
	}
	n, ok := c.number[text]
	if !ok {
		n = c.take(text)
	}
	c.rows[n]++
	c.at[slot] = n
	c.rows[old]--
	if c.rows[old] == 0 && old != 0 {
		delete(c.number, c.text[old])
		c.text[old] = ""
		c.free = append(c.free, old)
	}
}

func (c *words) take(text string) uint32 {
	if last := len(c.free) - 1; last >= 0 {
		n := c.free[last]
		c.free = c.free[:last]
		c.text[n] = text
		c.number[text] = n
		return n
	}
	n := uint32(len(c.text))
	c.text, c.rows = append(c.text, text), append(c.rows, 0)
	c.number[text] = n
	return n
}

// of returns the text of a row.
func (c *words) of(slot int32) string { return c.text[c.at[slot]] }

// where returns the slots whose text passes, which a text is asked for once.
// An empty one is missing and passes never.
func (c *words) where(in rowSet, passes func(text string) bool) rowSet {
	const no, yes = 1, 2
	answers := make([]uint8, len(c.text))
	answers[0] = no
	return in.where(func(slot int32) bool {
		n := c.at[slot]
		if answers[n] == 0 {
			answers[n] = no
			if passes(c.text[n]) {
				answers[n] = yes
			}
		}
		return answers[n] == yes
	})
}

// is returns the slots that have a text, which is not "".
func (c *words) is(in rowSet, text string) rowSet {
	n, ok := c.number[text]
	if !ok || n == 0 {
		return make(rowSet, len(in))
	}
	return in.where(func(slot int32) bool { return c.at[slot] == n })
}

// each calls f for all texts of some rows, with the number of those that have
// it.
func (c *words) each(in rowSet, f func(text string, n int)) {
	counts := make([]int, len(c.text))
	in.each(func(slot int32) { counts[c.at[slot]]++ })
	for n, count := range counts {
		if count > 0 {
			f(c.text[n], count)
		}
	}
}

package facets

import (
	"slices"

	"winnow/core/filter"
)

// column is what segments have by their slot, or sessions by their number.
type column interface {
	grow()            // makes room for one more
	reserve(rows int) // makes room for so many, without the spare room that columns get when they grow
}

// values are a column of numbers and the like.
type values[T any] []T

func (c *values[T]) grow() { *c = append(*c, *new(T)) }

func (c *values[T]) reserve(rows int) { *c = slices.Grow(*c, rows) }

// metrics are the scores of each metric in steps, in the order of metric.Names.
type metrics []values[uint16]

func (c metrics) grow() {
	for i := range c {
		c[i].grow()
	}
}

func (c metrics) reserve(rows int) {
	for i := range c {
		c[i].reserve(rows)
	}
}

// mark is one of several marks that lie in one column.
type mark struct {
	of  *values[Marks]
	bit Marks
}

func (mark) grow() {}

func (mark) reserve(int) {}

// paths are texts of which most stand in one row only, and few enough to look at
// each.
type paths struct{ text, folded []string }

func (c *paths) grow() { c.text, c.folded = append(c.text, ""), append(c.folded, "") }

func (c *paths) reserve(rows int) {
	c.text, c.folded = slices.Grow(c.text, rows), slices.Grow(c.folded, rows)
}

func (c *paths) set(n int32, text string) {
	if c.text[n] == text {
		return
	}
	c.text[n], c.folded[n] = text, filter.Fold(text)
	if c.folded[n] == text {
		c.folded[n] = text // one text instead of two
	}
}

package reader

import (
	"sort"

	"winnow/tui/reader/markdown"
)

// form is another way to show the text of a block: rendered rows, or another
// text. The plain text is the nil form.
type form struct {
	markdown.Layout
	text string // instead of rows
	// What it was made for.
	width, theme int
}

// plainAt returns the offset in the plain text, of the given size, that a
// place in the form shows.
func (f *form) plainAt(at, size int) int {
	switch {
	case f == nil:
		return at
	case f.text != "":
		return scaled(at, len(f.text), size)
	case len(f.Source) == 0:
		return 0
	}
	return f.Source[max(0, min(at, len(f.Source)-1))]
}

// at returns the place in the form that shows an offset in the plain text.
func (f *form) at(plain, size int) int {
	switch {
	case f == nil:
		return plain
	case f.text != "":
		return scaled(plain, size, len(f.text))
	}
	return max(0, sort.SearchInts(f.Source, plain+1)-1)
}

func scaled(at, from, to int) int {
	if from <= 0 {
		return 0
	}
	return int(float64(at) / float64(from) * float64(to))
}

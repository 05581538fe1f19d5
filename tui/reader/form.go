package reader

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// form is another way to show the text of a block: rendered rows, or another
// text. The plain text is the nil form.
type form struct {
	rows   []string
	source []int  // per row, its offset in the plain text; ascending
	text   string // instead of rows
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
	case len(f.source) == 0:
		return 0
	}
	return f.source[max(0, min(at, len(f.source)-1))]
}

// at returns the place in the form that shows an offset in the plain text.
func (f *form) at(plain, size int) int {
	switch {
	case f == nil:
		return plain
	case f.text != "":
		return scaled(plain, size, len(f.text))
	}
	return max(0, sort.SearchInts(f.source, plain+1)-1)
}

func scaled(at, from, to int) int {
	if from <= 0 {
		return 0
	}
	return int(float64(at) / float64(from) * float64(to))
}

// addRow appends a row, over several rows if it is too wide: code is not
// wrapped by the renderer.
func (f *form) addRow(row string, width int) {
	runs := coloured(row)
	if len(runs) == 0 {
		if n := len(f.rows); n > 0 && f.rows[n-1] != "" {
			f.rows = append(f.rows, "")
		}
		return
	}
	var b strings.Builder
	col := 0
	for _, run := range runs {
		b.WriteString(run.colour)
		for text := run.text; text != ""; {
			size, w := clusterAt(text)
			if col+w > width && col > 0 {
				f.endRow(&b, run.colour)
				b.WriteString(run.colour)
				col = 0
			}
			b.WriteString(text[:size])
			text = text[size:]
			col += w
		}
		if run.colour != "" {
			b.WriteString(resetColour)
		}
	}
	f.endRow(&b, "")
}

func (f *form) endRow(b *strings.Builder, colour string) {
	if colour != "" {
		b.WriteString(resetColour)
	}
	f.rows = append(f.rows, b.String())
	b.Reset()
}

func (f *form) trim() {
	for len(f.rows) > 0 && f.rows[len(f.rows)-1] == "" {
		f.rows = f.rows[:len(f.rows)-1]
	}
}

// align finds for every row where its text stands in the source, so that a
// reading position survives the change between both.
func (f *form) align(source string) {
	const ahead = 2 << 10 // bytes a row may lie behind the one before
	f.source = make([]int, len(f.rows))
	at := 0
	for i, row := range f.rows {
		f.source[i] = at
		words := strings.Fields(ansi.Strip(row))
		for _, word := range words[:min(len(words), 4)] {
			if found := strings.Index(source[at:min(len(source), at+ahead)], word); found >= 0 && len(word) > 1 {
				f.source[i] = at + found
				at += found + len(word)
				break
			}
		}
	}
}

package rows

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// SavedFilter is a filter with a name.
type SavedFilter struct {
	Number int // of its key, 0 for none
	Name   string
	Text   string // the expression
}

// Title names a saved filter. A name may tell the model that the filter tells.
func (f *SavedFilter) Title(g *draw.Glyphs) string {
	name := f.Name
	if g.Secret(f.Text) {
		name = g.Told(f.Text)
	}
	return strings.TrimSpace(strconv.Itoa(f.Number) + " " + clean.Line(draw.Head(name)))
}

// Numbered returns the filter that is saved under a number.
func Numbered(filters []SavedFilter, n int) (SavedFilter, bool) {
	i := slices.IndexFunc(filters, func(f SavedFilter) bool { return f.Number == n })
	if i < 0 {
		return SavedFilter{}, false
	}
	return filters[i], true
}

package reader

import (
	"strings"

	"winnow/core/clean"
	"winnow/tui/reader/gist"
)

// shorten writes the paths in the headlines of a message from the folder that its
// session worked in. Headlines that show all there is stay as they are.
func (d *document) shorten(dir string) {
	dir = strings.TrimRight(clean.Line(dir), `/\`)
	if len(dir) < 2 {
		return
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.kind == callBlock {
			short := gist.Within(b.brief, dir)
			b.whole = b.whole && short == b.brief
			b.brief = short
		}
		if b.kind == resultBlock && !b.whole {
			b.brief = gist.Within(b.brief, dir)
		}
	}
}

package reader

import (
	"strings"

	"winnow/core/clean"
	"winnow/tui/reader/gist"
)

// shorten writes the paths in the headlines of a message from the folder that its
// session worked in. What is shown in full is then still there, to be unfolded.
func (d *document) shorten(dir string) {
	if dir = folder(dir); dir == "" {
		return
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.kind == callBlock || b.kind == resultBlock {
			short := gist.Within(b.brief, dir)
			b.whole = b.whole && short == b.brief
			b.brief = short
		}
	}
}

// folder is how a working folder stands in clean texts, "" for one that paths are not
// shortened by.
func folder(dir string) string {
	if dir = strings.TrimRight(clean.Line(dir), `/\`); len(dir) < 2 {
		return ""
	}
	return dir
}

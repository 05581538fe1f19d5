// Package line is a line of text that is typed: its field, the lines that were
// kept before, texts that were put away half-typed, completions, and the keys that
// it tells. The filter, the command line, tags, notes and topics are such lines.
//
// It imports tui/draw and core, and knows no screen. Tests of what it does are in
// tui, on the lines that are made of it.
package line

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
)

// Hints draws keys and what they do, as many as w cells have room for, and
// returns how many cells that takes. An action without a key is left out.
func Hints(pen *draw.Pen, keys [][2]string, w int) (text string, used int) {
	var b strings.Builder
	for _, k := range keys {
		n := ansi.StringWidth(k[0]) + 1 + ansi.StringWidth(k[1])
		switch {
		case k[0] == "":
			continue
		case used > 0 && used+2+n > w, used+n > w:
			return b.String(), used
		case used > 0:
			b.WriteString("  ")
			used += 2
		}
		b.WriteString(pen.Ink.Key.On(k[0]) + pen.Ink.Muted.On(" "+k[1]))
		used += n
	}
	return b.String(), used
}

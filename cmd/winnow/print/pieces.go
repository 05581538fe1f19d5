package print

import (
	"strings"

	"winnow/core/textdiff"
)

// Pieces prints a line whose words were compared. On a terminal that takes colours
// what changed has one (the code of an SGR sequence, "" for none) and is underlined;
// elsewhere it stands in brackets, if not all of the line changed. The texts are safe:
// textdiff.Compare made them so.
func (o *Output) Pieces(sign string, line []textdiff.Piece, colour string) {
	var b strings.Builder
	colours := o.TTY && o.Colours && colour != ""
	if colours {
		sign = "\x1b[" + colour + "m" + sign + "\x1b[0m"
	}
	b.WriteString(sign)
	for _, p := range line {
		switch {
		case p.Changed && colours:
			b.WriteString("\x1b[4;" + colour + "m" + p.Text + "\x1b[0m")
		case p.Changed && len(line) > 1:
			b.WriteString("[" + p.Text + "]")
		default:
			b.WriteString(p.Text)
		}
	}
	o.w.WriteString(b.String() + "\n")
}

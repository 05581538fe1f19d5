package reader

import "winnow/tui/draw"

// sizeFrom is the number of bytes from which a text's size says more than its
// number of lines does.
const sizeFrom = 10_000

// extent says how much text there is.
func extent(lines, bytes int) string {
	if bytes >= sizeFrom {
		return draw.Bytes(int64(bytes)) + ", " + draw.Plural(lines, "line")
	}
	return draw.Plural(lines, "line")
}

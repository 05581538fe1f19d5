package sheet

import "winnow/tui/draw"

const (
	// sizeFrom is the number of bytes from which a text's size says more than its
	// number of lines does.
	sizeFrom = 10_000
	// longLines is the length of lines, in bytes, that nobody counts texts in.
	longLines = 500
)

// Extent says how much text there is: in lines, unless these are few and long.
func Extent(lines, bytes int) string {
	switch {
	case lines == 1 || bytes >= lines*longLines:
		return draw.Bytes(int64(bytes))
	case bytes >= sizeFrom:
		return draw.Bytes(int64(bytes)) + ", " + draw.Plural(lines, "line")
	}
	return draw.Plural(lines, "line")
}

package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// clusterAt returns the bytes and cells of the first character of s as the
// terminal sees it.
func clusterAt(s string) (size, width int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return max(1, len(c)), w
}

// Wrap returns the offsets in s at which the rows of its line s[start:end] begin,
// when no row is wider than width cells. Rows break after spaces, which hang
// over the edge, and beside wide characters, or else anywhere.
func Wrap(s string, start, end, width int) []int {
	starts := []int{start}
	row, col := start, 0
	gap, colAtGap := start, 0 // the last place of the row where it may break
	wide := false             // the character before is
	inked := false            // something came before: an indent alone is no row
	for i := start; i < end; {
		size, w := clusterAt(s[i:end])
		if s[i] == ' ' {
			col++
			i++
			if inked {
				gap, colAtGap = i, col
			}
			wide = false
			continue
		}
		inked = true
		if (wide || w > 1) && i > row && !strings.Contains(closing, s[i:i+size]) {
			gap, colAtGap = i, col
		}
		for col+w > width && i > row {
			if gap > row {
				row, col = gap, max(0, col-colAtGap)
			} else {
				row, col = i, 0
			}
			starts = append(starts, row)
		}
		col += w
		i += size
		wide = w > 1
	}
	return starts
}

// closing are the wide characters that no row begins with.
const closing = "、。，．：；！？」』）】〕》〉］｝…ー々"

// EachRow calls f with the bounds of the rows of a line, without the spaces at their
// ends.
func EachRow(line string, width int, f func(from, to int)) {
	starts := Wrap(line, 0, len(line), width)
	for i, from := range starts {
		to := len(line)
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		f(from, from+len(strings.TrimRight(line[from:to], " ")))
	}
}

// Package lines finds the lines of a text around an offset.
//
// A text is never split into a table of lines: where a line starts is found
// again by looking at the bytes around an offset, so that a text costs nothing
// but itself, whatever its size.
package lines

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/tui/reader/gist"
)

// SplitAt is the length of a block of text, in bytes. A block without a line
// feed ends a line, so that no line is longer than three blocks and wrapping
// one never takes more than a fraction of a millisecond.
const SplitAt = 4 << 10

// border returns the offset at which block k of s starts, moved back to the
// start of a character. ok reports whether a line starts there although no
// line feed precedes: the block before holds none.
func border(s string, k int) (at int, ok bool) {
	at = k * SplitAt
	if k <= 0 || at >= len(s) {
		return 0, false
	}
	if strings.IndexByte(s[at-SplitAt:at], '\n') >= 0 {
		return 0, false
	}
	at = charStart(s, at)
	return at, s[at] != '\n'
}

// charStart moves an offset back to the start of the character it lies in, as
// the eye sees it: letters keep their accents and emoji their parts. Runs of
// marks that no script has are cut.
func charStart(s string, at int) int {
	at = gist.Start(s, at)
	for range 8 {
		c, _ := utf8.DecodeRuneInString(s[at:])
		before, size := utf8.DecodeLastRuneInString(s[:at])
		if c < 0x300 || before != joiner && c != joiner && !unicode.In(c, unicode.Mn, unicode.Me) {
			return at
		}
		at -= size
	}
	return at
}

const joiner = '\u200d'

// Start returns the start of the line that holds offset at.
func Start(s string, at int) int {
	at = max(0, min(at, len(s)))
	// Within two blocks there is a line feed or a border.
	low := max(0, at-2*SplitAt)
	for k := at/SplitAt + 1; k*SplitAt > low; k-- {
		if b, ok := border(s, k); ok && b <= at {
			low = b
			break
		}
	}
	return low + 1 + strings.LastIndexByte(s[low:at], '\n')
}

// End returns the end of the line that starts at start, and the start of
// the next one, or -1 if there is none.
func End(s string, start int) (end, next int) {
	window := s[start:min(len(s), start+4*SplitAt)]
	feed := strings.IndexByte(window, '\n')
	for k := start/SplitAt + 1; k*SplitAt < len(s); k++ {
		if feed >= 0 && start+feed < (k-1)*SplitAt {
			break
		}
		b, ok := border(s, k)
		if !ok || b <= start {
			continue
		}
		if feed < 0 || b <= start+feed {
			return b, b
		}
		break
	}
	if feed < 0 {
		return len(s), -1
	}
	return start + feed, start + feed + 1
}

// Before returns the start of the line before the one that starts at start.
func Before(s string, start int) (int, bool) {
	if start <= 0 {
		return 0, false
	}
	return Start(s, start-1), true
}

// Row returns the index of the row that holds offset at.
func Row(rows []int, at int) int {
	return max(0, sort.SearchInts(rows, at+1)-1)
}

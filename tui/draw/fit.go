package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Fit cuts or fills text, which may hold styles, to exactly w cells.
func Fit(text string, w int, more string) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(text)
	if n > w {
		text = ansi.Truncate(text, w, more)
		n = ansi.StringWidth(text)
	}
	return text + strings.Repeat(" ", max(0, w-n))
}

// Right is Fit with the text at the right end.
func Right(text string, w int) string {
	n := ansi.StringWidth(text)
	if n > w {
		return Fit(text, w, "")
	}
	return strings.Repeat(" ", w-n) + text
}

// Tail cuts text from the left to w cells: the end of a path says more.
func Tail(text string, w int, more string) string {
	n := ansi.StringWidth(text)
	if n <= w {
		return text
	}
	left := n - w + ansi.StringWidth(more)
	tail := ansi.TruncateLeft(text, left, more)
	if ansi.StringWidth(tail) > w { // a wide character begins in the last cell that goes
		tail = ansi.TruncateLeft(text, left+1, more)
	}
	return tail
}

// Cut cuts text to at most w cells.
func Cut(text string, w int, more string) string { return ansi.Truncate(text, w, more) }

// CutWords cuts text to w cells, after a word if one ends in the second half.
func CutWords(text string, w int, more string) string {
	if ansi.StringWidth(text) <= w {
		return text
	}
	text = ansi.Truncate(text, w-ansi.StringWidth(more), "")
	if i := strings.LastIndexByte(text, ' '); i > len(text)/2 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ,.;:") + more
}

// Head is as much of a text as one line can show: recorded titles may be of
// any length, and a frame must not pay for them.
func Head(s string) string {
	const most = 2 << 10
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// Over lays a box over the lines of a screen, with its upper left corner at a
// line and a column.
func Over(lines, box []string, line, column int) {
	for i, text := range box {
		at := line + i
		if at < 0 || at >= len(lines) {
			continue
		}
		n := ansi.StringWidth(text)
		left := Fit(ansi.Truncate(lines[at], column, ""), column, "")
		rest := ansi.TruncateLeft(lines[at], column+n, "")
		want := ansi.StringWidth(lines[at]) - column - n
		if ansi.StringWidth(rest) > want { // half of a wide character is under the box
			rest = ansi.TruncateLeft(lines[at], column+n+1, "")
		}
		lines[at] = left + text + strings.Repeat(" ", max(0, want-ansi.StringWidth(rest))) + rest
	}
}

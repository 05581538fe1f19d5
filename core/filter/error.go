package filter

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Error says why a text is no expression.
type Error struct {
	Column int    // of the first character that it is about, from 1
	Text   string // what is wrong
	Hint   string // what to write instead, never empty
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s: %s", e.Column, e.Text, e.Hint) }

// shownRunes is how much of an expression an error repeats: it is one line.
const shownRunes = 48

// show returns a piece of an expression as it may stand in an error: in
// quotes, cut, and with what cannot be printed escaped.
func show(s string) string {
	if r := []rune(s); len(r) > shownRunes {
		s = string(r[:shownRunes]) + "…"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return quoted(s)
}

// nearest returns the one of some names that was probably meant, "" if none
// looks like it.
func nearest(typed string, names []string) string {
	typed = strings.ToLower(typed)
	if n := len(typed); n == 0 || n > 40 {
		return ""
	}
	best, least := "", max(1, len(typed)/3)+1
	for _, name := range names {
		d := distance(typed, name)
		if d > 0 && len(typed) >= 2 && (strings.HasPrefix(name, typed) || strings.HasPrefix(typed, name)) {
			d = 1
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to insert, remove, change or swap with their
// neighbour that make one word of the other.
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
	}
	return row[len(b)]
}

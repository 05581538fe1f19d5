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

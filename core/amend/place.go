// Package amend finds out what curators ask for when they edit stored sessions: the
// changes that rows of edits come to, and those that take a text out of messages.
//
// It reads through an interface and writes nothing: what it finds is for one entry of
// the journal.
package amend

import (
	"fmt"
	"strconv"
	"strings"

	"winnow/core/edit"
)

// Place names messages of a session by their numbers.
type Place struct {
	N    int
	To   int // the last one of a run, 0: N alone
	Part int // of an added message, see edit.Place
}

// last is the number of the last message.
func (p Place) last() int { return max(p.N, p.To) }

// String writes a place as ParsePlace reads it.
func (p Place) String() string {
	if p.To > p.N {
		return fmt.Sprintf("%d-%d", p.N, p.To)
	}
	return edit.Name(p.N, p.Part)
}

// ParsePlace reads a place: 12, 4-7 for a run, 12+1 for the first message that was
// added after 12.
func ParsePlace(text string) (p Place, err error) {
	number := func(text string, least int) int {
		n, wrong := strconv.Atoi(text)
		if wrong != nil || n < least || text[0] == '+' {
			err = fmt.Errorf("%q is no message; as 12, 4-7, or 12+1 for one that was added after 12", text)
		}
		return n
	}
	first, last, run := strings.Cut(text, "-")
	n, part, added := strings.Cut(text, "+")
	switch {
	case run && !added && first != "":
		p.N, p.To = number(first, 1), number(last, 1)
	case added && !run:
		p.N, p.Part = number(n, 0), number(part, 1)
	default:
		p.N = number(text, 0)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("%q is no message; as 12, 4-7, or 12+1 for one that was added after 12", text)
	case run && p.To < p.N:
		err = fmt.Errorf("%q is a run that ends in front of its beginning", text)
	}
	return p, err
}

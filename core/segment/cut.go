package segment

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
)

// Cut is where a segment is to be.
type Cut struct {
	Start, End int    // message numbers in the session, from 1, inclusive
	Topic      string // a short description of the task, "" unknown
}

// Text is a run of messages that is to be cut. It reads them when they are
// asked for: a session may be larger than memory.
type Text struct {
	From, To int // message numbers, inclusive; those before From are context
	// Each calls f for messages from..to, which lie in 1..To, in order, and
	// returns the first error of f. A message is valid during the call.
	Each func(ctx context.Context, from, to int, f func(*chat.Message) error) error
}

// Cutter finds the tasks in a run of messages.
type Cutter interface {
	// Cut returns the tasks of messages t.From..t.To: contiguous, in order,
	// covering all of them. What failed gives no cuts at all.
	Cut(ctx context.Context, t Text) ([]Cut, error)
	// By is how segments that it cut are marked.
	By() review.CutBy
}

// CheckCuts reports, as an error that names the first wrong place, whether cuts
// are not contiguous or do not cover messages from..to.
func CheckCuts(cuts []Cut, from, to int) error {
	next := from
	for _, c := range cuts {
		if c.Start != next || c.End < c.Start {
			return fmt.Errorf("a segment of messages %d to %d where one from %d is wanted", c.Start, c.End, next)
		}
		next = c.End + 1
	}
	if next != to+1 {
		return fmt.Errorf("segments end at message %d of %d", next-1, to)
	}
	return nil
}

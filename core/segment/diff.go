package segment

import (
	"context"

	"winnow/core/chat"
	"winnow/core/review"
)

// Difference is what changed between the messages that a verdict was given on
// and those that its segment holds now.
type Difference struct {
	Added   []Span // numbers of messages of the segment, in order
	Removed []Span // numbers in the body that the verdict was given on, in order
	Unknown bool   // what the verdict was given on is not known; the rest is zero
}

// EachFunc calls f for messages from..to of a body, in order, and returns the
// first error of f. A message is valid during the call.
type EachFunc = func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error

// Since tells what changed since the verdict that a stale segment had. TODO
func Since(ctx context.Context, s *review.Segment, each EachFunc) (Difference, error) {
	return Difference{Unknown: true}, nil
}

// String says it in a line: "4 messages added (11–14), 1 removed".
func (d Difference) String() string { return "" }

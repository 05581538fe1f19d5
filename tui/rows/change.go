package rows

import (
	"winnow/core/chat"
	"winnow/core/review"
)

// Change names a comparison of a stale segment: what it holds, and what it held when
// it was judged.
type Change struct {
	id              string
	digest          chat.Digest
	body, wasBody   int64
	start, wasStart int
	end, wasEnd     int
}

// ChangeOf returns that of a segment.
func ChangeOf(s *review.Segment) Change {
	return Change{s.ID, s.Digest, s.Body, s.WasBody, s.Start, s.WasStart, s.End, s.WasEnd}
}

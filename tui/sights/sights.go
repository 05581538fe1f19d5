// Package sights is which messages a curator has seen on the screen: what has stood in
// the reader for a moment. It draws nothing and asks nobody; tui tells it what the
// reader shows, and has what is new written.
//
// It imports core only. Its tests are those of tui.
package sights

import (
	"fmt"
	"time"

	"winnow/core/review"
)

const (
	// After is how long a message must stand in the reader until it counts as seen:
	// what is only passed is nobody's.
	After = 250 * time.Millisecond
	// heldPresses within that time make only a key that is held: nobody reads what
	// passes then.
	heldPresses = 5
	// every is how often what was seen is written while one reads on.
	every = 2 * time.Second
	// hardly is the share of a segment below which it was hardly seen, if it has as
	// many messages as hardlyOf: of fewer that tells nothing.
	hardly, hardlyOf = 0.25, 4
)

// Sights are what was seen of the body that the reader shows. Of others the rows of
// the list know it. nil is a screen that does not look.
type Sights struct {
	open    bool // the reader shows something
	body    int64
	seen    review.Spans // in this body
	known   bool         // what was seen earlier is among them
	fresh   review.Spans // what is not written
	written time.Time    // some was, the last time

	due     bool         // a look back is
	stood   review.Spans // what the reader showed when it was set
	presses int          // of the keys, then
}

// On reports whether they are about what the reader shows: a body, or nothing.
func (s *Sights) On(open bool, body int64) bool { return s.open == open && (!open || s.body == body) }

// Turn goes to another body, or to none. What is fresh must have been taken.
func (s *Sights) Turn(open bool, body int64) {
	s.open, s.body, s.seen, s.fresh, s.known = open, body, nil, nil, false
}

// Knows takes what was seen of a body earlier.
func (s *Sights) Knows(body int64, was review.Spans) {
	if !s.On(true, body) {
		return
	}
	s.known = true
	for _, a := range was {
		s.seen.Add(a)
	}
	s.fresh = s.fresh.Without(was)
}

// Stands takes what the reader shows, and how many keys were pressed, and reports
// whether one is to look back After that time: something of it was not seen before.
func (s *Sights) Stands(shown review.Spans, presses int) bool {
	if s.due || s.seen.HasAll(shown) {
		return false
	}
	s.due, s.stood, s.presses = true, shown, presses
	return true
}

// Due reports whether a look back is on its way.
func (s *Sights) Due() bool { return s.due }

// LookBack counts what stood in the reader, and is there still, as seen. Nothing is
// shown of a body that the reader has left.
func (s *Sights) LookBack(body int64, shown review.Spans, presses int) {
	s.due = false
	if !s.On(true, body) || presses-s.presses >= heldPresses {
		return
	}
	for _, a := range s.stood.Both(shown) {
		if s.seen.Add(a) {
			s.fresh.Add(a)
		}
	}
}

// Ripe reports whether it is time to write what is fresh.
func (s *Sights) Ripe(now time.Time) bool {
	return s.known && len(s.fresh) > 0 && now.Sub(s.written) >= every
}

// Take returns what is to be written, and of which body; nil is nothing.
func (s *Sights) Take(now time.Time) (body int64, spans review.Spans) {
	if spans = s.fresh; len(spans) > 0 {
		s.fresh, s.written = nil, now
	}
	return s.body, spans
}

// Back takes what could not be written, to try it again.
func (s *Sights) Back(body int64, spans review.Spans) {
	for _, a := range spans {
		if s.On(true, body) {
			s.fresh.Add(a)
		}
	}
}

// Of returns how many messages of a segment were seen: as its row tells, and in what
// the reader shows as it is now.
func (s *Sights) Of(g *review.Segment) int {
	if s == nil || !s.On(true, g.Body) {
		return g.Seen
	}
	n := s.seen.Count(g.Start, g.Start+g.Messages-1)
	if !s.known {
		n = max(n, g.Seen)
	}
	return n
}

// Share is Of as a share.
func (s *Sights) Share(g *review.Segment) float64 { return review.Share(s.Of(g), g.Messages) }

// Text says how far a segment was seen.
func (s *Sights) Text(g *review.Segment) string {
	return fmt.Sprintf("seen %d of %d", s.Of(g), g.Messages)
}

// Below reports whether less than a share of a segment was seen.
func (s *Sights) Below(g *review.Segment, share float64) bool {
	return s != nil && g.Messages >= hardlyOf && s.Share(g) < share
}

// Unread says after a dot how far a segment was seen that is approved and was hardly
// seen, "" of others.
func (s *Sights) Unread(g *review.Segment, v review.Verdict, dot string) string {
	if v != review.Approved || !s.Below(g, hardly) {
		return ""
	}
	return " " + dot + " " + s.Text(g)
}

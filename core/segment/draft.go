package segment

import (
	"winnow/core/review"
)

// Draft is a session's segments under a curator's hands: nothing of it is
// stored. Messages are named by their numbers in the session.
type Draft struct {
	old    []review.Segment
	pieces []Piece
}

// NewDraft begins with the stored segments of a session, all of them in order.
func NewDraft(rows []review.Segment) *Draft { return &Draft{old: rows} }

// Split makes message at the first one of a segment.
func (d *Draft) Split(at int) error { return nil }

// Merge joins the segment that message at is in with the one above it.
func (d *Draft) Merge(at int) error { return nil }

// Move lets the segment that begins at message boundary begin at message to.
func (d *Draft) Move(boundary, to int) error { return nil }

// Rename gives the segment that message at is in a topic. "" takes a topic
// back: the segment gets one that is made from its text.
func (d *Draft) Rename(at int, topic string) error { return nil }

// Undo takes the last change back. It reports whether there was one.
func (d *Draft) Undo() bool { return false }

// Pieces returns the segments as they are to be.
func (d *Draft) Pieces() []Piece { return d.pieces }

// At returns the index in Pieces of the one that message n is in, -1 if n is
// none of the session.
func (d *Draft) At(n int) int { return -1 }

// Outcome tells what becomes of the stored segments.
func (d *Draft) Outcome() Outcome { return Reconcile(d.old, d.pieces, true) }

// Changed reports whether the pieces differ from what is stored.
func (d *Draft) Changed() bool { return false }

// Action names what the draft does, for the journal: its only change, or
// review.ActCut for several.
func (d *Draft) Action() review.Action { return review.ActCut }

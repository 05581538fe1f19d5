package segment

import (
	"winnow/core/chat"
	"winnow/core/review"
)

// Piece is a segment as it is to be.
type Piece struct {
	Cut
	By    review.CutBy // who made its boundaries
	Named bool         // the topic is a curator's
	// Print and Tally tell its content. A zero Print, with a zero Tally, is
	// right for a piece in the place of an old row of the same body, whose
	// content it has, and for a preview.
	Print chat.Print
	Tally review.Tally
	Body  int64 // the stored messages it lies in; 0: those of the old rows
}

// Outcome is what becomes of a session's segments.
type Outcome struct {
	// Rows are all segments as they are to be, in order. Changed ones differ
	// from what is stored; one without an id is new.
	Rows    []Row
	Retired []review.Segment // rows that leave, as they were, in order

	heirs []int // for each of Retired the index in Rows of what reminds of it; -1: nothing does
}

// Reconcile matches the segments of a session, all of them in order, with the
// pieces that are to be its segments. TODO
func Reconcile(old []review.Segment, pieces []Piece, hand bool) Outcome {
	return Outcome{}
}

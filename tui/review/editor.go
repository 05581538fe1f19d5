package review

import (
	"context"
	"slices"

	"winnow/core/review"
	"winnow/core/segment"
)

// Editor changes where the segments of a session begin and end. Every method
// may take long and is called from commands only.
type Editor interface {
	// SegmentsOf returns all segments of a session in order.
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
	// Recut gives a session other segments, as one entry of the journal.
	Recut(ctx context.Context, r Recut) (review.Entry, error)
	// Propose returns where a machine would cut a session. Nothing is
	// written, and nothing leaves this computer.
	Propose(ctx context.Context, session string) ([]segment.Cut, error)
}

// Recut is a new cut of a session by a curator's hands.
type Recut struct {
	Session string           // id
	Known   []review.Segment // the segments it was made of: if they changed since, it is a review.ErrConflict
	Pieces  []segment.Piece  // all segments as they are to be
	Curator string
	Action  review.Action
}

// SegmentWith returns the segment that holds a message, zero if it is not
// there: what was kept stays kept whether it can be shown or not.
func SegmentWith(ctx context.Context, editor Editor, session string, at int) review.Segment {
	rows, err := editor.SegmentsOf(ctx, session)
	i := slices.IndexFunc(rows, func(s review.Segment) bool { return s.Start <= at && at <= s.End })
	if err != nil || i < 0 {
		return review.Segment{}
	}
	return rows[i]
}

// Undoing takes what was done back. It may take long and is called from commands
// only.
type Undoing interface {
	// UndoEntry takes an action of a curator back; review.ErrConflict, with the
	// reason, if it can't be.
	UndoEntry(ctx context.Context, curator string, entry int64) (review.Entry, error)
}

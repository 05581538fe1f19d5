package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/review"
	"winnow/core/segment"
)

// Edit is what a curator does to the boundaries and topics of a session.
type Edit struct {
	Session string           // id
	Known   []review.Segment // all segments, as they were looked at
	Pieces  []segment.Piece  // all segments, as they are to be; prints are not needed
	Curator string
	Action  review.Action // for the journal; "" is review.ActCut
}

// Recut applies an edit and returns its journal entry. If the segments of the
// session are not as known any more, it is a review.ErrConflict; if the edit
// changes nothing, a review.ErrNothing.
func Recut(ctx context.Context, store CutStore, e Edit) (review.Entry, error) {
	if e.Curator == "" {
		return review.Entry{}, errors.New("boundaries are changed by somebody: a name is missing")
	}
	s, err := store.SessionByID(ctx, e.Session)
	if err != nil {
		return review.Entry{}, err
	}
	rows := s.Rows()
	if !slices.EqualFunc(rows, e.Known, sameSegment) {
		return review.Entry{}, fmt.Errorf("segments of %s: %w: look at them again", s.File, review.ErrConflict)
	}
	cuts := make([]segment.Cut, len(e.Pieces))
	for i := range e.Pieces {
		cuts[i] = e.Pieces[i].Cut
	}
	if err := segment.CheckCuts(cuts, 1, s.Messages); err != nil {
		return review.Entry{}, err
	}
	l := &layout{s: s, rows: rows, text: newText(store, s), pieces: slices.Clone(e.Pieces)}
	w, _, err := l.write(ctx, true)
	if errors.Is(l.text.failed, review.ErrNotFound) { // its messages were replaced just now
		err = fmt.Errorf("messages of %s: %w", s.File, review.ErrConflict)
	}
	if err != nil {
		return review.Entry{}, err
	}
	if !w.changes() {
		return review.Entry{}, fmt.Errorf("segments of %s are like that: %w", s.File, review.ErrNothing)
	}
	w.Curator, w.Action = e.Curator, e.Action
	if w.Action == "" {
		w.Action = review.ActCut
	}
	return store.WriteCuts(ctx, w)
}

// sameSegment reports whether a segment is as somebody has seen it: its
// content, and what curators say of it.
func sameSegment(a, b review.Segment) bool {
	return a.ID == b.ID && a.Start == b.Start && a.End == b.End && a.Digest == b.Digest &&
		a.Topic == b.Topic && a.Named == b.Named && a.Verdict == b.Verdict && a.Note == b.Note &&
		slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Masked, b.Masked) && a.Stale == b.Stale && a.Was == b.Was && a.Reviewer == b.Reviewer && a.ReviewedAt.Equal(b.ReviewedAt)
}

// Package show prints a segment or a session with its messages: as text, as JSON, as a
// digest.
package show

import (
	"context"
	"fmt"
	"slices"
	"time"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store"
)

// Subject is a segment or a session, and the messages it consists of.
type Subject struct {
	Segment  *review.Segment // nil: a whole session
	Session  review.Session
	Body     int64
	From, To int
	Recorded bool   // its messages as they were recorded, without edits
	Version  *int64 // its messages as they were after an entry of the journal, nil: now

	marks *tell.Marks
}

// Each calls f for its messages.
func (it *Subject) Each(ctx context.Context, s *store.Store, f func(*chat.Message) error) error {
	switch {
	case it.Version != nil:
		return s.EachAt(ctx, it.Session.ID, *it.Version, it.From, it.To, f)
	case it.Recorded:
		return s.EachRecorded(ctx, it.Body, it.From, it.To, f)
	}
	return s.EachMessage(ctx, it.Body, it.From, it.To, f)
}

// Printer prints what a subject is.
type Printer struct {
	Out   *print.Output
	Store *store.Store
	Now   func() time.Time
	Zone  *time.Location // of the times in a digest
	ASCII bool
	// Thresholds are the scores from which on a segment is fit for what.
	Thresholds metric.Thresholds
}

// Mark finds who edited the messages of a subject, before it is printed.
func (p *Printer) Mark(ctx context.Context, it *Subject) error {
	it.marks = &tell.Marks{}
	if it.Recorded || it.Version != nil {
		return nil
	}
	edits, err := p.Store.Edits(ctx, it.Body, it.From, it.To)
	if err != nil || len(edits) == 0 {
		return err
	}
	by, err := p.Store.EditedBy(ctx, it.Body, edits[0].N, it.To)
	it.marks = tell.MarksOf(edits, by, p.ASCII)
	return err
}

// untrained returns what tells whether a message that is shown is switched off.
func (p *Printer) untrained(ctx context.Context, it *Subject) (func(*chat.Message) bool, error) {
	segments := []review.Segment{}
	if it.Segment != nil {
		segments = append(segments, *it.Segment)
	} else {
		var err error
		if segments, err = p.Store.SegmentsOf(ctx, it.Session.ID); err != nil {
			return nil, fmt.Errorf("the segments of session %s: %w", review.Short(it.Session.ID), err)
		}
	}
	var off []int // ascending, as segments are
	for i := range segments {
		off = append(off, tell.MaskedNumbers(&segments[i])...)
	}
	return func(m *chat.Message) bool {
		_, found := slices.BinarySearch(off, m.N)
		return found && m.Part == 0 || it.marks.Untrained(m) || m.Role == chat.Assistant && m.Summary()
	}, nil
}

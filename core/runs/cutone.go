package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
)

// cutTries is how often a session is cut again because it changed meanwhile.
// Curators are slower than that; an agent that writes on and on is waited for
// until the next run.
const cutTries = 4

// errBusy says that a session changed each time that it was cut.
var errBusy = errors.New("is being written")

// cutting is one session that is being cut.
type cutting struct {
	g    *Segmenter
	s    *review.StoredSession
	text *text // as recorded
	seen *text // as the cutter is shown it, mostly the same
	// said is what the cutter answered so far: it is asked only once for the
	// same messages.
	said []answer
	goOn int // judged segments that go on in what was added
}

// answer is how a cutter cuts a run of messages.
type answer struct {
	segment.Span
	cuts []segment.Cut
}

// one cuts a session and stores that. A session that is gone has no outcome.
// A review.StoreError is the store's failure; others concern this session alone.
func (c *cutting) one(ctx context.Context, id string) (cutDone, error) {
	for range cutTries {
		w, done, err := c.try(ctx, id)
		if err == nil && w != nil {
			_, err = c.g.Store.WriteCuts(ctx, w)
			if err != nil && !errors.Is(err, review.ErrConflict) {
				err = &review.StoreError{Err: err}
			}
		}
		if !errors.Is(err, review.ErrConflict) {
			return done, err
		}
	}
	return cutDone{}, errBusy
}

// cutDone is what became of a session.
type cutDone struct {
	sessions, changed, segments, messages, goOn int
	asked                                       bool // the cutter was, and it answered
}

// load takes a session as it is now. What a cutter said of its messages is
// kept as long as they are the same.
func (c *cutting) load(s *review.StoredSession) {
	if c.s == nil || !sameMessages(c.s, s) {
		c.said, c.text = nil, newText(c.g.Store, s)
		c.seen = c.text.shown(c.g.Store, s)
	}
	c.s = s
}

// sameMessages reports whether two states of a session surely hold the same
// messages.
func sameMessages(a, b *review.StoredSession) bool {
	return a.Edits+b.Edits == 0 && a.Body == b.Body && a.Messages == b.Messages && a.Trace == b.Trace && !a.Trace.IsZero()
}

// try cuts a session as it is now, and returns what is to be written, nil if
// nothing is. review.ErrConflict says that it has changed since.
func (c *cutting) try(ctx context.Context, id string) (*CutWrite, cutDone, error) {
	s, err := c.g.Store.SessionByID(ctx, id)
	if errors.Is(err, review.ErrNotFound) {
		return nil, cutDone{}, nil
	}
	if err != nil {
		return nil, cutDone{}, &review.StoreError{Err: err}
	}
	c.load(s)
	rows := c.s.Rows()
	spans := segment.Free(rows, c.g.Again)
	done := cutDone{sessions: 1, segments: len(rows), messages: c.s.Messages}
	w := &CutWrite{Session: c.s.ID, Body: c.s.Body, Messages: c.s.Messages, Known: rows}
	if len(spans) > 0 {
		pieces, err := c.pieces(ctx, rows, spans)
		if err != nil {
			return nil, cutDone{}, c.blame(ctx, err)
		}
		l := &layout{s: c.s, rows: rows, text: c.text, pieces: pieces}
		if w, _, err = l.write(ctx, false); err != nil {
			return nil, cutDone{}, c.blame(ctx, err)
		}
		done.segments, done.goOn, done.asked = len(pieces), c.goOn, len(c.said) > 0
	}
	if w.changes() {
		done.changed = 1
	} else if c.s.Segmented {
		return nil, done, nil
	}
	return w, done, nil
}

// blame tells failures of the store from those of the cutter.
func (c *cutting) blame(ctx context.Context, err error) error {
	failed := cmp.Or(c.text.failed, c.seen.failed)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrMissing):
		return c.missed(ctx, err)
	case failed == nil:
		return err
	case errors.Is(failed, review.ErrNotFound): // its messages were given up
		c.s = nil
		return review.ErrConflict
	case errors.Is(failed, chat.ErrCorruptChunk):
		return failed
	}
	return &review.StoreError{Err: failed}
}

// missed tells messages that went to another session since from such that are
// lost.
func (c *cutting) missed(ctx context.Context, err error) error {
	now, failed := c.g.Store.SessionByID(ctx, c.s.ID)
	switch {
	case errors.Is(failed, review.ErrNotFound):
	case failed != nil:
		return &review.StoreError{Err: failed}
	case now.Body == c.s.Body && now.Messages >= c.s.Messages:
		return err
	}
	c.s = nil
	return review.ErrConflict
}

// pieces returns all segments as they are to be: the rows outside of the
// spans, and in them what the cutter says.
func (c *cutting) pieces(ctx context.Context, rows []review.Segment, spans []segment.Span) ([]segment.Piece, error) {
	c.expect(rows, spans)
	c.goOn = 0
	var pieces []segment.Piece
	for i := 0; i < len(rows); {
		if len(spans) == 0 || rows[i].Start < spans[0].From {
			pieces = append(pieces, segment.PieceOf(&rows[i]))
			i++
			continue
		}
		first := i
		for i < len(rows) && rows[i].End <= spans[0].To {
			i++
		}
		cuts, by, err := c.cut(ctx, rows[first:i], spans[0])
		if err != nil {
			return nil, err
		}
		spared, grown := segment.Spare(rows[first:i], cuts, by, c.g.Again)
		pieces = append(pieces, spared...)
		c.goOn += grown
		spans = spans[1:]
	}
	cuts := make([]segment.Cut, len(pieces))
	for i := range pieces {
		cuts[i] = pieces[i].Cut
	}
	if err := segment.CheckCuts(cuts, 1, c.s.Messages); err != nil {
		return nil, fmt.Errorf("its segments do not fit its messages (%w): run winnow doctor", err)
	}
	return pieces, nil
}

// expect tells the text what will be read of it.
func (c *cutting) expect(rows []review.Segment, spans []segment.Span) {
	from, to, tokens := spans[0].From, spans[len(spans)-1].To, 0
	for i := range rows {
		if rows[i].Start >= from && rows[i].End <= to {
			tokens += rows[i].Tokens
		}
	}
	c.text.expect(from, to, tokens)
	if c.seen != c.text {
		c.seen.expect(from, to, tokens)
	}
}

// cut returns the segments of a run of messages, which some rows hold, and who
// made them. One or two messages that stand alone are a segment that nobody is
// asked about.
func (c *cutting) cut(ctx context.Context, rows []review.Segment, span segment.Span) ([]segment.Cut, review.CutBy, error) {
	if c.s.Messages <= segment.SingleMax || len(rows) == 1 && span.Len() <= segment.SingleMax {
		return []segment.Cut{{Start: span.From, End: span.To}}, review.CutSingle, nil
	}
	by := c.g.Cutter.By()
	if cuts, ok := c.answered(span); ok {
		return cuts, by, nil
	}
	cuts, err := cutText(ctx, c.g.Cutter, c.seen, span)
	if err != nil {
		return nil, "", err
	}
	c.said = append(c.said, answer{span, cuts})
	return cuts, by, nil
}

// answered is what the cutter said already of messages.
func (c *cutting) answered(span segment.Span) ([]segment.Cut, bool) {
	for i := range c.said {
		if a := &c.said[i]; a.From <= span.From && span.To <= a.To {
			return span.Clip(a.cuts), true
		}
	}
	return nil, false
}

// cutText asks a cutter, and checks what it says.
func cutText(ctx context.Context, cutter segment.Cutter, t *text, span segment.Span) ([]segment.Cut, error) {
	cuts, err := cutter.Cut(ctx, t.forCutter(span.From, span.To))
	if err != nil {
		return nil, err
	}
	return cuts, segment.CheckCuts(cuts, span.From, span.To)
}

package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
)

// before is what a session held that is read anew.
type before struct {
	body     int64
	messages int
	rows     []review.Segment
}

// beforeOf returns what is carried over of a stored session; nil if nothing
// would be lost: it is one segment on which nobody left anything.
func beforeOf(s *review.StoredSession) *before {
	b := &before{s.Body, s.Messages, s.Rows()}
	if len(b.rows) == 0 || s.Messages > maxCarried || len(b.rows) == 1 && !b.rows[0].Verdict.Judged() && b.rows[0].Note == "" && len(b.rows[0].Tags) == 0 && len(b.rows[0].Masked) == 0 {
		return nil
	}
	return b
}

// maxCarried is the number of messages up to which a session that was rewritten
// is compared with what it was, which takes up to 100 MB. Of longer ones, and of
// what lies after holdBytes, only the segments in front of the first change
// stay.
const maxCarried = 1 << 18

// carry finds the segments again that stand after the first change of a
// rewritten session, among the messages that are about to be stored first:
// mostly all of them.
func (t *tracker) carry(ctx context.Context, store ImportStore) error {
	b := t.before
	if t.before = nil; b == nil || !t.cover.Astray() {
		return nil
	}
	c := carrying{before: b, messages: t.messages(), each: func(f func(*chat.Message) error) error {
		return t.each(ctx, store, 1, t.messages(), f)
	}}
	if c.messages > maxCarried {
		return nil
	}
	if ok, err := c.cut(ctx, store); err != nil || !ok {
		return err
	}
	last := c.pieces[len(c.pieces)-1]
	t.settle(min(len(t.tail), last.End-last.Start+1))
	tail, tallies := make([]chat.Message, len(t.tail)), make([]review.Tally, len(t.tail))
	for i := range t.tail {
		tail[i], tallies[i] = t.tail[i].Message, t.tail[i].tally
	}
	out, state, err := c.reconcile(len(tail))
	if err != nil {
		return err
	}
	t.cover, err = segment.CarriedCover(out, state, tail, tallies)
	return err
}

// carrying brings segments to where their messages are now.
type carrying struct {
	*before
	messages int
	each     func(func(*chat.Message) error) error // all messages, in order
	pieces   []segment.Piece
	gone     []bool      // rows of which no message is there any more
	to       map[int]int // numbers of messages, by those they had
}

// cover returns one of the segments as they are now, all messages of which are
// settled; the one given if nothing can be carried over.
func (c *carrying) cover(ctx context.Context, store ImportStore, plain *segment.Cover) (*segment.Cover, error) {
	if ok, err := c.cut(ctx, store); err != nil || !ok {
		return plain, err
	}
	out, state, err := c.reconcile(0)
	if err != nil {
		return nil, err
	}
	return segment.CarriedCover(out, state, nil, nil)
}

// cut finds where segments are. It reports false if what they held can't be
// read any more.
func (c *carrying) cut(ctx context.Context, store ImportStore) (ok bool, err error) {
	var was, now segment.Sums
	err = eachOf(ctx, store, c.body, c.before.messages, func(m *chat.Message) error { was.Add(m); return nil })
	if errors.Is(err, review.ErrNotFound) || errors.Is(err, chat.ErrCorruptChunk) {
		return false, nil
	}
	if err != nil {
		return false, &review.StoreError{Err: err}
	}
	if err := c.each(func(m *chat.Message) error { now.Add(m); return nil }); err != nil {
		return false, err
	}
	cuts, gone, to := segment.Carry(c.rows, &was, &now)
	c.gone, c.to = gone, to
	for _, cut := range cuts {
		c.pieces = append(c.pieces, segment.Piece{Cut: cut, By: review.CutProvisional, Body: elsewhere})
	}
	return len(c.pieces) > 0, nil
}

// elsewhere stands for a body that is not stored yet.
const elsewhere = -1

// reconcile decides which segments stay, and returns the hash state of the last
// one without the newest held messages.
func (c *carrying) reconcile(held int) (out segment.Outcome, state []byte, err error) {
	settled := c.messages - held
	if last := &c.pieces[len(c.pieces)-1]; last.Start > settled+1 {
		return out, nil, fmt.Errorf("%d messages are held back of a segment of %d", held, last.End-last.Start+1)
	}
	p := segment.NewPrinting(c.pieces, c.messages, settled)
	if err := c.each(p.Add); err != nil {
		return out, nil, err
	}
	if len(c.pieces) == 1 && c.messages <= segment.SingleMax {
		c.pieces[0].By = review.CutSingle
	}
	return c.match(), p.State, nil
}

// match finds the rows that stay. What was said of messages that are gone is
// kept in the journal: what stands in their place shares nothing with them.
func (c *carrying) match() segment.Outcome {
	rows, were := slices.Clone(c.rows), map[string]*review.Segment{}
	for i := range rows {
		if c.gone[i] {
			rows[i] = segment.Bare(rows[i])
			were[rows[i].ID] = &c.rows[i]
		}
	}
	out := segment.Reconcile(rows, c.pieces, false)
	out.Remask(c.rows, c.to)
	for i := range out.Retired {
		if was := were[out.Retired[i].ID]; was != nil {
			out.Retired[i] = *was
		}
	}
	return out
}

// eachOf calls f for the first n messages of a body, one chunk at a time.
// review.ErrNotFound says that not all of them are there.
func eachOf(ctx context.Context, store ImportStore, body int64, n int, f func(*chat.Message) error) error {
	for next := 1; next <= n; {
		list, err := store.Chunk(ctx, body, next)
		if err != nil {
			return err
		}
		if len(list) == 0 || list[len(list)-1].N < next {
			return fmt.Errorf("message %d: %w", next, review.ErrNotFound)
		}
		for i := range list {
			if err := f(&list[i]); err != nil {
				return err
			}
		}
		next = list[len(list)-1].N + 1
	}
	return nil
}

package hub

import (
	"context"
	"fmt"

	"winnow/core/chat"
	"winnow/core/review"
)

// early is a number by which the first user message mostly has come.
const early = 64

// each calls f for messages from..to in order, holding one chunk in memory at
// a time. What the session has in the store must be there, and t.row.Body name
// it.
func (t *tracker) each(ctx context.Context, store ImportStore, from, to int, f func(*chat.Message) error) error {
	for from <= to {
		list, err := t.run(ctx, store, from)
		if err != nil {
			return err
		}
		next := from
		for i := range list {
			m := &list[i]
			if m.N < from || m.N > to {
				continue
			}
			if err := f(m); err != nil {
				return err
			}
			next = m.N + 1
		}
		if next == from {
			return fmt.Errorf("message %d of %s is missing: run winnow doctor", from, t.row.File)
		}
		from = next
	}
	return nil
}

// run returns the messages that lie together with message n.
func (t *tracker) run(ctx context.Context, store ImportStore, n int) ([]chat.Message, error) {
	switch {
	case n <= t.keepTo:
		list, err := store.Chunk(ctx, t.row.Body, n)
		if err != nil {
			err = &review.StoreError{Err: err}
		}
		return list, err
	case n > t.tally.Messages:
		list := make([]chat.Message, len(t.tail))
		for i := range t.tail {
			list[i] = t.tail[i].Message
		}
		return list, nil
	case len(t.open.heads) > 0 && n >= t.open.first:
		return t.open.messages()
	}
	for i := range t.chunks {
		if c := &t.chunks[i]; n <= c.Last {
			return chat.ReadChunk(c.Data)
		}
	}
	return nil, nil
}

// cut takes back all messages after number n. The segments that lie after it
// are returned; see segment.Cover.Cut, and Reopen if reopen is set.
func (t *tracker) cut(ctx context.Context, store ImportStore, n int, reopen bool) (behind []review.Segment, err error) {
	t.identify()
	t.settle(0)
	t.before = nil // its segments may lie in several sessions
	var gone review.Tally
	err = t.each(ctx, store, n+1, t.messages(), func(m *chat.Message) error {
		gone.Add(m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	from := 0
	if reopen {
		from = t.cover.Reopen(n + 1)
	} else {
		from, behind = t.cover.Cut(n, false)
	}
	if err := t.shorten(ctx, store, n); err != nil {
		return nil, err
	}
	t.tally, t.dirty = t.tally.Minus(gone), true
	// What stays is hashed again from where its last segment begins. It is
	// traced from its beginning if nothing else names the session, or if what
	// its first messages tell is not all that was told.
	start, opening := 1, review.Trail{}
	if t.row.NativeID != "" && n > early {
		if opening, err = t.opening(ctx, store); err != nil {
			return nil, err
		}
		if opening.Head == t.trail.Head && opening.Opening == t.trail.Opening {
			start = from
		}
	}
	t.trail = review.Trail{}
	if start > 1 {
		t.trail.Head, t.trail.Opening = opening.Head, opening.Opening
	}
	t.broke = false
	var packed []byte
	err = t.each(ctx, store, min(start, n+1), n, func(m *chat.Message) error {
		packed = chat.AppendMessage(packed[:0], m)
		t.learn(m, packed)
		if m.Timestamp != "" {
			t.row.Ended = m.Timestamp
		}
		if m.N >= from {
			t.cover.Add(m, review.TallyOf(m))
		}
		return nil
	})
	t.cover.Settle()
	return behind, err
}

// opening is what the first messages of a long session tell.
func (t *tracker) opening(ctx context.Context, store ImportStore) (told review.Trail, err error) {
	var packed []byte
	err = t.each(ctx, store, 1, early, func(m *chat.Message) error {
		packed = chat.AppendMessage(packed[:0], m)
		told.Follow(m, packed)
		return nil
	})
	return told, err
}

// shorten drops what is packed after message n.
func (t *tracker) shorten(ctx context.Context, store ImportStore, n int) error {
	var kept []chat.Message
	if n > 0 {
		var err error
		if kept, err = t.run(ctx, store, n); err != nil {
			return err
		}
	}
	for len(t.chunks) > 0 && t.chunks[len(t.chunks)-1].Last >= n {
		t.chunks = t.chunks[:len(t.chunks)-1]
	}
	t.open.reset()
	if n <= t.keepTo {
		t.keepTo = 0
		if len(kept) > 0 {
			t.keepTo = kept[0].N - 1
		}
	}
	for i := range kept {
		if kept[i].N <= n {
			t.pack(&kept[i])
		}
	}
	return nil
}

// reopen replaces a message that is not held back any more.
func (t *tracker) reopen(ctx context.Context, store ImportStore, back int, m *chat.Message) error {
	n := t.messages() - back
	if n < 1 {
		return fmt.Errorf("%s: message %d before the last of %d was to be changed", t.row.File, back, t.messages())
	}
	t.identify()
	var behind []chat.Message
	err := t.each(ctx, store, n+1, t.messages(), func(m *chat.Message) error {
		behind = append(behind, *m)
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := t.cut(ctx, store, n-1, true); err != nil {
		return err
	}
	t.add(m)
	for i := range behind {
		t.add(&behind[i])
	}
	return nil
}

// move appends the messages after number n to another session, with the
// segments they are in.
func (t *tracker) move(ctx context.Context, store ImportStore, n int, to *tracker) error {
	if n < 0 || n >= t.messages() {
		return fmt.Errorf("%s: nothing after message %d of %d", t.row.File, n, t.messages())
	}
	t.identify()
	to.identify()
	// The messages are read before they are taken away, one chunk at a time.
	shift := to.messages() - n
	behind := t.cover.Behind(n)
	for i := range behind {
		behind[i].Start += shift
		behind[i].End += shift
	}
	to.cover.Plan(behind)
	err := t.each(ctx, store, n+1, t.messages(), func(m *chat.Message) error {
		it := *m
		to.add(&it)
		return nil
	})
	if err != nil {
		return err
	}
	to.inherit(&t.row)
	_, err = t.cut(ctx, store, n, false)
	return err
}

// inherit takes over what is known of the session that a branch left.
func (t *tracker) inherit(from *review.Session) {
	for _, f := range []struct{ to, from *string }{
		{&t.row.Format, &from.Format}, {&t.row.Model, &from.Model}, {&t.row.Dir, &from.Dir}, {&t.row.Tools, &from.Tools},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"winnow/core/chat"
	corewords "winnow/core/words"
)

// lookers is how many look into texts at once: most of it is decompressing. Each
// takes one of maxReaders connections, of which the screen needs some.
const lookers = 2

// candidate is a segment in which something may be found.
type candidate struct {
	segmentAt
	found bool
	spans []stretch // messages to be looked at, unless it is found
}

// stretch is a run of messages.
type stretch struct{ from, to int }

// add adds messages; those of parts of one message come again and again.
func (c *candidate) add(s stretch) {
	if n := len(c.spans); n == 0 || c.spans[n-1] != s {
		c.spans = append(c.spans, s)
	}
}

// looker looks into texts.
type looker struct {
	find corewords.Finder
	text textReader
}

// look finds out which candidates are found that are not yet.
func (m *searching) look(ctx context.Context, list []candidate) error {
	if !slices.ContainsFunc(list, func(c candidate) bool { return !c.found }) {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for i := range m.lookers {
		l := &m.lookers[i]
		g.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(list) {
					return nil
				}
				if c := &list[n]; !c.found {
					if err := l.look(ctx, m.store, c); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

// look looks for what is searched for in the messages of a candidate.
func (l *looker) look(ctx context.Context, s *Store, c *candidate) error {
	for _, part := range c.spans {
		for n := part.from; n <= part.to; n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			m, err := l.text.message(ctx, s, c.body, n)
			if errors.Is(err, sql.ErrNoRows) {
				return nil // given up meanwhile
			}
			if err != nil {
				return err
			}
			if c.found = l.find.InMessage(m); c.found {
				return nil
			}
		}
	}
	return nil
}

// textReader reads messages of which the next one is mostly near the last one: it
// keeps the chunk.
type textReader struct {
	body int64
	list []chat.Message
}

// message returns a message; it is valid until the next one is read.
// sql.ErrNoRows says that it is not there.
func (r *textReader) message(ctx context.Context, s *Store, body int64, n int) (*chat.Message, error) {
	if r.body != body || !r.has(n) {
		c, err := s.chunk(ctx, body, n)
		if err != nil {
			return nil, err
		}
		r.body = body
		if r.list, err = c.Rest(); err != nil {
			return nil, err
		}
	}
	if !r.has(n) {
		return nil, sql.ErrNoRows
	}
	return &r.list[n-r.list[0].N], nil
}

// has reports whether message n is in the chunk at hand.
func (r *textReader) has(n int) bool {
	return len(r.list) > 0 && n >= r.list[0].N && n <= r.list[len(r.list)-1].N
}

package text

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"winnow/core/chat"
	"winnow/core/words"
)

// lookers is how many look into texts at once: most of it is decompressing. Each
// takes one of the reading connections, of which the screen needs some.
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

// look finds out which candidates are found that are not yet.
func (m *searching) look(ctx context.Context, list []candidate) error {
	if !slices.ContainsFunc(list, func(c candidate) bool { return !c.found }) {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for i := range m.lookers {
		g.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(list) {
					return nil
				}
				if c := &list[n]; !c.found {
					if err := m.lookers[i].look(ctx, m.Index, c); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

// looker looks into texts.
type looker struct {
	find words.Finder
	// The chunk at hand: the next message is mostly near the last one.
	body int64
	list []chat.Message
}

// look looks for what is searched for in the messages of a candidate.
func (l *looker) look(ctx context.Context, x *Index, c *candidate) error {
	for _, part := range c.spans {
		for n := part.from; n <= part.to; n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			m, err := l.message(ctx, x, c.body, n)
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

// message returns a message; it is valid until the next one is read.
// sql.ErrNoRows says that it is not there.
func (l *looker) message(ctx context.Context, x *Index, body int64, n int) (*chat.Message, error) {
	if l.body != body || !l.has(n) {
		c, err := x.Chunk(ctx, body, n)
		if err != nil {
			return nil, err
		}
		l.body = body
		if l.list, err = x.now(ctx, body, c); err != nil {
			return nil, err
		}
	}
	if !l.has(n) {
		return nil, sql.ErrNoRows
	}
	return &l.list[n-l.list[0].N], nil
}

// now returns what stands now at the places of the messages of a chunk.
func (x *Index) now(ctx context.Context, body int64, c chat.Chunk) ([]chat.Message, error) {
	list, err := c.Rest()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	over, err := x.Over(ctx, body, list[0].N, list[len(list)-1].N)
	if err != nil || over == nil {
		return list, err
	}
	for i := range list {
		list[i] = *over.Joined(&list[i])
	}
	return list, nil
}

// has reports whether message n is in the chunk at hand.
func (l *looker) has(n int) bool {
	return len(l.list) > 0 && n >= l.list[0].N && n <= l.list[len(l.list)-1].N
}

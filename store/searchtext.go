package store

import (
	"context"
	"database/sql"

	"winnow/core/chat"
)

// textReader reads messages of which the next one is mostly near the last one: it
// keeps the chunk.
type textReader struct {
	body int64
	list []chat.Message
}

// message returns a message; it is valid until the next one is read.
// sql.ErrNoRows says that it is not there.
func (r *textReader) message(ctx context.Context, s *Store, body int64, n int) (*chat.Message, error) {
	if r.body != body || len(r.list) == 0 || n < r.list[0].N || n > r.list[len(r.list)-1].N {
		c, err := s.chunk(ctx, body, n)
		if err != nil {
			return nil, err
		}
		r.body = body
		if r.list, err = c.Rest(); err != nil {
			return nil, damaged(err)
		}
	}
	if len(r.list) == 0 || n < r.list[0].N || n > r.list[len(r.list)-1].N {
		return nil, sql.ErrNoRows
	}
	return &r.list[n-r.list[0].N], nil
}

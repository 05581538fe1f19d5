package store

import (
	"context"
	"fmt"
	"time"

	"winnow/core/chat"
	"winnow/core/filter"
	"winnow/store/sqlite"
	"winnow/store/text"
)

// index returns the text index.
func (s *Store) index() *text.Index {
	return &text.Index{
		DB: s.db, Chunk: s.chunk, Over: s.overlay, Sizes: s.textSizes,
		Role: func(ctx context.Context, body int64, n int) (chat.Role, error) {
			var flags int
			err := s.db.Rows(ctx, "SELECT flags FROM messages WHERE id = ?", messageID(body, n)).One(&flags)
			return roles[flags&flagRoles], err
		},
		Write: func(ctx context.Context, f func(*sqlite.Tx) error) error {
			return s.write(ctx, sqlite.Machine, "index text", func(t *tx) error { return f(t.Tx) })
		},
	}
}

// TextMatches calls f with the rows of segments in which a text is found, as
// text.Index.Matches says.
func (s *Store) TextMatches(ctx context.Context, t filter.Text, f func(rows []int64) error) error {
	return s.fail("search", s.index().Matches(ctx, t, f))
}

// IndexText makes messages searchable that are not so yet, as text.Index.Fill
// says.
func (s *Store) IndexText(ctx context.Context, budget time.Duration) (more bool, err error) {
	if err := s.Writable(); err != nil {
		return false, err
	}
	more, err = s.index().Fill(ctx, budget)
	return more, s.fail("index text", err)
}

// IndexedShare returns how many of all stored messages can be found by their
// text by now.
func (s *Store) IndexedShare(ctx context.Context) (done, all int64, err error) {
	done, all, err = s.index().Share(ctx)
	return done, all, s.fail("look at the text index", err)
}

// search checks the text index.
func (c *checking) search() error {
	// The messages of a body are those of its chunks.
	stored := fmt.Sprintf("coalesce((SELECT last FROM chunks c WHERE c.id BETWEEN bodies.id << %[1]d AND (bodies.id + 1 << %[1]d) - 1 ORDER BY c.id DESC LIMIT 1), 0)", bodyShift)
	t := text.Checker{DB: c.db, StoredSQL: stored, Report: func(rule, where, wrong string, fix func(*sqlite.Tx) error) {
		c.report(rule, where, func(t *tx) error { return fix(t.Tx) }, "%s", wrong)
	}}
	return t.Check(c.ctx)
}

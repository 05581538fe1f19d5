package store

import (
	"context"

	"winnow/store/stamp"
)

const (
	screenSQL     = "SELECT state FROM screens WHERE curator = ?"
	keepScreenSQL = "INSERT INTO screens (curator, at, state) VALUES (?, ?, ?) ON CONFLICT (curator) DO UPDATE SET at = excluded.at, state = excluded.state"
)

// Screen returns how a curator's screen looked, as KeepScreen got it; "" if
// nobody kept it.
func (s *Store) Screen(ctx context.Context, curator string) (state string, err error) {
	_, err = s.db.Rows(ctx, screenSQL, curator).Maybe(&state)
	return state, s.fail("read how the screen looked", err)
}

// KeepScreen keeps how a curator's screen looks, a JSON object. It is no change
// of Version.
func (s *Store) KeepScreen(ctx context.Context, curator, state string) error {
	err := s.writeBeside(ctx, "keep how the screen looks", func(t *tx) error {
		return t.do(keepScreenSQL, curator, stamp.Of(s.now()), state)
	})
	s.tidy(1)
	return err
}

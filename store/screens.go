package store

import (
	"context"
	"database/sql"
	"errors"
)

const (
	screenSQL     = "SELECT state FROM screens WHERE curator = ?"
	keepScreenSQL = "INSERT INTO screens (curator, at, state) VALUES (?, ?, ?) ON CONFLICT (curator) DO UPDATE SET at = excluded.at, state = excluded.state"
)

// Screen returns how a curator's screen looked, as KeepScreen got it; "" if
// nobody kept it.
func (s *Store) Screen(ctx context.Context, curator string) (state string, err error) {
	err = s.db.Readers.Row(ctx, screenSQL, []any{curator}, []any{&state})
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return state, s.fail("read how the screen looked", err)
}

// KeepScreen keeps how a curator's screen looks, a JSON object. It is no change
// of Version.
func (s *Store) KeepScreen(ctx context.Context, curator, state string) error {
	err := s.writeBeside(ctx, "keep how the screen looks", func(t *tx) error {
		_, err := t.Exec(keepScreenSQL, curator, stamp(s.now()), state)
		return err
	})
	s.tidy(1)
	return err
}

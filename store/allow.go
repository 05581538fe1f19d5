package store

import (
	"context"

	"winnow/store/sqlite"
)

// Allowed reports whether the curators of this database allowed that its
// sessions are sent to a host.
func (s *Store) Allowed(ctx context.Context, host string) (bool, error) {
	var yes bool
	err := s.db.Rows(ctx, "SELECT EXISTS (SELECT 1 FROM progress WHERE name = 'send to ' || ?)", host).One(&yes)
	return yes, s.fail("look whether sessions may be sent", err)
}

// Allow remembers that sessions may be sent to a host.
func (s *Store) Allow(ctx context.Context, host string) error {
	return s.write(ctx, sqlite.Curator, "remember where sessions may be sent", func(t *tx) error {
		return t.do("INSERT INTO progress VALUES ('send to ' || ?, 1) ON CONFLICT DO NOTHING", host)
	})
}

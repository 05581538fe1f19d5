package store

import (
	"context"

	"winnow/core/graph"
)

const sealedSQL = "SELECT sealed FROM edits INDEXED BY edits_redacted WHERE why = 'redact' AND sealed IS NOT NULL"

// Sealed returns what redactions in force took out: sayings that must be in no
// training data, in whatever session they are said. A message says one of them if
// graph.SayingOf finds it there.
func (s *Store) Sealed(ctx context.Context) (map[graph.Saying]bool, error) {
	all := map[graph.Saying]bool{}
	var list []byte
	rows := s.db.Rows(ctx, sealedSQL)
	for range rows.Into(&list) {
		for ; len(list) >= len(graph.Saying{}); list = list[len(graph.Saying{}):] {
			all[graph.Saying(list)] = true
		}
	}
	return all, s.fail("read what is redacted", rows.Err())
}

// Sealed is Store.Sealed.
func (n *Snapshot) Sealed(ctx context.Context) (map[graph.Saying]bool, error) { return n.s.Sealed(ctx) }

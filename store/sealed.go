package store

import (
	"context"

	"winnow/core/chat"
	"winnow/core/edit"
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

const takenSQL = "SELECT " + editColumns + " FROM edits INDEXED BY edits_redacted WHERE why = 'redact' ORDER BY body, n"

// TakenOut returns the texts that redactions in force took out, each once; see
// edit.Taken. It reads what was recorded at their places.
func (s *Store) TakenOut(ctx context.Context) (list []string, err error) {
	edits, err := editsIn(s.db.Rows(ctx, takenSQL))
	if err != nil {
		return nil, s.fail("read what is redacted", err)
	}
	met := map[string]bool{}
	var chunk []chat.Message // that was read last
	var body int64
	for i := range edits {
		e := &edits[i]
		if e.Part > 0 || e.Clash {
			continue // a curator's own text, or another message is recorded by now
		}
		if at := len(chunk) - 1; e.Body != body || at < 0 || e.N > chunk[at].N {
			if chunk, err = s.Chunk(ctx, e.Body, e.N); err != nil {
				return nil, err
			}
			body = e.Body
		}
		at := 0
		if len(chunk) > 0 {
			at = e.N - chunk[0].N
		}
		if at < 0 || at >= len(chunk) {
			continue
		}
		now := &e.Message
		if e.Op == edit.Drop {
			now = nil
		}
		for _, text := range edit.Taken(&chunk[at], now) {
			if !met[text] {
				met[text] = true
				list = append(list, text)
			}
		}
	}
	return list, nil
}

// TakenOut is Store.TakenOut.
func (n *Snapshot) TakenOut(ctx context.Context) ([]string, error) { return n.s.TakenOut(ctx) }

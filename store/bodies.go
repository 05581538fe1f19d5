package store

import (
	"context"
	"fmt"
	"time"

	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/text"
)

// Values of bodies.dropped.
const (
	dropped = 1 // its messages are being deleted
	deleted = 2
)

// dropBody gives up a body that its session, which must have its new one by
// now, has left. It stays if a judged segment that left lay in it: the journal,
// or a stale segment, refers to its messages. Nobody can read a dropped body
// from here on; the messages are deleted after the import, see sweep.
func (im *importing) dropBody(old int64, session string) error {
	const text = `UPDATE bodies SET dropped = ? WHERE id = ? AND session_id = ? AND dropped = 0
		AND NOT EXISTS (SELECT 1 FROM trajectory_records s WHERE s.id = bodies.session_id AND s.body = bodies.id)
		AND NOT EXISTS (SELECT 1 FROM journal_changes c WHERE c.body = bodies.id)
		AND NOT EXISTS (SELECT 1 FROM task_segments g WHERE g.was_body = bodies.id AND g.was_body > 0)`
	n, err := im.change(text, dropped, old, session)
	im.dropped = im.dropped || n > 0
	return err
}

const (
	// sweepChunks and sweepRows are what one transaction deletes: about 10 ms
	// of work. Deleting a chunk reads all of its pages.
	sweepChunks, sweepRows = 32, 4096
	// sweepBreath is left between them for writers in other processes.
	sweepBreath = 3 * time.Millisecond
)

// sweepSoon deletes dropped bodies in the background: those of a transaction,
// and after the first one of a Store those that an earlier process left.
func (s *Store) sweepSoon(some bool) {
	if first := !s.swept.Swap(true); !some && !first {
		return
	}
	if s.sweeps.Add(1) > 1 {
		return // whoever sweeps looks again
	}
	s.background.Go(func() {
		for {
			asked := s.sweeps.Load()
			for !s.closing.Load() {
				more, err := s.sweep(context.Background())
				if err != nil || !more {
					break // what failed is left for the next process
				}
				time.Sleep(sweepBreath)
			}
			if s.sweeps.CompareAndSwap(asked, 0) {
				return
			}
		}
	})
}

// sweep deletes a part of a dropped body and reports whether there was one.
func (s *Store) sweep(ctx context.Context) (more bool, err error) {
	const next = "SELECT id FROM bodies WHERE dropped = 1 ORDER BY id LIMIT 1"
	var body int64
	if some, err := s.db.Rows(ctx, next).Maybe(&body); err != nil || !some {
		return false, s.fail("look for dropped messages", err)
	}
	return true, s.write(ctx, sqlite.Machine, "delete dropped messages", func(t *tx) error {
		all := true
		for _, part := range []struct {
			text  string
			limit int64
		}{
			{"DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)", sweepChunks},
			{"DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)", sweepRows},
		} {
			n, err := t.change(part.text, messageID(body, 0), lastID(body), part.limit)
			if err != nil {
				return err
			}
			all = all && n < part.limit
		}
		if unindexed, err := text.Remove(t.Tx, body); err != nil || !unindexed || !all {
			return err
		}
		for _, text := range []string{"DELETE FROM starts WHERE body = ?", "DELETE FROM contexts WHERE body = ?"} {
			if err := t.do(text, body); err != nil {
				return err
			}
		}
		return t.do("UPDATE bodies SET dropped = ? WHERE id = ? AND dropped = 1", deleted, body)
	})
}

// there explains why messages of a body were not found: nil if it never had
// them.
func (s *Store) there(ctx context.Context, body int64) error {
	var gone bool
	_, err := s.db.Rows(ctx, "SELECT dropped > 0 FROM bodies WHERE id = ?", body).Maybe(&gone)
	if err == nil && gone {
		err = fmt.Errorf("messages %w: their session was rewritten; look at it again", review.ErrNotFound)
	}
	return err
}

package store

import (
	"context"

	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

const (
	answerSQL = `INSERT INTO rechecks (run, at, curator, segment_id, fingerprint, was, was_by, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run, segment_id) DO UPDATE SET at = excluded.at, answer = excluded.answer`
	unanswerSQL = "DELETE FROM rechecks WHERE run = ? AND segment_id = ?"
	rechecksSQL = `SELECT run, at, curator, segment_id, fingerprint, was, was_by, answer FROM rechecks
WHERE curator = ? AND (run = ? OR ? = '') ORDER BY id`
)

// Answer keeps what a curator said of a segment that was shown once more; without
// an Answer it takes back what was said in that run. The segment stays as it
// is, and so does Version. What was answered is kept as safely as a verdict.
func (s *Store) Answer(ctx context.Context, r review.Recheck) error {
	return s.writeUnseen(ctx, sqlite.Curator, "keep an answer", func(t *tx) error {
		if r.Answer == "" {
			return t.do(unanswerSQL, r.Run, r.Segment)
		}
		return t.do(answerSQL, r.Run, stamp.Of(s.now()), r.Curator, r.Segment, r.Fingerprint, r.Was, r.WasBy, r.Answer)
	})
}

// Rechecks returns the answers of a curator in the order they were given: those
// of a run, or with "" all.
func (s *Store) Rechecks(ctx context.Context, curator, run string) ([]review.Recheck, error) {
	list, err := sqlite.List(s.db.Rows(ctx, rechecksSQL, curator, run, run), func(r *review.Recheck) []any {
		return []any{&r.Run, timeIn(&r.At), &r.Curator, &r.Segment, &r.Fingerprint, &r.Was, &r.WasBy, &r.Answer}
	})
	return list, s.fail("read what was rechecked", err)
}

package store

import (
	"context"

	"winnow/core/metric"
	"winnow/core/review"
)

// uncutCountSQL is answered from the index alone.
const uncutCountSQL = "SELECT count(*) FROM trajectory_records INDEXED BY trajectory_records_uncut WHERE segmented = 0"

// UncutSessions counts the sessions that are to be cut.
func (s *Store) UncutSessions(ctx context.Context) (n int, err error) {
	err = s.db.Rows(ctx, uncutCountSQL).One(&n)
	return n, s.fail("count", err)
}

// Totals counts everything. It reads the counts that every change keeps up to
// date, so that its cost does not depend on the number of segments.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{ByVerdict: map[review.Verdict]int{}}
	const text = `SELECT verdict, bucket, stale, segments, labeled, memory, messages, score_sum FROM segment_counts`
	var verdict review.Verdict
	var bucket, segments, labeled, memory, messages int
	var stale bool
	var scores, sum int64
	rows := s.db.Rows(ctx, text)
	for range rows.Into(&verdict, &bucket, &stale, &segments, &labeled, &memory, &messages, &scores) {
		t.Segments += segments
		t.Labeled += labeled
		t.ByVerdict[verdict] += segments
		t.Messages += messages
		t.Memory += memory
		if stale {
			t.Stale += segments
		}
		if bucket >= 0 && bucket < len(t.Histogram) {
			t.Histogram[bucket] += segments
			t.Scored += segments
		}
		sum += scores
	}
	t.ScoreSum = float64(sum) / metric.ScoreUnit
	err := rows.Err()
	if err == nil {
		err = s.db.Rows(ctx, "SELECT count(*), EXISTS (SELECT 1 FROM likely) FROM trajectory_records").One(&t.Sessions, &t.Likely)
	}
	return t, s.fail("count", err)
}

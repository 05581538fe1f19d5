package store

import (
	"context"

	"winnow/core/metric"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// Totals counts everything. It reads the counts that every change keeps up to
// date, so that its cost does not depend on the number of segments.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{ByVerdict: map[review.Verdict]int{}}
	const text = `SELECT verdict, bucket, stale, segments, labeled, memory, messages, score_sum FROM segment_counts`
	rows, err := s.db.Readers.Query(ctx, text)
	if err != nil {
		return t, s.fail("count", err)
	}
	var sum int64
	err = sqlite.Each(rows, func() error {
		var verdict review.Verdict
		var bucket, segments, labeled, memory, messages int
		var stale bool
		var scores int64
		if err := rows.Scan(&verdict, &bucket, &stale, &segments, &labeled, &memory, &messages, &scores); err != nil {
			return err
		}
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
		return nil
	})
	t.ScoreSum = float64(sum) / metric.ScoreUnit
	if err == nil {
		err = s.db.Readers.Row(ctx, "SELECT count(*) FROM trajectory_records", nil, []any{&t.Sessions})
	}
	return t, s.fail("count", err)
}

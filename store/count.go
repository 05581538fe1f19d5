package store

import (
	"context"
	"fmt"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/filtersql"
)

// Count counts the segments that a filter lets through, nil for all.
func (s *Store) Count(ctx context.Context, n filter.Node) (review.Counts, error) {
	c, ok, err := s.facets.Count(ctx, n)
	if !ok && err == nil {
		c, err = s.countSQL(ctx, n)
	}
	return c, s.fail("count", err)
}

// countSQL is Count without the facets: one walk through the index that has all
// that filters ask for.
func (s *Store) countSQL(ctx context.Context, n filter.Node) (review.Counts, error) {
	c := review.Counts{ByVerdict: map[review.Verdict]int{}}
	text := "SELECT " + countKeyOf("bucket") + ", segments FROM segment_counts WHERE segments > 0"
	var args []any
	if n != nil {
		where, err := s.where(ctx, n)
		if err != nil {
			return c, err
		}
		text = "SELECT " + countKeyOf(bucketSQL) + " AS key, count(*) FROM task_segments INDEXED BY task_segments_facets" +
			where.After("WHERE") + " GROUP BY key"
		args = where.Args
	}
	var key, count int
	rows := s.db.Once(ctx, text, args...)
	for range rows.Into(&key, &count) {
		c.Segments += count
		c.ByVerdict[review.Verdicts[key>>6]] += count
		if key>>5&1 != 0 {
			c.Stale += count
		}
		if bucket := key&31 - 1; bucket >= 0 && bucket < len(c.Histogram) {
			c.Histogram[bucket] += count
			c.Scored += count
		}
	}
	return c, rows.Err()
}

// countKeyOf returns the SQL of what segments are counted by, in one number:
// SQLite sorts all rows by it, and numbers take a third of the time of words.
func countKeyOf(bucket string) string {
	key := "CASE verdict"
	for n, v := range review.Verdicts {
		key += fmt.Sprintf(" WHEN '%s' THEN %d", v, n<<6)
	}
	return key + " END + 32 * stale + 1 + " + bucket
}

// where returns the condition of a filter, for which its texts are searched.
func (s *Store) where(ctx context.Context, n filter.Node) (filtersql.Condition, error) {
	found, err := s.searched(ctx, n)
	if err != nil {
		return filtersql.Condition{}, err
	}
	return found.Condition(n)
}

// searched returns what the searches of a filter find, and for whom it asks.
func (s *Store) searched(ctx context.Context, n filter.Node) (filtersql.Found, error) {
	found := filtersql.Found{Texts: map[filter.Text]filtersql.Rows{}, Seen: filtersql.Where(seenShareSQL, s.curator)}
	for _, text := range filter.Texts(n) {
		var err error
		if found.Texts[text], err = s.rowsWith(ctx, text); err != nil {
			return found, err
		}
	}
	return found, nil
}

// rowsWith searches for a text. In a Snapshot each is searched for once.
func (s *Store) rowsWith(ctx context.Context, text filter.Text) (found filtersql.Rows, err error) {
	if s.found != nil {
		s.foundMu.Lock()
		defer s.foundMu.Unlock()
		if found, known := s.found.Texts[text]; known {
			return found, nil
		}
	}
	var rows []int64
	err = s.TextMatches(ctx, text, func(more []int64) error {
		rows = append(rows, more...)
		return nil
	})
	if err != nil {
		return found, err
	}
	if found, err = filtersql.RowsOf(rows); err == nil && s.found != nil {
		s.found.Texts[text] = found
	}
	return found, err
}

package store

import (
	"context"

	"winnow/core/filter"
	"winnow/store/facets"
	"winnow/store/sqlite"
)

// feed is what the facets of a Store are read from. What changed is read from
// segment_changes, which triggers fill, so that it does not matter who changed it.
type feed struct{ *Store }

var _ facets.Feed = feed{}

// loadStep is the number of rows that are read at a time: about 20 ms.
const loadStep = 4096

// Warm loads what lists are filtered and sorted by into memory, about 70 MB for
// 200,000 segments, so that Count, Values and Segments answer within
// milliseconds. It takes a second or two, in which it keeps nobody waiting, and
// needs to be called once; what changes later, whoever does it, is read when it
// is asked for.
func (s *Store) Warm(ctx context.Context) error {
	return s.fail("read the segments", s.facets.Warm(ctx))
}

// Both are read from the indexes that filters in SQL are answered from, which are
// a fifth of the rows.
const (
	loadSessionsSQL = "SELECT " + sessionFacetColumns + " FROM trajectory_records r INDEXED BY trajectory_records_facets " +
		"WHERE r.body > ? ORDER BY r.body LIMIT ?"
	loadSegmentsSQL = "SELECT " + facetColumns + "0 FROM task_segments s INDEXED BY task_segments_facets " +
		"WHERE (s.place, s.start_line, s.id) > (?, ?, ?) ORDER BY s.place, s.start_line, s.id LIMIT ?"
	// clusterSQL is the cluster of a row of task_segments s.
	clusterSQL = "coalesce((SELECT g.cluster FROM signatures g WHERE g.fingerprint = s.fingerprint), 0)"
	// The join is in this order whatever SQLite believes: the index of the
	// signatures has all that is asked of them.
	loadClustersSQL = `SELECT g.cluster, g.fingerprint, s.rowid FROM signatures g INDEXED BY signatures_cluster
		CROSS JOIN task_segments s INDEXED BY task_segments_fingerprint ON s.fingerprint = g.fingerprint
		WHERE g.cluster > 0 AND (g.cluster, g.fingerprint, s.rowid) > (?, ?, ?) ORDER BY g.cluster, g.fingerprint, s.rowid LIMIT ?`
)

// Len implements facets.Feed.
func (s feed) Len(ctx context.Context) (int, error) {
	all, err := s.countSQL(ctx, nil)
	return all.Segments, err
}

// Sessions implements facets.Feed.
func (s feed) Sessions(ctx context.Context, put func(*facets.Session)) error {
	var r facets.Session
	return s.each(ctx, loadSessionsSQL, func() []any { return []any{r.Body} }, sessionFacetDest(&r), func() error {
		put(&r)
		return nil
	})
}

// Rows implements facets.Feed.
func (s feed) Rows(ctx context.Context, put func(*facets.Row)) error {
	scan := newFacetScan()
	after := func() []any { return append([]any{s.curator}, scan.place()...) }
	return s.each(ctx, loadSegmentsSQL, after, scan.dest, func() error {
		r, err := scan.read()
		if err == nil {
			put(r)
		}
		return err
	})
}

// Clusters implements facets.Feed.
func (s feed) Clusters(ctx context.Context, put func(row, cluster int64)) error {
	var cluster, row int64
	var print string
	return s.each(ctx, loadClustersSQL, func() []any { return []any{cluster, print, row} }, []any{&cluster, &print, &row}, func() error {
		put(row, cluster)
		return nil
	})
}

// each reads the rows of a statement that follow those that were read, until there
// are no more: f is called when one is in dest.
func (s feed) each(ctx context.Context, text string, after func() []any, dest []any, f func() error) error {
	return s.inSteps(ctx, func() (n int, err error) {
		return readAll(s.db.Rows(ctx, text, append(after(), s.loadStep)...), dest, f)
	})
}

// readAll reads rows into dest and calls f for each. It returns how many were read.
func readAll(rows *sqlite.Rows, dest []any, f func() error) (n int, err error) {
	for range rows.Into(dest...) {
		n++
		if err := f(); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

// inSteps calls read, which returns the number of rows that it found, until
// there are no more. No statement stays open for long: the log could not be
// emptied.
func (s *Store) inSteps(ctx context.Context, read func() (n int, err error)) error {
	for {
		if s.closing.Load() {
			return context.Canceled
		}
		n, err := read()
		if err != nil || n < s.loadStep {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// Search implements facets.Feed.
func (s feed) Search(ctx context.Context, text filter.Text, found func(rows []int64) error) error {
	return s.TextMatches(ctx, text, found)
}

// Together implements facets.Feed.
func (s feed) Together(ctx context.Context, words []string) ([]int64, error) {
	return s.index().Holding(ctx, words)
}

// Topic implements facets.Feed.
func (s feed) Topic(ctx context.Context, row int64) (topic string, err error) {
	_, err = s.db.Rows(ctx, "SELECT topic FROM task_segments WHERE rowid = ?", row).Maybe(&topic)
	return topic, err
}

package store

import (
	"context"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/store/facets"
	"winnow/store/sqlite"
)

// Kept implements facets.Feed.
func (s feed) Kept(ctx context.Context) (first, last int64, err error) {
	err = s.db.Rows(ctx, changesKeptSQL).One(&first, &last)
	return first, last, err
}

// changedSQL notes that rows changed, in a transaction that no trigger does it for.
const changedSQL = "INSERT INTO segment_changes (row) SELECT value FROM json_each(?)"

const (
	changesKeptSQL = "SELECT coalesce((SELECT min(seq) FROM segment_changes), 1), coalesce((SELECT max(seq) FROM segment_changes), 0)"
	changedRowsSQL = "SELECT DISTINCT row FROM segment_changes WHERE seq > ? AND seq <= ?"
	// The rows are bound: SQLite would look through the whole table for a
	// subquery that it believes to be long.
	changedSegmentsSQL = "SELECT " + facetColumns + clusterSQL + " FROM task_segments s WHERE s.rowid IN (SELECT value FROM json_each(?))"
	changedSessionsSQL = "SELECT " + sessionFacetColumns + " FROM trajectory_records r WHERE r.rowid IN (SELECT value FROM json_each(?))"
)

// changesStep is the number of changes that are read at a time, so that they
// take some megabytes at most. It is more than anybody waits for.
const changesStep = 16 << 10

// Changes implements facets.Feed.
func (s feed) Changes(ctx context.Context, since int64) (*facets.Changes, error) {
	c := &facets.Changes{}
	err := s.db.Read(ctx, func(v *sqlite.View) error {
		var first int64
		if err := v.Rows(changesKeptSQL).One(&first, &c.To); err != nil {
			return err
		}
		if c.Lost = first > since+1 || c.To < since; c.Lost || c.To == since {
			return nil
		}
		if c.More = c.To-since > changesStep; c.More {
			c.To = since + changesStep
		}
		if err := readNumbers(v, c, since); err != nil {
			return err
		}
		if err := readSessions(v, c); err != nil {
			return err
		}
		return readSegments(v, c, s.curator)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// readNumbers reads which rows changed. All of them are gone until they are
// found.
func readNumbers(v *sqlite.View, c *facets.Changes, since int64) error {
	var row int64
	rows := v.Rows(changedRowsSQL, since, c.To)
	for range rows.Into(&row) {
		switch {
		case row < 0:
			c.Left = append(c.Left, -row)
		case row > 0:
			c.Gone = append(c.Gone, row)
		default:
			c.Text = true
		}
	}
	return rows.Err()
}

func readSessions(v *sqlite.View, c *facets.Changes) error {
	there := map[int64]bool{}
	var r facets.Session
	err := eachOf(v, changedSessionsSQL, c.Left, sessionFacetDest(&r), func() error {
		c.Sessions = append(c.Sessions, r)
		there[r.Rowid] = true
		return nil
	})
	c.Left = slices.DeleteFunc(c.Left, func(row int64) bool { return there[row] })
	return err
}

func readSegments(v *sqlite.View, c *facets.Changes, curator string) error {
	there := map[int64]bool{}
	scan := newFacetScan()
	err := eachOf(v, changedSegmentsSQL, c.Gone, scan.dest, func() error {
		r, err := scan.read()
		if err == nil {
			row := *r
			row.Metrics = slices.Clone(r.Metrics)
			c.Rows = append(c.Rows, row)
			there[r.Rowid] = true
		}
		return err
	}, curator)
	c.Gone = slices.DeleteFunc(c.Gone, func(row int64) bool { return there[row] })
	return err
}

// eachOf calls f for each row that a statement finds of those with a number, when it
// is in dest. before are the arguments in front of the numbers.
func eachOf(v *sqlite.View, text string, numbers []int64, dest []any, f func() error, before ...any) error {
	if len(numbers) == 0 {
		return nil
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	_, err = readAll(v.Rows(text, append(before, string(list))...), dest, f)
	return err
}

const (
	// keptChanges is how far behind another process may be without having to
	// read everything again.
	keptChanges = 100_000
	// trimStep is what one transaction deletes: some milliseconds.
	trimStep = 4096
	// trimAfter is the number of machines' transactions, or of tidyings after
	// curators, after which is looked whether too much is kept.
	trimAfter = 64
)

// trimSoon deletes old changes in the background, now and then: with the first
// write already, because most processes end soon.
func (s *Store) trimSoon() {
	if s.writes.Add(1)%trimAfter == 1 {
		s.background.Go(func() { s.trimChanges(context.Background(), keptChanges) })
	}
}

// trimChanges deletes all changes but the newest, and with them less than a
// step more. Failing to is no error: the next one will.
func (s *Store) trimChanges(ctx context.Context, keep int64) {
	for !s.closing.Load() {
		first, last, err := feed{s}.Kept(ctx)
		if err != nil || last-first < keep+trimStep {
			return
		}
		err = s.write(ctx, sqlite.Machine, "forget old changes", func(t *tx) error {
			_, err := t.Exec("DELETE FROM segment_changes WHERE seq < ?", min(first+trimStep, last-keep))
			return err
		})
		if err != nil {
			return
		}
		time.Sleep(sweepBreath)
	}
}

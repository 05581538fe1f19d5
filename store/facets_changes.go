package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/store/sqlite"
)

// changes are what happened to segments and sessions since a moment, as it is
// afterwards.
type changes struct {
	to       int64 // the number of the last one
	more     bool  // there are others behind it
	lost     bool  // some are not kept any more: everything must be read
	rows     []facetRow
	gone     []int64 // rows that are not there any more
	sessions []sessionFacet
	left     []int64 // sessions that are not there any more
	text     bool    // the text index changed
}

// changesKept returns the numbers of the first change that is kept and of the
// last one. The last one is always kept.
func (s *Store) changesKept(ctx context.Context) (first, last int64, err error) {
	err = s.db.Readers.Row(ctx, changesKeptSQL, nil, []any{&first, &last})
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

// readChanges reads the changes behind one, as of one moment.
func (s *Store) readChanges(ctx context.Context, behind int64) (*changes, error) {
	var st [4]*sql.Stmt
	for i, text := range []string{changesKeptSQL, changedRowsSQL, changedSegmentsSQL, changedSessionsSQL} {
		var err error
		if st[i], err = s.db.Readers.Prepare(ctx, text); err != nil {
			return nil, err
		}
	}
	conn, err := s.db.Readers.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	read, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer read.Rollback()
	for i := range st {
		st[i] = read.StmtContext(ctx, st[i])
	}
	c := &changes{}
	var first int64
	if err := st[0].QueryRowContext(ctx).Scan(&first, &c.to); err != nil {
		return nil, err
	}
	if c.lost = first > behind+1 || c.to < behind; c.lost || c.to == behind {
		return c, nil
	}
	if c.more = c.to-behind > changesStep; c.more {
		c.to = behind + changesStep
	}
	if err := c.readNumbers(ctx, st[1], behind); err != nil {
		return nil, err
	}
	if err := c.readSessions(ctx, st[3]); err != nil {
		return nil, err
	}
	return c, c.readSegments(ctx, st[2])
}

// readNumbers reads which rows changed. All of them are gone until they are
// found.
func (c *changes) readNumbers(ctx context.Context, st *sql.Stmt, behind int64) error {
	rows, err := st.QueryContext(ctx, behind, c.to)
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var row int64
		err := rows.Scan(&row)
		switch {
		case row < 0:
			c.left = append(c.left, -row)
		case row > 0:
			c.gone = append(c.gone, row)
		default:
			c.text = true
		}
		return err
	})
}

func (c *changes) readSessions(ctx context.Context, st *sql.Stmt) error {
	there := map[int64]bool{}
	err := eachOf(ctx, st, c.left, func(rows *sql.Rows) error {
		var r sessionFacet
		err := rows.Scan(r.dest()...)
		c.sessions = append(c.sessions, r)
		there[r.rowid] = true
		return err
	})
	c.left = slices.DeleteFunc(c.left, func(row int64) bool { return there[row] })
	return err
}

func (c *changes) readSegments(ctx context.Context, st *sql.Stmt) error {
	there := map[int64]bool{}
	scan := newFacetScan()
	err := eachOf(ctx, st, c.gone, func(rows *sql.Rows) error {
		if err := rows.Scan(scan.dest...); err != nil {
			return err
		}
		r, err := scan.read()
		if err == nil {
			row := *r
			row.metrics = slices.Clone(r.metrics)
			c.rows = append(c.rows, row)
			there[r.rowid] = true
		}
		return err
	})
	c.gone = slices.DeleteFunc(c.gone, func(row int64) bool { return there[row] })
	return err
}

// eachOf calls f for all rows that a statement finds of those with a number.
func eachOf(ctx context.Context, st *sql.Stmt, numbers []int64, f func(*sql.Rows) error) error {
	if len(numbers) == 0 {
		return nil
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, string(list))
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error { return f(rows) })
}

// apply writes the changes and returns the slots of all segments that they are
// about; moved is whether some slots are of other segments or messages now.
func (c *changes) apply(f *facets) (rows rowSet, moved bool) {
	f.turned.forget()
	var slots []int32
	for _, row := range c.left {
		f.sessions.remove(row)
	}
	for _, row := range c.gone {
		if slot, known := f.remove(row); known {
			slots, moved = append(slots, slot), true
		}
	}
	for i := range c.rows {
		slot, other := f.put(&c.rows[i])
		slots, moved = append(slots, slot), moved || other
	}
	rows = f.putSessions(c.sessions).grown(f.size())
	for _, slot := range slots {
		rows.add(slot)
	}
	return rows, moved
}

const (
	// keptChanges is how far behind another process may be without having to
	// read everything again.
	keptChanges = 100_000
	// trimStep is what one transaction deletes: some milliseconds.
	trimStep = 4096
	// trimAfter is the number of machines' transactions, or of tidyings behind
	// curators, after which is looked whether too much is kept.
	trimAfter = 64
)

// trimSoon deletes old changes in the background, now and then: with the first
// write already, because most processes end soon.
func (s *Store) trimSoon() {
	if s.library.writes.Add(1)%trimAfter == 1 {
		s.background.Go(func() { s.trimChanges(context.Background(), keptChanges) })
	}
}

// trimChanges deletes all changes but the newest, and with them less than a
// step more. Failing to is no error: the next one will.
func (s *Store) trimChanges(ctx context.Context, keep int64) {
	for !s.closing.Load() {
		first, last, err := s.changesKept(ctx)
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

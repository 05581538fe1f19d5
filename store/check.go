package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// Problem is something in the database that is not as it should be.
type Problem struct {
	Rule  string `json:"rule"`  // what is violated, in a word
	Where string `json:"where"` // a session_file, a path, an id
	Text  string `json:"text"`  // what is wrong
	// Repairable says that Repair can put it right: that holds for what is
	// derived from something else in the database.
	Repairable bool `json:"repairable"`
	fix        func(*tx) error
}

func (p *Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Rule, p.Where, p.Text) }

// checks are the rules of the database. Each is one look at it.
var checks = []func(*checking) error{
	(*checking).file, (*checking).references, (*checking).sources, (*checking).sessions,
	(*checking).kin, (*checking).kept, (*checking).orphans, (*checking).journal, (*checking).undone, (*checking).recuts, (*checking).was, (*checking).masks, (*checking).tags, (*checking).scores, (*checking).counts, (*checking).search,
	(*checking).alike,
}

// checking is one run of the checks.
type checking struct {
	ctx   context.Context
	conn  *sql.Conn
	found []Problem
}

func (c *checking) report(rule, where string, fix func(*tx) error, format string, args ...any) {
	c.found = append(c.found, Problem{Rule: rule, Where: where, Text: fmt.Sprintf(format, args...), Repairable: fix != nil, fix: fix})
}

func (c *checking) rows(text string, args ...any) (*sql.Rows, error) {
	return c.conn.QueryContext(c.ctx, text, args...)
}

// Check looks for everything that is not as it should be. It reads the whole
// database and may run beside imports and curators.
func (s *Store) Check(ctx context.Context) ([]Problem, error) {
	conn, err := s.db.Readers.DB.Conn(ctx)
	if err != nil {
		return nil, s.fail("check", err)
	}
	defer conn.Close()
	c := &checking{ctx: ctx, conn: conn}
	for _, check := range checks {
		if err := check(c); err != nil {
			return c.found, s.fail("check", err)
		}
	}
	return c.found, nil
}

// Repair puts right what can be derived from the rest of the database: counts,
// index entries, fingerprints, numbering. It also deletes what is left of
// dropped bodies. It returns what it put right; a Check afterwards tells what is
// left.
func (s *Store) Repair(ctx context.Context) ([]Problem, error) {
	found, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	var fixed []Problem
	for _, p := range found {
		if p.fix == nil {
			continue
		}
		err := s.write(ctx, sqlite.Machine, "repair", p.fix)
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil {
			return fixed, err
		}
		fixed = append(fixed, p)
	}
	for more := true; more; {
		if more, err = s.sweep(ctx); err != nil {
			return fixed, err
		}
	}
	return fixed, nil
}

// errMoved: somebody changed what was to be repaired.
var errMoved = errors.New("changed while it was checked")

// file checks the pages and indexes.
func (c *checking) file() error {
	read, err := c.conn.BeginTx(c.ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer read.Rollback()
	// FTS5 remembers how its index is laid out, and forgets it when it is asked
	// after somebody changed that, but not when it is checked.
	var row int64
	err = read.QueryRowContext(c.ctx, "SELECT rowid FROM passages WHERE passages MATCH 'x' LIMIT 1").Scan(&row)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	rows, err := read.QueryContext(c.ctx, "PRAGMA integrity_check(20)")
	if err != nil {
		return err
	}
	var text string
	return sqlite.Each(rows, func() error {
		if err := rows.Scan(&text); err != nil || text == "ok" {
			return err
		}
		c.report("file", "database", remake(text), "%s", text)
		return nil
	})
}

// wrongIndex is what SQLite says of an index that is not that of its table.
var wrongIndex = regexp.MustCompile(`^(?:wrong # of entries in|row \d+ missing from|rowid not at end-of-record for row \d+ of|row \d+ values differ from|non-unique entry in) index (\w+)$`)

// remake returns what makes an index anew, if something is wrong with no more
// than that.
func remake(text string) func(*tx) error {
	if found := wrongIndex.FindStringSubmatch(text); found != nil {
		return func(t *tx) error {
			_, err := t.Exec("REINDEX " + found[1]) // a name of ours
			return err
		}
	}
	if strings.HasPrefix(text, "malformed inverted index") {
		return func(t *tx) error {
			for _, text := range []string{
				"INSERT INTO passages (passages) VALUES ('delete-all')",
				"UPDATE bodies SET indexed = 0, part = 0, outdated = 0",
			} {
				if _, err := t.Exec(text); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return nil
}

// references checks that rows refer to rows that exist.
func (c *checking) references() error {
	rows, err := c.rows(`SELECT "table", coalesce(rowid, 0), parent FROM pragma_foreign_key_check LIMIT 20`)
	if err != nil {
		return err
	}
	var table, parent string
	var row int64
	return sqlite.Each(rows, func() error {
		err := rows.Scan(&table, &row, &parent)
		c.report("reference", fmt.Sprintf("%s row %d", table, row), nil, "refers to a row of %s that is not there", parent)
		return err
	})
}

// sources checks that the lines of each source add up. A line that was read in
// part is begun, but not yet accounted for, unless it was complete without a
// line end.
func (c *checking) sources() error {
	rows, err := c.rows("SELECT " + sourceColumns + " FROM sources ORDER BY id")
	if err != nil {
		return err
	}
	return sqlite.Each(rows, func() error {
		var r sourceRow
		if err := r.scan(rows); err != nil {
			return err
		}
		if n, want := r.State.Counts.Lines(), linesDone(&r.Source); n != want {
			c.report("ledger", r.Path, nil, "%d lines are done, %d are accounted for", want, n)
		}
		return nil
	})
}

// linesDone is how many lines of a source should be accounted for.
func linesDone(src *hub.Source) int64 {
	if src.State.Line.Begun && !src.State.OpenLine {
		return src.State.Lines - 1
	}
	return src.State.Lines
}

// orphans checks that chunks and messages belong to a body that is there, or
// is being deleted.
func (c *checking) orphans() error {
	for _, table := range []string{"chunks", "messages"} {
		next := "SELECT id, EXISTS (SELECT 1 FROM bodies b WHERE b.id = t.id >> 32 AND b.dropped < 2) FROM " +
			table + " t WHERE id >= ? ORDER BY id LIMIT 1"
		for at := int64(0); ; {
			var known bool
			err := c.conn.QueryRowContext(c.ctx, next, at).Scan(&at, &known)
			if errors.Is(err, sql.ErrNoRows) {
				break
			}
			if err != nil {
				return err
			}
			body := at >> bodyShift
			if !known {
				remove := "DELETE FROM " + table + " WHERE id BETWEEN ? AND ?"
				c.report("orphans", fmt.Sprintf("body %d", body), func(t *tx) error {
					_, err := t.Exec(remove, messageID(body, 0), lastID(body))
					return err
				}, "%s of a session that is not there", table)
			}
			at = messageID(body+1, 0)
		}
	}
	return nil
}

// undone checks the column that is derived from the order of the entries.
func (c *checking) undone() error {
	rows, err := c.rows("SELECT id, curator, action, target, undone FROM journal ORDER BY id")
	if err != nil {
		return err
	}
	is := map[int64]int{}
	should := map[int64]int{}
	taken := map[string][]int64{} // by curator: undone, to be redone
	err = sqlite.Each(rows, func() error {
		var id, target int64
		var curator string
		var action review.Action
		var state int
		if err := rows.Scan(&id, &curator, &action, &target, &state); err != nil {
			return err
		}
		is[id] = state
		switch action {
		case review.ActUndo:
			should[target] = undone
			taken[curator] = append(taken[curator], target)
		case review.ActAside:
			if should[target] != undone {
				should[target] = aside
				break
			}
			should[target] = cutOff
			taken[curator] = slices.DeleteFunc(taken[curator], func(id int64) bool { return id == target })
		case review.ActRedo:
			should[target] = inForce
			if n := len(taken[curator]); n > 0 {
				taken[curator] = taken[curator][:n-1]
			}
		default:
			for _, cut := range taken[curator] {
				should[cut] = cutOff
			}
			taken[curator] = nil
		}
		return nil
	})
	for id, state := range is {
		if state == should[id] {
			continue
		}
		c.report("journal", fmt.Sprintf("entry %d", id), func(t *tx) error {
			_, err := t.Exec("UPDATE journal SET undone = ? WHERE id = ?", should[id], id)
			return err
		}, "is marked %d where its entries say %d", state, should[id])
	}
	return err
}

// countsSQL is what segment_counts should hold.
const countsSQL = "SELECT verdict, " + bucketSQL + " AS bucket, stale, count(*) AS segments," +
	" sum(labeled), sum(memory_extracted), sum(messages), sum(" + scoreSQL + ") FROM task_segments GROUP BY 1, 2, 3"

// counts checks the counts that triggers keep.
func (c *checking) counts() error {
	const text = "SELECT count(*) FROM (SELECT * FROM (" + countsSQL + ") EXCEPT SELECT * FROM segment_counts)" +
		" UNION ALL SELECT count(*) FROM (SELECT * FROM segment_counts WHERE segments <> 0 EXCEPT SELECT * FROM (" + countsSQL + "))"
	rows, err := c.rows(text)
	if err != nil {
		return err
	}
	wrong, n := 0, 0
	err = sqlite.Each(rows, func() error {
		err := rows.Scan(&n)
		wrong += n
		return err
	})
	if err == nil && wrong > 0 {
		c.report("counts", "segments", func(t *tx) error {
			if _, err := t.Exec("DELETE FROM segment_counts"); err != nil {
				return err
			}
			_, err := t.Exec("INSERT INTO segment_counts " + countsSQL)
			return err
		}, "the kept counts of segments differ from the segments")
	}
	return err
}

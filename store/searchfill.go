package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"winnow/core/chat"
	"winnow/store/sqlite"
)

const (
	// fillTook is how long a transaction of the filling should take, and no one
	// takes longer than twice that where the machine is as fast as a moment ago.
	fillTook = 25 * time.Millisecond
	// fillBreath is left between them for writers in other processes.
	fillBreath = 3 * time.Millisecond
)

// fillSizes are how much text, in bytes, is taken at a time.
type fillSizes struct {
	// least and most are what a transaction holds: between them as much as could
	// be written in fillTook. Each becomes a piece of the index that is merged
	// with others later; what is larger than a processor's cache is slower.
	least, most int
	// passage is what a passage holds at most: looking at a stored text costs
	// about as much whatever part of a chunk it is.
	passage int
	// overlap is what two parts of a message share, so that a phrase is whole in
	// one of them.
	overlap int
}

var usualFill = fillSizes{least: 64 << 10, most: 1 << 20, passage: chat.ChunkSize, overlap: 4 << 10}

// IndexText makes messages searchable that are not so yet, in short transactions
// with pauses between them. It ends when all are, or behind the transaction in
// which budget runs out, and reports whether there are more. Whatever ends it,
// the next one goes on where it was.
func (s *Store) IndexText(ctx context.Context, budget time.Duration) (more bool, err error) {
	if s.readOnly {
		return false, s.fail("index text", ErrReadOnly)
	}
	end := time.Now().Add(budget)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	f := &filler{store: s, fillSizes: s.fillSizes, out: make(chan []passageRow, 1)}
	f.size.Store(int64(min(4*f.least, f.most)))
	var g errgroup.Group
	g.Go(func() error {
		defer close(f.out)
		return f.read(reading)
	})
	for rows := range f.out {
		if more || err != nil {
			continue // the reader ends
		}
		missed, failed := s.fill(ctx, f, rows)
		if err = failed; err == nil {
			err = pause(ctx, fillBreath)
		}
		if f.missed = f.missed || missed; err != nil || time.Now().After(end) {
			more = true
			stop()
		}
	}
	failed := g.Wait()
	if errors.Is(failed, context.Canceled) && ctx.Err() == nil {
		failed = nil // it was told to stop
	}
	if err == nil {
		err = failed
	}
	return more || f.missed, s.fail("index text", err)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fill writes passages in one transaction. It reports whether some were not
// written because their messages are others by now.
func (s *Store) fill(ctx context.Context, f *filler, rows []passageRow) (missed bool, err error) {
	size, took := 0, time.Duration(0)
	for i := range rows {
		size += rows[i].size
	}
	err = s.write(ctx, sqlite.Machine, "index text", func(t *tx) error {
		began := time.Now()
		defer func() { took = time.Since(began) }()
		var filled []*passageRow // the last ones of their bodies
		for len(rows) > 0 {
			n := 1
			for n < len(rows) && rows[n].body == rows[0].body {
				n++
			}
			fits, err := t.fillBody(rows[:n])
			if err != nil {
				return err
			}
			if fits {
				filled = append(filled, &rows[n-1])
			}
			missed, rows = missed || !fits, rows[n:]
		}
		// All behind the passages: a statement with a trigger makes FTS5 write
		// down what it has, as a piece of its own.
		for _, r := range filled {
			if _, err := t.Exec("UPDATE bodies SET indexed = ?, part = ? WHERE id = ?", r.to.indexed, r.to.part, r.body); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && took > 0 {
		f.adapt(size, took)
	}
	return missed, err
}

// fillBody writes passages of one body. It reports false, and writes nothing, if
// they don't go on from what is stored.
func (t *tx) fillBody(rows []passageRow) (fits bool, err error) {
	var is textState
	err = t.Row("SELECT "+textColumns+" FROM bodies WHERE id = ? AND dropped = 0 AND outdated = 0", []any{rows[0].body}, is.dest()...)
	if errors.Is(err, sql.ErrNoRows) || err == nil && is != rows[0].from {
		return false, nil
	}
	for i := range rows {
		r := &rows[i]
		if err == nil && r.replaces != 0 {
			_, err = t.Exec("DELETE FROM passages WHERE rowid = ?", r.replaces)
		}
		if err == nil {
			_, err = t.Exec("INSERT INTO passages (rowid, words) VALUES (?, ?)", r.id, r.words)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// textState is how far a body is filled, and with what.
type textState struct {
	indexed, part, stored int
	changed               int64
}

// openEnd stands as the part of a body whose last passage ended because there
// were no more messages: those that come belong to it.
const openEnd = -1

const textColumns = "indexed, part, stored, changed"

func (st *textState) dest() []any { return []any{&st.indexed, &st.part, &st.stored, &st.changed} }

const (
	// clearRows is how many passages one transaction removes: some milliseconds
	// of work.
	clearRows = 128

	outdatedSQL = "SELECT indexed FROM bodies WHERE id = ? AND outdated = 1 AND dropped = 0"
	removeSQL   = "DELETE FROM passages WHERE rowid IN (SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)"
	// beforeSQL finds the passage in front of an id.
	beforeSQL = "SELECT id FROM passages_docsize WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
)

// clear removes the passages of a body that are not true any more.
func (s *Store) clear(ctx context.Context, body int64) error {
	for done := false; !done; {
		err := s.write(ctx, sqlite.Machine, "index text", func(t *tx) error {
			var indexed int
			err := t.Row(outdatedSQL, []any{body}, &indexed)
			if errors.Is(err, sql.ErrNoRows) {
				done = true
				return nil
			}
			if err != nil {
				return err
			}
			n, err := t.removePassages(passagesFrom(body, indexed+1), lastPassage(body), clearRows)
			if err != nil {
				return err
			}
			done = n < clearRows
			_, err = t.Exec("UPDATE bodies SET part = 0, outdated = ? WHERE id = ?", !done, body)
			return err
		})
		if err == nil && !done {
			err = pause(ctx, fillBreath)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// removePassages removes passages with an id of from..to, limit of them at most,
// and returns how many.
func (t *tx) removePassages(from, to int64, limit int) (int, error) {
	res, err := t.Exec(removeSQL, from, to, limit)
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

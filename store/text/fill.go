package text

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"winnow/store/sqlite"
)

const (
	// fillTook is how long a transaction of the filling should take, and no one
	// takes longer than twice that where the machine is as fast as a moment ago.
	// It ends earlier when sqlite.Tx.Enough says so.
	fillTook = 10 * time.Millisecond
	// fillBreath is left between them for writers in other processes.
	fillBreath = 3 * time.Millisecond
)

// Fill makes messages searchable that are not so yet, in short transactions
// with pauses between them. It ends when all are, or after the transaction in
// which budget runs out, and reports whether there are more. Whatever ends it,
// the next one goes on where it was.
func (x *Index) Fill(ctx context.Context, budget time.Duration) (more bool, err error) {
	end := time.Now().Add(budget)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	f := x.filler(1)
	var g errgroup.Group
	g.Go(func() error {
		defer close(f.out)
		return f.read(reading)
	})
	for rows := range f.out { // all, for the reader to end
		for len(rows) > 0 && !more && err == nil {
			var missed bool
			if rows, missed, err = f.fill(ctx, rows); err == nil {
				err = pause(ctx, fillBreath)
			}
			if f.missed = f.missed || missed; err != nil || time.Now().After(end) {
				more = true
				stop()
			}
		}
	}
	failed := g.Wait()
	if errors.Is(failed, context.Canceled) && ctx.Err() == nil {
		failed = nil // it was told to stop
	}
	if err == nil {
		err = failed
	}
	return more || f.missed, err
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

// fill writes passages in one transaction, and returns those that are left for
// another one. It reports whether some were not written because their messages are
// others by now.
func (f *filler) fill(ctx context.Context, rows []passageRow) (left []passageRow, missed bool, err error) {
	size, took := 0, time.Duration(0)
	for i := range rows {
		size += rows[i].size
	}
	err = f.Write(ctx, func(t *sqlite.Tx) error {
		began := time.Now()
		defer func() { took = time.Since(began) }()
		var filled []*passageRow // the last ones of their bodies
		for len(rows) > 0 && (len(filled) == 0 || !t.Enough()) {
			n := 1
			for n < len(rows) && rows[n].body == rows[0].body {
				n++
			}
			done, err := fillBody(t, rows[:n])
			if err != nil {
				return err
			}
			if done > 0 {
				filled, n = append(filled, &rows[done-1]), done
			}
			missed, rows = missed || done == 0, rows[n:]
		}
		// All after the passages: a statement with a trigger makes FTS5 write
		// down what it has, as a piece of its own.
		for _, r := range filled {
			if _, err := t.Exec("UPDATE bodies SET indexed = ?, part = ? WHERE id = ?", r.to.indexed, r.to.part, r.body); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range rows {
		size -= rows[i].size
	}
	if err == nil && took > 0 {
		f.adapt(size, took)
	}
	return rows, missed, err
}

// fillBody writes passages of one body and returns how many, which are not all if
// the transaction should end. It writes none if they don't go on from what is
// stored.
func fillBody(t *sqlite.Tx, rows []passageRow) (done int, err error) {
	var is state
	found, err := t.Rows("SELECT "+stateColumns+" FROM bodies WHERE id = ? AND dropped = 0 AND outdated = 0", rows[0].body).Maybe(is.dest()...)
	if err != nil || !found || is != rows[0].from {
		return 0, err
	}
	for i := range rows {
		if i > 0 && t.Enough() {
			return i, nil
		}
		r := &rows[i]
		if err == nil && r.replaces != 0 {
			_, err = t.Exec("DELETE FROM passages WHERE rowid = ?", r.replaces)
		}
		if err == nil {
			_, err = t.Exec("INSERT INTO passages (rowid, words) VALUES (?, ?)", r.id, r.words)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

const outdatedSQL = "SELECT indexed FROM bodies WHERE id = ? AND outdated = 1 AND dropped = 0"

// clear removes the passages of a body that are not true any more.
func (x *Index) clear(ctx context.Context, body int64) error {
	for all := false; !all; {
		err := x.Write(ctx, func(t *sqlite.Tx) error {
			var indexed int
			outdated, err := t.Rows(outdatedSQL, body).Maybe(&indexed)
			if all = !outdated; err != nil || all {
				return err
			}
			if all, err = remove(t, body, indexed+1, removeRows); err != nil {
				return err
			}
			_, err = t.Exec("UPDATE bodies SET part = 0, outdated = ? WHERE id = ?", !all, body)
			return err
		})
		if err == nil && !all {
			err = pause(ctx, fillBreath)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

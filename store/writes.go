package store

import (
	"context"

	"winnow/store/sqlite"
)

// tx is an open transaction.
type tx struct {
	*sqlite.Tx
	dropped bool // bodies were dropped in it
}

// do runs a statement.
func (t *tx) do(text string, args ...any) error {
	_, err := t.Exec(text, args...)
	return err
}

// run runs statements in their order, all with the same arguments.
func (t *tx) run(args []any, texts ...string) error {
	for _, text := range texts {
		if err := t.do(text, args...); err != nil {
			return err
		}
	}
	return nil
}

// change runs a statement and returns how many rows it changed.
func (t *tx) change(text string, args ...any) (int64, error) {
	done, err := t.Exec(text, args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// insert runs a statement that adds a row, and returns the number of the row.
func (t *tx) insert(text string, args ...any) (int64, error) {
	done, err := t.Exec(text, args...)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

// write runs f in one transaction: all of it is kept, or nothing. If it changed
// a row, Version changes.
func (s *Store) write(ctx context.Context, role sqlite.Role, what string, f func(*tx) error) error {
	t := &tx{}
	err := s.db.Write(ctx, role, func(open *sqlite.Tx) error {
		t.Tx = open
		if err := f(t); err != nil || !t.Changed() {
			return err
		}
		if err := fillPlaces(t); err != nil {
			return err
		}
		_, err := t.Exec(changeContentSQL)
		return err
	})
	if err == nil && role == sqlite.Machine {
		s.sweepSoon(t.dropped)
		s.trimSoon()
	}
	return s.fail(what, err)
}

// writeBeside runs f in one transaction that changes no content: Version stays.
// The last ones may be lost with the power.
func (s *Store) writeBeside(ctx context.Context, what string, f func(*tx) error) error {
	return s.writeUnseen(ctx, sqlite.Beside, what, f)
}

// writeUnseen runs f in one transaction that changes no content.
func (s *Store) writeUnseen(ctx context.Context, role sqlite.Role, what string, f func(*tx) error) error {
	return s.fail(what, s.db.Write(ctx, role, func(t *sqlite.Tx) error { return f(&tx{Tx: t}) }))
}

// tidyAfter is the number of changed segments after which the log is looked
// at: each touches some pages of its own.
const tidyAfter = 256

// tidy empties the log in the background when curators have changed much, so
// that none of them waits for it.
func (s *Store) tidy(changes int) {
	if s.untidy.Add(int64(changes)) < tidyAfter {
		return
	}
	s.untidy.Store(0)
	s.trimSoon()
	s.background.Go(func() { s.db.Checkpoint(context.Background()) })
}

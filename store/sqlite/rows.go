package sqlite

import (
	"cmp"
	"context"
	"database/sql"
)

// Rows is what a statement found. It is read once, by one of Into, One, Maybe,
// List and Column, each of which closes it; an error of the statement itself is
// an error of reading it.
//
//	rows := t.Rows("SELECT id, path FROM sources WHERE agent_id = ?", agent)
//	for range rows.Into(&id, &path) {
//		known[path] = id
//	}
//	return rows.Err()
type Rows struct {
	rows *sql.Rows
	err  error
}

// Into reads the rows one after the other, each into dest. The loop ends early
// if one can't be read: after it, Err tells. What a row leaves in dest is
// overwritten by the next one, so that a value which a sql.Scanner only adds to
// must not be declared outside of the loop.
func (r *Rows) Into(dest ...any) func(yield func() bool) {
	return func(yield func() bool) {
		if r.err != nil {
			return
		}
		defer r.rows.Close()
		for r.rows.Next() {
			if err := r.rows.Scan(dest...); err != nil {
				r.err = cmp.Or(r.rows.Err(), error(misfit{err}))
				return
			}
			if !yield() {
				return
			}
		}
		r.err = r.rows.Err()
	}
}

// Err returns why not all rows were read; nil also if the loop was left.
func (r *Rows) Err() error { return r.err }

// Maybe reads the first row, if there is one.
func (r *Rows) Maybe(dest ...any) (found bool, err error) {
	for range r.Into(dest...) {
		found = true
		break
	}
	return found, r.err
}

// One reads the first row; sql.ErrNoRows if there is none.
func (r *Rows) One(dest ...any) error {
	found, err := r.Maybe(dest...)
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	return err
}

// List returns a value for each row: dest says where its columns go.
func List[T any](r *Rows, dest func(*T) []any) ([]T, error) {
	var list []T
	v := new(T)
	for range r.Into(dest(v)...) {
		list = append(list, *v)
		*v = *new(T)
	}
	return list, r.err
}

// Column returns the values of rows that have one column.
func Column[T any](r *Rows) ([]T, error) {
	return List(r, func(v *T) []any { return []any{v} })
}

// run runs a prepared statement, unless it could not be prepared.
func run(ctx context.Context, st *sql.Stmt, err error, args []any) *Rows {
	if err != nil {
		return &Rows{err: err}
	}
	rows, err := st.QueryContext(ctx, args...)
	return &Rows{rows, err}
}

// Rows runs a statement, which is prepared once.
func (t *Tx) Rows(text string, args ...any) *Rows {
	st, err := t.w.prepare(t.ctx, text)
	return run(t.ctx, st, err, args)
}

// Rows runs a statement, which is prepared once, on a connection of its own.
func (s *Pool) Rows(ctx context.Context, text string, args ...any) *Rows {
	st, err := s.prepare(ctx, text)
	return run(ctx, st, err, args)
}

// Once runs a statement whose text is made for one question, on a connection of
// its own.
func (s *Pool) Once(ctx context.Context, text string, args ...any) *Rows {
	return On(ctx, s.DB, text, args...)
}

// Rows is Pool.Rows of the readers.
func (db *DB) Rows(ctx context.Context, text string, args ...any) *Rows {
	return db.readers.Rows(ctx, text, args...)
}

// Once is Pool.Once of the readers.
func (db *DB) Once(ctx context.Context, text string, args ...any) *Rows {
	return db.readers.Once(ctx, text, args...)
}

// On runs a statement on a connection, or in a transaction, that the caller has.
func On(ctx context.Context, has interface {
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}, text string, args ...any) *Rows {
	rows, err := has.QueryContext(ctx, text, args...)
	return &Rows{rows, err}
}

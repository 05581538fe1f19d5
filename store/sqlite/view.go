package sqlite

import (
	"context"
	"database/sql"
	"slices"
)

// View is one state of the database, which nothing changes as long as it is read.
type View struct {
	ctx   context.Context
	pool  *Pool
	tx    *sql.Tx  // nil: of a Snapshot
	fresh []string // statements that the pool has not prepared yet
}

// Read runs f on one state of the database: what it reads by the view fits together,
// whatever others write meanwhile. f asks the view only: it has one connection, and
// another one may have to be waited for. A view ends with f. It reads one list after
// the other.
func (db *DB) Read(ctx context.Context, f func(*View) error) error {
	if db.still {
		return f(&View{ctx: ctx, pool: db.readers})
	}
	tx, err := db.readers.DB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	v := &View{ctx: ctx, pool: db.readers, tx: tx}
	// To prepare a statement may take a connection: the view has one until its end.
	// One that cannot be prepared is made once more by the next view.
	defer func() {
		_ = tx.Rollback() // nothing was written
		for _, text := range v.fresh {
			_, _ = db.readers.prepare(ctx, text)
		}
	}()
	return f(v)
}

// Rows runs a statement, which is prepared once.
func (v *View) Rows(text string, args ...any) *Rows {
	if v.tx == nil {
		return v.pool.Rows(v.ctx, text, args...)
	}
	st := v.pool.prepared(text)
	if st == nil {
		if !slices.Contains(v.fresh, text) {
			v.fresh = append(v.fresh, text)
		}
		return v.Once(text, args...)
	}
	return run(v.ctx, v.tx.StmtContext(v.ctx, st), nil, args)
}

// Once runs a statement whose text is made for one question.
func (v *View) Once(text string, args ...any) *Rows {
	if v.tx == nil {
		return v.pool.Once(v.ctx, text, args...)
	}
	return On(v.ctx, v.tx, text, args...)
}

// Faults returns what SQLite finds wrong with pages and indexes, twenty lines at
// most; "ok" is one that says nothing is.
func (v *View) Faults() ([]string, error) {
	return Column[string](v.Once("PRAGMA integrity_check(20)"))
}

package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// eye is a connection that never writes: SQLite counts for each what others
// commit.
type eye struct {
	mu   sync.Mutex
	conn *sql.Conn // nil until the first look
	seen look      // when it was made, of a database that can't be written to
	past int64     // how many there were before it
}

// Version returns a number that is another one after anybody, in this process or
// another, committed a change. It may be asked for many times a minute.
func (db *DB) Version(ctx context.Context) (version int64, err error) {
	e := &db.eye
	e.mu.Lock()
	defer e.mu.Unlock()
	var seen look
	if db.readOnly {
		seen = lookAt(db.path)
	}
	if e.conn != nil && seen != e.seen {
		err = e.shut()
		e.past++
	}
	if err == nil && e.conn == nil {
		e.seen = seen
		e.conn, err = db.readers.DB.Conn(ctx)
	}
	if err == nil {
		err = e.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
	}
	return e.past<<32 + version, err
}

// close gives the connection back.
func (e *eye) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.shut()
}

func (e *eye) shut() (err error) {
	if e.conn != nil {
		err = e.conn.Close()
		e.conn = nil
	}
	return err
}

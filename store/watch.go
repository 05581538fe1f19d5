package store

import (
	"context"
	"database/sql"
	"sync"

	"winnow/core/review"
)

// watch tells whether the database changed, for a look at it many times a
// minute.
type watch struct {
	mu   sync.Mutex
	conn *sql.Conn // never writes; nil until the first look
	// data is SQLite's count of what others committed, content our own of what
	// is more than a claim or the state of a screen.
	data, content int64
	read          bool // claims are those of data
	claims        []review.Claim
}

const (
	dataVersionSQL    = "PRAGMA data_version"
	contentVersionSQL = "SELECT version FROM content"
	changeContentSQL  = "UPDATE content SET version = version + 1"
)

// Version returns a number that changes whenever anybody, in this process or
// another, has changed what the database holds. Claims and the states of
// screens do not count: nobody has to read anything again for them. It is
// review.ErrGone once the file is not there any more.
func (s *Store) Version(ctx context.Context) (int64, error) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	err := s.db.Gone()
	if err == nil {
		err = s.look(ctx)
	}
	if err != nil {
		return 0, s.fail("watch", err)
	}
	return s.watch.content, nil
}

// look notes whether anything was committed since the last look; the caller
// holds watch.mu.
func (s *Store) look(ctx context.Context) error {
	w := &s.watch
	if w.conn == nil {
		// data_version counts what other connections commit, so it takes
		// one kept connection that itself never writes.
		conn, err := s.db.Readers.DB.Conn(ctx)
		if err != nil {
			return err
		}
		w.conn = conn
	}
	var data int64
	if err := w.conn.QueryRowContext(ctx, dataVersionSQL).Scan(&data); err != nil || data == w.data {
		return err
	}
	if err := w.conn.QueryRowContext(ctx, contentVersionSQL).Scan(&w.content); err != nil {
		return err
	}
	w.data, w.read = data, false
	return nil
}

// close gives the connection back.
func (w *watch) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		return nil
	}
	err := w.conn.Close()
	w.conn = nil
	return err
}

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// setupPatience is how long SetUp waits for other processes that create or
// migrate the same database.
const setupPatience = 10 * time.Second

// SetUp makes folders and file where they are missing and brings an older schema
// up to date, after it kept a copy of the database; notice is told where. A
// database that is read only has to be there, and to be up to date.
func (db *DB) SetUp(ctx context.Context, s *Schema, notice func(string)) error {
	prepare := db.setUp
	if db.readOnly {
		prepare = db.look
	}
	err := prepare(ctx, s, notice)
	if err == nil {
		db.file, err = os.Stat(db.path)
	}
	return err
}

// Gone reports that another file, or none, is where the database was opened:
// SQLite would go on with the one that nobody finds any more.
func (db *DB) Gone() error {
	if db.file == nil {
		return nil
	}
	switch is, err := os.Stat(db.path); {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Gone, "the file is gone"}
	case err == nil && !os.SameFile(db.file, is):
		return &Error{Replaced, "the file is another"}
	}
	return nil // what cannot be told is no reason
}

func (db *DB) setUp(ctx context.Context, s *Schema, notice func(string)) error {
	if err := os.MkdirAll(filepath.Dir(db.path), 0o700); err != nil {
		return fmt.Errorf("make a folder for the database: %w", err)
	}
	if info, err := os.Stat(db.path); err == nil && info.IsDir() {
		return &Error{Folder, "it is a folder"}
	}
	// A database that is up to date, the usual case, needs no setup
	// connection.
	if info, err := os.Stat(db.path); err == nil && info.Size() > 0 {
		if current, err := db.current(ctx, s); err != nil || current {
			return err
		}
	}
	if err := MakeFile(db.path); err != nil {
		return err
	}
	// Migrating, and keeping a copy before, takes as long as it takes.
	patience, cancel := context.WithTimeout(ctx, setupPatience)
	defer cancel()
	for {
		err := db.trySetUp(ctx, s, notice)
		// Two processes that turn a new file into a database at once get
		// in each other's way; SQLite does not wait by itself there.
		if !isBusy(err) {
			return err
		}
		again := time.NewTimer(2 * time.Millisecond)
		select {
		case <-again.C:
		case <-patience.Done():
			again.Stop()
			return err
		}
	}
}

func (db *DB) trySetUp(ctx context.Context, s *Schema, notice func(string)) error {
	pool, err := newPool(dsn(db.path, setup, nil), 2)
	if err != nil {
		return err
	}
	err = s.migrate(ctx, pool.DB, db.path, notice)
	return errors.Join(err, pool.Close())
}

// current reports whether there is nothing to set up: the schema is the newest
// and changes are logged (a copy put in place of a database has no log).
func (db *DB) current(ctx context.Context, s *Schema) (bool, error) {
	conn, err := db.readers.DB.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	version, err := s.version(ctx, conn)
	if err != nil || version < len(s.Steps) {
		return false, err
	}
	var mode string
	err = conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode)
	return mode == "wal" || db.readOnly, err
}

// look checks that the database is there and can be read as it is.
func (db *DB) look(ctx context.Context, s *Schema, _ func(string)) error {
	switch info, err := os.Stat(db.path); {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{NoFile, "it is not there"}
	case err == nil && info.IsDir():
		return &Error{Folder, "it is a folder"}
	}
	current, err := db.current(ctx, s)
	if err == nil && !current {
		return &Error{Older, "it has an older schema"}
	}
	return err
}

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"winnow/core/review"
)

// setupPatience is how long Open waits for other processes that create or
// migrate the same database.
const setupPatience = 10 * time.Second

// Open opens the database at path, making the folders and the file if needed
// and bringing an older schema up to date (a copy of the older database stays
// beside it). It refuses a newer schema (ErrNewer) and a file that is no
// database of ours (ErrForeign).
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	steps, err := readMigrations(embedded, "migrations")
	if err != nil {
		return nil, say("%w", err)
	}
	return open(ctx, path, opt, steps)
}

func open(ctx context.Context, path string, opt Options, steps []migration) (*Store, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, say("%w", err)
	}
	s, err := newStore(full, opt)
	if err != nil {
		return nil, say("%w", err)
	}
	if err := s.checkLog(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	prepare := s.setUp
	if opt.ReadOnly {
		prepare = s.lookOnly
	}
	err = prepare(ctx, steps)
	if err == nil {
		s.file, err = os.Stat(full)
	}
	if err != nil {
		err = s.fail("open "+full, err)
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// gone reports that another file, or none, is where the database was opened:
// SQLite would go on with the one that nobody finds any more.
func (s *Store) gone() error {
	if s.file == nil {
		return nil
	}
	switch now, err := os.Stat(s.path); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s: nothing can be saved; put it back or leave", review.ErrGone, s.path)
	case err == nil && !os.SameFile(s.file, now):
		return fmt.Errorf("%w: another file is at %s: nothing can be saved; leave and start again", review.ErrGone, s.path)
	}
	return nil // what cannot be told is no reason
}

// setUp creates and migrates what is missing.
func (s *Store) setUp(ctx context.Context, steps []migration) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return fmt.Errorf("make a folder for the database: %w", err)
	}
	if info, err := os.Stat(s.path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, %w: name a file with --db", s.path, ErrForeign)
	}
	// A database that is up to date, the usual case, needs no setup
	// connection.
	if info, err := os.Stat(s.path); err == nil && info.Size() > 0 {
		if current, err := s.current(ctx, steps); err != nil || current {
			return err
		}
	}
	if err := makeFile(s.path); err != nil {
		return err
	}
	// Migrating, and keeping a copy before, takes as long as it takes.
	patience, cancel := context.WithTimeout(ctx, setupPatience)
	defer cancel()
	for {
		err := s.trySetUp(ctx, steps)
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

func (s *Store) trySetUp(ctx context.Context, steps []migration) error {
	pool, err := newStatements(dsn(s.path, roleSetup, false), 2)
	if err != nil {
		return err
	}
	err = migrate(ctx, pool.db, s.path, steps, s.notice)
	return errors.Join(err, pool.close())
}

// current reports whether there is nothing to set up: the schema is the newest
// and changes are logged (a copy put in place of a database has no log).
func (s *Store) current(ctx context.Context, steps []migration) (bool, error) {
	conn, err := s.readers.db.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	version, err := schemaVersion(ctx, conn, s.path, len(steps))
	if err != nil || version < len(steps) {
		return false, err
	}
	var mode string
	err = conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode)
	return mode == "wal" || s.readOnly, err
}

// lookOnly checks that the database is there and can be read as it is.
func (s *Store) lookOnly(ctx context.Context, steps []migration) error {
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no database at %s: import something first", s.path)
	}
	current, err := s.current(ctx, steps)
	if err == nil && !current {
		return fmt.Errorf("%w, and %s has an older schema: open it once for writing", ErrReadOnly, s.path)
	}
	return err
}

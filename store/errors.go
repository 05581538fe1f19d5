package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"winnow/core/review"
)

// Errors of the database as a whole. They come wrapped, with the path.
var (
	// ErrBusy: another process was writing all the time.
	ErrBusy = errors.New("database is busy")
	// ErrFull: no space for what was to be written; nothing of it was kept.
	ErrFull = errors.New("disk full")
	// ErrNewer: a newer program made the database.
	ErrNewer = errors.New("database is newer than this program")
	// ErrForeign: the file is no database of ours.
	ErrForeign = errors.New("not a winnow database")
	// ErrDamaged: SQLite found the file inconsistent.
	ErrDamaged = errors.New("database is damaged")
	// ErrReadOnly: the database can't be written to.
	ErrReadOnly = errors.New("database is read-only")
)

// code returns SQLite's primary and extended result codes of an error, 0 for
// errors from elsewhere.
func code(err error) (primary, extended int) {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff, e.Code()
	}
	return 0, 0
}

func isBusy(err error) bool {
	primary, _ := code(err)
	return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
}

// isDuplicate reports whether a row broke a UNIQUE rule.
func isDuplicate(err error) bool {
	_, extended := code(err)
	return extended == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}

// settled are errors that already say what a reader of one line needs.
var settled = []error{
	ErrBusy, ErrFull, ErrNewer, ErrForeign, ErrDamaged, ErrReadOnly,
	review.ErrNotFound, review.ErrAmbiguous, review.ErrNothing, review.ErrConflict, review.ErrGone,
	context.Canceled, context.DeadlineExceeded,
}

// fail turns an error into one line that says what failed, where, and what to
// do. It wraps once: an error that came through it stays as it is.
func (s *Store) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	if strings.HasPrefix(err.Error(), "store: ") {
		return err
	}
	for _, known := range settled {
		if errors.Is(err, known) {
			return fmt.Errorf("store: %w", err)
		}
	}
	primary, extended := code(err)
	switch {
	case primary == sqlite3.SQLITE_BUSY, primary == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("store: %w: another winnow is writing %s; try again when it is done", ErrBusy, s.path)
	case primary == sqlite3.SQLITE_FULL, extended == sqlite3.SQLITE_IOERR_SHMSIZE, noSpace(err):
		return fmt.Errorf("store: %w: free some space where %s lies and do it again; nothing of this step was kept", ErrFull, s.path)
	case primary == sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("store: %s is %w: choose another file with --db", s.path, ErrForeign)
	case primary == sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("store: %w: %s: run winnow doctor (%v)", ErrDamaged, s.path, err)
	case primary == sqlite3.SQLITE_READONLY:
		return fmt.Errorf("store: %w: %s", ErrReadOnly, s.path)
	case primary == sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("store: can't open %s: does the folder exist, and may you write there?", s.path)
	}
	return fmt.Errorf("store: %s: %w", what, err)
}

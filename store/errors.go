package store

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"winnow/core/chat"
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
	// ErrDamaged: the file is inconsistent.
	ErrDamaged = review.ErrDamaged
	// ErrReadOnly: the database can't be written to.
	ErrReadOnly = errors.New("database is read-only")
)

// errBusyHere: this process was writing all the time.
var errBusyHere = errors.New("this process is writing")

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

var (
	missing    = regexp.MustCompile(`no such ((?:table|index|column): [^ ]+)`)
	unreadable = regexp.MustCompile(`sql: Scan error|parsing time|jsontext: |json: `)
)

// stated is an error that says what failed, where, and what to do.
type stated struct{ error }

// Unwrap returns what it wraps.
func (t stated) Unwrap() error { return t.error }

// say makes the text of an error that nothing is to be added to.
func say(format string, args ...any) error { return stated{fmt.Errorf(format, args...)} }

// broken is the error of a database in which something can't be read: what, and
// what to do.
func (s *Store) broken(what string) error {
	return say("%w: %s: %s: winnow rescue OUT.db%s copies what can be read, verdicts first; winnow doctor%s says what that is",
		ErrDamaged, s.path, what, s.atPath(), s.atPath())
}

// atPath names the database on a command line.
func (s *Store) atPath() string {
	if strings.ContainsAny(s.path, " '\"$`\\") {
		return " --db " + strconv.Quote(s.path)
	}
	return " --db " + s.path
}

// fail turns an error into one line that says what failed, where, and what to
// do. It wraps once: an error that came through it stays as it is.
func (s *Store) fail(what string, err error) error {
	if err == nil {
		return nil
	}
	if t := (stated{}); errors.As(err, &t) {
		return err
	}
	if errors.Is(err, errBusyHere) {
		return say("%w: a long write of this winnow to %s is not done yet; try again when it is", ErrBusy, s.path)
	}
	for _, known := range settled {
		if errors.Is(err, known) {
			return stated{err}
		}
	}
	primary, extended := code(err)
	switch {
	case primary == sqlite3.SQLITE_BUSY, primary == sqlite3.SQLITE_LOCKED:
		return say("%w: another winnow is writing %s; try again when it is done", ErrBusy, s.path)
	case primary == sqlite3.SQLITE_FULL, extended == sqlite3.SQLITE_IOERR_SHMSIZE, noSpace(err):
		return say("%w: free some space where %s lies and do it again; nothing of this step was kept", ErrFull, s.path)
	case primary == sqlite3.SQLITE_NOTADB && !holdsTables(s.path):
		return say("%s is %w: choose another file with --db", s.path, ErrForeign)
	case primary == sqlite3.SQLITE_NOTADB:
		return s.broken(s.whatIsDamaged())
	case extended == sqlite3.SQLITE_CORRUPT_VTAB:
		return say("%w: %s: the text index can't be read, all else can: winnow doctor --repair%s makes it anew", ErrDamaged, s.path, s.atPath())
	case primary == sqlite3.SQLITE_CORRUPT:
		return s.broken(s.whatIsDamaged())
	case primary == sqlite3.SQLITE_IOERR:
		return s.broken(fmt.Sprintf("the disk does not give it back as it was written, or it ends early (%v)", err))
	case errors.Is(err, chat.ErrCorruptChunk):
		return say("%w: %s: %s: %w; other messages and all verdicts can be read: winnow rescue OUT.db%s copies them, and reads the sources again for the rest",
			ErrDamaged, s.path, what, err, s.atPath())
	case primary == sqlite3.SQLITE_ERROR && missing.MatchString(err.Error()):
		return s.broken("it lacks " + missing.FindStringSubmatch(err.Error())[1] + ", the others can be read")
	case unreadable.MatchString(err.Error()):
		return s.broken(what + ": a row holds what can't be in it, the others can be read")
	case primary == sqlite3.SQLITE_READONLY:
		return say("%w: %s", ErrReadOnly, s.path)
	case primary == sqlite3.SQLITE_CANTOPEN:
		return say("can't open %s: does the folder exist, and may you write there?", s.path)
	}
	return say("%s: %w", what, err)
}

package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/sqlite"
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

// plainErrors are errors that already say what a reader of one line needs.
var plainErrors = []error{
	ErrBusy, ErrFull, ErrNewer, ErrForeign, ErrDamaged, ErrReadOnly,
	review.ErrNotFound, review.ErrAmbiguous, review.ErrNothing, review.ErrConflict, review.ErrGone,
	context.Canceled, context.DeadlineExceeded,
}

// stated is an error that says what failed, where, and what to do.
type stated struct{ error }

// Unwrap returns what it wraps.
func (t stated) Unwrap() error { return t.error }

// say makes the text of an error that nothing is to be added to.
func say(format string, args ...any) error { return stated{fmt.Errorf(format, args...)} }

// broken is the error of a database in which something can't be read: what, and
// what to do.
func (s *Store) broken(what string) error {
	if s.from != "" {
		return say("%w: %s: no sound database can be made of it: %s: %s was not written; keep the damaged one for a newer winnow", ErrDamaged, s.from, what, strings.TrimSuffix(s.path, halfDone))
	}
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
	for _, known := range plainErrors {
		if errors.Is(err, known) {
			return stated{err}
		}
	}
	kind, text := sqlite.Meaning(err)
	switch kind {
	case sqlite.Busy:
		return say("%w: another winnow is writing %s; try again when it is done", ErrBusy, s.path)
	case sqlite.BusyHere:
		return say("%w: a long write of this winnow to %s is not done yet; try again when it is", ErrBusy, s.path)
	case sqlite.Full:
		return say("%w: free some space where %s lies and do it again; nothing of this step was kept", ErrFull, s.path)
	case sqlite.NoHeader:
		if !holdsTables(s.path) {
			return say("%s is %w: choose another file with --db", s.path, ErrForeign)
		}
		return s.broken(s.whatIsDamaged())
	case sqlite.Foreign:
		return say("%s is %w: choose another file with --db", s.path, ErrForeign)
	case sqlite.Folder:
		return say("%s is a folder, %w: name a file with --db", s.path, ErrForeign)
	case sqlite.NoFile:
		return say("%s: no database at %s: import something first", what, s.path)
	case sqlite.Older:
		return say("%w: %s has an older schema: open it once where it can be written to, or copy it there", ErrReadOnly, s.path)
	case sqlite.Newer:
		return say("%w: %s %s: use a newer winnow or another file with --db; if none made it, its header is damaged, and winnow rescue OUT.db%s copies what can be read",
			ErrNewer, s.path, text, s.atPath())
	case sqlite.Gone:
		return say("%w: %s: nothing can be saved; put it back or leave", review.ErrGone, s.path)
	case sqlite.Replaced:
		return say("%w: another file is at %s: nothing can be saved; leave and start again", review.ErrGone, s.path)
	case sqlite.Damaged:
		return s.broken(text)
	case sqlite.BadIndex:
		return say("%w: %s: the text index can't be read, all else can: winnow doctor --repair%s makes it anew", ErrDamaged, s.path, s.atPath())
	case sqlite.Corrupt:
		return s.broken(s.whatIsDamaged())
	case sqlite.Disk:
		return s.broken(fmt.Sprintf("the disk does not give it back as it was written, or it ends early (%v)", err))
	case sqlite.Lacks:
		return s.broken("it lacks " + text + ", the others can be read")
	case sqlite.ReadOnly:
		return say("%w: %s: to change anything, copy it to where you may write", ErrReadOnly, s.path)
	case sqlite.CantOpen:
		if s.ReadOnly() {
			return say("can't open %s: may you read it, and what lies beside it?", s.path)
		}
		return say("can't open %s: does the folder exist, and may you write there?", s.path)
	}
	if errors.Is(err, chat.ErrCorruptChunk) {
		return say("%w: %s: %s: %w; other messages and all verdicts can be read: winnow rescue OUT.db%s copies them, and reads the sources again for the rest",
			ErrDamaged, s.path, what, err, s.atPath())
	}
	if isBadRow(err) {
		return s.broken(what + ": a row holds what can't be in it, the others can be read")
	}
	return say("%s: %w", what, err)
}

// isBadRow reports whether a row holds what can't be in it: a value, or a time, an id
// or JSON in its text.
func isBadRow(err error) bool {
	kind, _ := sqlite.Meaning(err)
	return kind == sqlite.BadRow || errors.Is(err, facets.ErrID) || errors.As(err, new(*time.ParseError)) || errors.As(err, new(*jsontext.SyntacticError)) || errors.As(err, new(*json.SemanticError))
}

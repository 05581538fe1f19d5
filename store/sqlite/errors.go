package sqlite

import (
	"errors"
	"regexp"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Kind is what an error of the database means.
type Kind int

// Kinds of errors. Those with a text say more: see Meaning.
const (
	Other     Kind = iota
	Busy           // another process was writing all the time
	BusyHere       // this process was
	Full           // no space for what was to be written
	ReadOnly       // the database can't be written to
	NoFile         // there is no database
	CantOpen       // the system refuses the file
	Gone           // the file was deleted or moved
	Replaced       // another file is where it was opened
	Folder         // it is a folder
	Foreign        // another program made it
	NoHeader       // SQLite does not take it for a database
	Older          // an older program made it, and it can't be changed
	Newer          // a newer program made it; the text says how much
	Damaged        // the text says what can't be read
	Corrupt        // SQLite met a page that is inconsistent
	BadIndex       // the text index is
	Disk           // the system can't read a page
	Lacks          // a table, an index or a column, named by the text, is not there
	BadRow         // a row holds what can't be in it
	Duplicate      // a row breaks a UNIQUE rule
)

// Error is an error that this package found by itself.
type Error struct {
	Kind Kind
	Text string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Text == "" {
		return "the database can't be used"
	}
	return e.Text
}

var (
	errBusyHere = &Error{BusyHere, "this process is writing"}
	errReadOnly = &Error{ReadOnly, "opened for reading only"}
)

// missing is what only texts tell: SQLite has one code for most mistakes in
// statements.
var missing = regexp.MustCompile(`no such ((?:table|index|column): [^ ]+)`)

// misfit is the error of a row that was found and can't be what it is read into.
type misfit struct{ error }

// Unwrap returns what it wraps.
func (m misfit) Unwrap() error { return m.error }

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

// Meaning returns what an error means, and the text that belongs to it.
func Meaning(err error) (Kind, string) {
	var own *Error
	if errors.As(err, &own) {
		return own.Kind, own.Text
	}
	primary, extended := code(err)
	switch {
	case isBusy(err):
		return Busy, ""
	case primary == sqlite3.SQLITE_FULL, extended == sqlite3.SQLITE_IOERR_SHMSIZE, noSpace(err):
		return Full, ""
	case primary == sqlite3.SQLITE_NOTADB:
		return NoHeader, ""
	case extended == sqlite3.SQLITE_CORRUPT_VTAB:
		return BadIndex, ""
	case primary == sqlite3.SQLITE_CORRUPT:
		return Corrupt, ""
	case primary == sqlite3.SQLITE_IOERR:
		return Disk, err.Error()
	case primary == sqlite3.SQLITE_ERROR && missing.MatchString(err.Error()):
		return Lacks, missing.FindStringSubmatch(err.Error())[1]
	case errors.As(err, new(misfit)):
		return BadRow, ""
	case primary == sqlite3.SQLITE_READONLY:
		return ReadOnly, ""
	case primary == sqlite3.SQLITE_CANTOPEN:
		return CantOpen, ""
	}
	return Other, ""
}

// IsDuplicate reports whether a row broke a UNIQUE rule.
func IsDuplicate(err error) bool {
	_, extended := code(err)
	return extended == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}

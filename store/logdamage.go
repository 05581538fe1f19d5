package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"winnow/store/dbfile"
	"winnow/store/sqlite"
)

// keptLog is the end of the name under which a damaged log is kept.
const keptLog = "-wal.damaged"

// LogDamage says what is wrong with the write-ahead log of a database, "" for
// nothing, or if it was kept by KeepLog. SQLite drops what follows in silence.
func LogDamage(path string) string {
	what := ""
	// Another process may be writing: what is wrong stays wrong.
	for range 3 {
		var err error
		if what, err = dbfile.LogProblem(path, sqlite.PageSize); err != nil || what == "" {
			return ""
		}
	}
	now, err1 := os.ReadFile(path + "-wal")
	kept, err2 := os.ReadFile(path + keptLog)
	if err1 == nil && err2 == nil && bytes.Equal(now, kept) {
		return ""
	}
	return what
}

// KeepLog copies the log of a database to a file beside it, whose name it
// returns: the database may be opened then, though what follows the damage in
// the log is dropped.
func KeepLog(path string) (kept string, err error) {
	kept = path + keptLog
	from, err := os.Open(path + "-wal")
	if err != nil {
		return "", err
	}
	defer from.Close()
	// One that was kept before is the last that there is of other work.
	for n := 2; ; n++ {
		if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) {
			break
		}
		older := fmt.Sprintf("%s%s.%d", path, keptLog, n)
		if _, err := os.Lstat(older); errors.Is(err, fs.ErrNotExist) {
			if err := os.Rename(kept, older); err != nil {
				return "", err
			}
		}
	}
	to, err := os.OpenFile(kept, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	return kept, errors.Join(err, to.Sync(), to.Close())
}

func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// checkLog refuses a database whose log SQLite would cut off at a damaged page,
// or delete.
func (s *Store) checkLog() error {
	// SQLite deletes the log of a database that is not there.
	if info, err := os.Stat(s.path); (errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0) && hasContent(s.path+"-wal") {
		return say("%w: %s is not there or empty, but its log %s-wal holds work: put the database back beside the log, or move the log away",
			ErrDamaged, s.path, s.path)
	}
	what := LogDamage(s.path)
	if what == "" {
		return nil
	}
	return say("%w: %s: %s: what they hold would be lost on opening it: winnow rescue OUT.db%s copies it; winnow doctor --repair%s goes on without it and keeps the log beside the database",
		ErrDamaged, s.path, what, s.atPath(), s.atPath())
}

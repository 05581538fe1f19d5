package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// besides are the ends of the names of the files that make up a database.
var besides = []string{"", "-wal", "-shm", "-journal"}

// halfDone is the end of the name of a new database until it is done.
const halfDone = ".half"

// mayWrite checks that nothing is lost by writing the new database: what is part
// of the damaged one, or is another damaged one, stays as it is. With force what
// else is there may be kept under another name.
func mayWrite(ctx context.Context, from, to string, force bool) error {
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no database at %s", from)
	} else if err != nil {
		return err
	}
	for _, end := range besides {
		for _, path := range []string{to + end, to + halfDone + end} {
			if sameFile(path, from) || sameFile(path, from+"-wal") {
				return fmt.Errorf("%s is the damaged database itself: name another file than %s", path, to)
			}
		}
	}
	switch is, err := os.Stat(to); {
	case err == nil && !is.Mode().IsRegular():
		return fmt.Errorf("%s is no file: name another", to)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case !isThere(to) && !isThere(to+"-wal"):
		return nil
	case !force:
		return fmt.Errorf("%s is there already: name another file, or put the new one in its place with --force", to)
	case err != nil:
		return nil
	}
	if d, err := diagnose(ctx, to); err == nil && d.Damaged() && holdsTables(to) {
		return fmt.Errorf("%s is a damaged winnow database, which may hold the only copy of its verdicts: name another file", to)
	}
	return ctx.Err()
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func sameFile(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// keepOld gives a database that is in the place of the new one another name,
// which it returns; "" if none is.
func keepOld(path string) (string, error) {
	if !isThere(path) && !isThere(path+"-wal") {
		return "", nil
	}
	old := path + ".old"
	for n := 2; isThere(old) || isThere(old+"-wal"); n++ {
		old = fmt.Sprintf("%s.old.%d", path, n)
	}
	// The file itself goes last: a log alone beside the new one would be taken
	// for its own.
	for _, end := range []string{"-wal", "-shm", "-journal", ""} {
		if err := os.Rename(path+end, old+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return old, nil
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// MakeFile makes an empty file for a database, if there is none, also where a
// symbolic link leads that leads to none. SQLite gives its log and its index of the
// log the mode that the file has.
func MakeFile(path string) error {
	const flags = os.O_CREATE | os.O_WRONLY
	f, err := os.OpenFile(filepath.Clean(path), flags|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		// A file that is there is not opened: to close it would give up the locks
		// that this process has on it.
		if _, missing := os.Stat(path); !errors.Is(missing, fs.ErrNotExist) {
			return nil
		}
		f, err = os.OpenFile(filepath.Clean(path), flags, 0o600)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// backUp keeps a copy of the database beside it, whose name it returns, and
// deletes copies of older versions. The caller holds the write lock, so that
// nothing changes meanwhile.
func backUp(ctx context.Context, db *sql.DB, path string, version int) (string, error) {
	target := fmt.Sprintf("%s.v%d.bak", path, version)
	half := target + ".half"
	if err := os.Remove(half); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := MakeFile(half); err != nil {
		return "", err
	}
	_, err := db.ExecContext(ctx, "VACUUM INTO ?", half)
	if err == nil {
		err = synced(half)
	}
	if err == nil {
		err = os.Rename(half, target)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(half))
	}
	// Not every system can sync a folder: the copy itself is safe.
	_ = synced(filepath.Dir(target))
	dropCopies(path, version)
	return target, nil
}

// synced waits until what was written to a file, or to a folder, is on the disk.
func synced(path string) error {
	f, err := os.OpenFile(filepath.Clean(path), os.O_RDWR, 0)
	if err != nil {
		if f, err = os.Open(filepath.Clean(path)); err != nil { // a folder
			return err
		}
	}
	return errors.Join(f.Sync(), f.Close())
}

var copyEnd = regexp.MustCompile(`^\.v(\d+)\.bak(\.half)?$`)

// dropCopies deletes the copies of versions of the database before this one. One
// that can't be deleted stays.
func dropCopies(path string, version int) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		end, ours := strings.CutPrefix(e.Name(), filepath.Base(path))
		if m := copyEnd.FindStringSubmatch(end); ours && m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n < version {
				_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
}

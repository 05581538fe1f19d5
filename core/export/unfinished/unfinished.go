// Package unfinished gives files and folders names of their own, beside the
// target, until they are complete. It locks the target meanwhile, and clears away
// what a program that was killed has left there. It imports nothing of winnow.
package unfinished

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Mark is in the names of all that is unfinished: .NAME.winnow-tmp-…, in
// the folder where NAME will be.
const Mark = ".winnow-tmp-"

// Path returns the path of something unfinished beside path.
func Path(path, name string) (string, error) {
	// The folder that "." lies in is found only from its full name.
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(full), "."+filepath.Base(full)+Mark+name), nil
}

// Create opens a new unfinished file beside path.
func Create(path string) (*os.File, error) {
	var f *os.File
	err := unused(path, func(name string) (err error) {
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	return f, err
}

// CreateFolder makes a new unfinished folder beside path.
func CreateFolder(path string) (name string, err error) {
	err = unused(path, func(try string) error {
		name = try
		return os.Mkdir(try, 0o777)
	})
	return name, err
}

// unused calls create with names beside path until one is free.
func unused(path string, create func(name string) error) error {
	for n := 0; ; n++ {
		name, err := Path(path, fmt.Sprintf("%d-%d", os.Getpid(), n))
		if err != nil {
			return err
		}
		if err := create(name); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Lock is held by an export for as long as it writes to a target. It is a file
// beside it; the system lets go of it when a program is killed.
type Lock struct{ *os.File }

// NewLock fails if another export writes to the target.
func NewLock(path string) (*Lock, error) {
	name, err := Path(path, "lock")
	if err != nil {
		return nil, err
	}
	for {
		f, err := openLock(name)
		if errors.Is(err, errLocked) {
			return nil, lockedError{path}
		}
		if err != nil {
			return nil, fmt.Errorf("folder of %s: %w", path, err)
		}
		// The one that held it before may have removed it meanwhile.
		ours, err := f.Stat()
		if named, failed := os.Stat(name); err == nil && failed == nil && os.SameFile(ours, named) {
			return &Lock{f}, nil
		}
		f.Close()
	}
}

var errLocked = errors.New("locked")

// lockedError says that somebody else has a lock.
type lockedError struct{ path string }

func (e lockedError) Error() string {
	return fmt.Sprintf("another export writes to %s: wait until it is done", e.path)
}

func (lockedError) Is(err error) bool { return err == ErrLocked }

// ErrLocked is what the error of NewLock is when somebody else has the lock.
var ErrLocked = errors.New("somebody else has the lock")

// RemoveLeftovers removes what exports to a target that were killed have left.
// Its lock must be held: what is there belongs to no running export.
func RemoveLeftovers(path string) error {
	prefix, err := Path(path, "")
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Dir(prefix))
	if err != nil {
		return fmt.Errorf("folder of %s: %w", path, err)
	}
	for _, entry := range entries {
		name := filepath.Join(filepath.Dir(prefix), entry.Name())
		if !strings.HasPrefix(name, prefix) || name == prefix+"lock" {
			continue
		}
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("left by an earlier export: %w", err)
		}
	}
	return nil
}

// Follow returns what path names, behind links: a rename would replace the
// link itself.
func Follow(path string) (string, error) {
	const links = 40 // on the way at most, as for systems too
	at := path
	for range links {
		target, err := os.Readlink(at)
		if err != nil {
			return at, nil // no link, or nothing at all
		}
		if !filepath.IsAbs(target) {
			// ".." means the folder above the real one.
			dir, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return "", fmt.Errorf("folder of %s: %w", path, err)
			}
			target = filepath.Join(dir, target)
		}
		at = target
	}
	return "", fmt.Errorf("%s is a link that leads to itself: name a file", path)
}

// SyncFolder makes renames durable. Systems that cannot sync a folder make
// them durable by themselves, or not at all.
func SyncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// Plainly names the target in an error about one of its unfinished files, which
// nobody knows by their names.
func Plainly(err error, target string) error {
	var at *fs.PathError
	if errors.As(err, &at) && strings.Contains(at.Path, Mark) {
		return fmt.Errorf("%s %s: %w", at.Op, target, at.Err)
	}
	return err
}

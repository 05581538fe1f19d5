package compress

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/core/export"
	"winnow/core/export/unfinished"
)

// target is a file that takes its name when it is whole.
type target struct {
	path string // as it was named
	at   string // behind links
	lock *unfinished.Lock
	f    *os.File
	*bufio.Writer
}

// newTarget begins to write a file. One that is there is replaced only with force.
func newTarget(path string, force bool) (t *target, err error) {
	t = &target{path: path}
	if t.at, err = unfinished.Follow(filepath.Clean(path)); err != nil {
		return nil, err
	}
	if err := mayWrite(t.at, path, force); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Dir(t.at)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder of %s is not there: make it first", path)
	}
	if t.lock, err = unfinished.NewLock(t.at); err != nil {
		return nil, err
	}
	if err = unfinished.RemoveLeftovers(t.at); err == nil {
		t.f, err = unfinished.Create(t.at)
	}
	if err != nil {
		t.lock.Release()
		return nil, unfinished.Plainly(err, path)
	}
	t.Writer = bufio.NewWriterSize(t.f, 1<<18)
	return t, nil
}

// mayWrite fails if what is there must not be replaced.
func mayWrite(at, path string, force bool) error {
	switch info, err := os.Stat(at); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: name a file", path)
	case err == nil && !force:
		return fmt.Errorf("%s %w", path, export.ErrExists)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// commit gives the file its name.
func (t *target) commit() error {
	err := errors.Join(t.Flush(), t.f.Sync(), t.f.Close())
	if err == nil {
		err = os.Rename(t.f.Name(), t.at)
	}
	if err != nil {
		os.Remove(t.f.Name())
	}
	t.lock.Release()
	if t.f = nil; err != nil {
		return unfinished.Plainly(err, t.path)
	}
	unfinished.SyncFolder(filepath.Dir(t.at))
	return nil
}

// abort removes what is unfinished. It does nothing after a commit.
func (t *target) abort() {
	if t.f == nil {
		return
	}
	t.f.Close()
	os.Remove(t.f.Name())
	t.lock.Release()
}

//go:build !unix || solaris || aix

package unfinished

import (
	"errors"
	"io/fs"
	"os"
)

// openLock makes a file, or fails with errLocked. One that is left by a killed
// export can be removed; one that is open cannot.
func openLock(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errLocked
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, errLocked
	}
	return f, err
}

// Release closes the file first: an open one cannot be removed.
func (l *Lock) Release() {
	l.Close()
	os.Remove(l.Name())
}

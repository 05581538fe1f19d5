//go:build unix && !solaris && !aix

package unfinished

import (
	"errors"
	"os"
	"syscall"
)

// openLock opens and locks a file, or fails with errLocked. File systems
// without locks have it open, not locked.
func openLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, errLocked
	}
	return f, nil
}

// Release removes the file while it is locked: nobody else can have it.
func (l *Lock) Release() {
	os.Remove(l.Name())
	l.Close()
}

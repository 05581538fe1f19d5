package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// mayWrite reports whether a file is marked as one to be read only. That of a
// folder says nothing.
func mayWrite(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() || info.Mode()&0o200 != 0
}

// The system's codes for a full disk; package syscall does not name them.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// noSpace reports whether the system ran out of disk space.
func noSpace(err error) bool {
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}

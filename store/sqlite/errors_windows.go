package sqlite

import (
	"errors"
	"syscall"
)

// The system's codes for a full disk; package syscall does not name them.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// noSpace reports whether the system ran out of disk space.
func noSpace(err error) bool {
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}

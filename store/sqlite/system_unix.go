//go:build unix

package sqlite

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// mayWrite reports whether this process may write a file, or into a folder. It
// does not open it: closing would give up the locks of the process.
func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }

// noSpace reports whether the system ran out of disk space or quota.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

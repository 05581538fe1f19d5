//go:build unix

package sqlite

import (
	"errors"
	"syscall"
)

// noSpace reports whether the system ran out of disk space or quota.
func noSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

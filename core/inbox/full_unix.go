//go:build unix

package inbox

import (
	"errors"
	"syscall"
)

// Full reports whether an error says that a disk is full, or what somebody may have of it.
func Full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

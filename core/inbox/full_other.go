//go:build !unix

package inbox

import (
	"errors"
	"syscall"
)

// diskFull is Windows' ERROR_DISK_FULL.
const diskFull = syscall.Errno(112)

// Full reports whether an error says that a disk is full.
func Full(err error) bool { return errors.Is(err, diskFull) }

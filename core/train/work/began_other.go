//go:build unix && !linux && !darwin

package work

import "syscall"

// Began is 1 for a process that is there: this system does not tell when it began. 0:
// there is none of this number.
func Began(pid int) int64 {
	if pid <= 1 || syscall.Kill(pid, 0) != nil {
		return 0
	}
	return 1
}

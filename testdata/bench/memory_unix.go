//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the largest resident size of a process that has ended.
// Linux counts what the parent held when it started the child, too: this
// program stays small for that reason.
func peakMemory(s *os.ProcessState) int64 {
	r, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(r.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(r.Maxrss) << 10
}

//go:build unix && !linux

package work

import (
	"errors"
	"syscall"
)

// kin are the processes of a run outside of its group, which this system does not tell.
type kin struct{}

func newKin(string, int64) *kin { return &kin{} }

// look finds out whether there are processes of the group of a leader.
func (k *kin) look(leader int) (own bool, others []int) {
	return leader > 1 && !errors.Is(syscall.Kill(-leader, 0), syscall.ESRCH), nil
}

func ticksOf(int) int64 { return 0 }

// leaderless reports whether a group is known without its leader: no process gets its
// number as long as others of it are there.
const leaderless = true

//go:build unix

package work

import (
	"os/exec"
	"syscall"
)

// atOnce has a file opened without waiting for whoever writes it.
const atOnce = syscall.O_NONBLOCK

// group is the processes that a trainer begins, as one: those of a group of the system's,
// and their kin in others.
type group struct {
	leader int // 1 or less: there is no group, or it is not known
	kin    *kin
	asked  map[int]bool
}

// newGroup returns the group of a leader and its kin, by what is noted of them.
func newGroup(leader int, n note) *group {
	return &group{leader, newKin(n.mark, n.since), map[int]bool{}}
}

// apart has a command begin a group of its own, which a signal reaches as a whole.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Detach has a command go on when the terminal that it is begun in is closed.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// groupOf returns the group of a process that has begun apart.
func groupOf(n note) (*group, error) { return newGroup(n.pid, n), nil }

// ask asks all of them to end, each once; it is to be called until they are gone. Kin is
// asked when the group is gone: launchers tell those themselves whom they began.
func (g *group) ask() {
	own, others := g.kin.look(g.leader)
	if own {
		others = []int{-g.leader}
	}
	for _, pid := range others {
		if !g.asked[pid] {
			_ = syscall.Kill(pid, syscall.SIGTERM) // what does not hear it is killed
		}
		g.asked[pid] = true
	}
}

// kill ends all of them at once, and reports whether there were none.
func (g *group) kill() (gone bool) {
	own, others := g.kin.look(g.leader)
	if own {
		g.killGroup()
	}
	for _, pid := range others {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return !own && len(others) == 0
}

// killGroup ends the group at once, and not its kin.
func (g *group) killGroup() {
	if g.leader > 1 { // 0 and -1 are other groups, 1 is the system's
		_ = syscall.Kill(-g.leader, syscall.SIGKILL)
	}
}

// left returns the number of one that is left, 0 if none is, and remembers all of them.
func (g *group) left() int {
	own, others := g.kin.look(g.leader)
	switch {
	case own:
		return g.leader
	case len(others) > 0:
		return others[0]
	}
	return 0
}

// close forgets the group.
func (g *group) close() {}

//go:build unix

package work

import (
	"errors"
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

// newGroup returns the group of a leader and its kin, which have a mark in their
// environment.
func newGroup(leader int, mark string) *group { return &group{leader, newKin(mark), map[int]bool{}} }

// apart has a command begin a group of its own, which a signal reaches as a whole.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Detach has a command go on when the terminal that it is begun in is closed.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// groupOf returns the group of a process that has begun apart.
func groupOf(pid int, mark string) (*group, error) { return newGroup(pid, mark), nil }

// ask asks all of them to end, each once; it is to be called until they are gone. Kin is
// asked when the group is gone: launchers tell those themselves whom they began.
func (g *group) ask() {
	kin := g.kin.outside(g.leader)
	if !g.empty() {
		if !g.asked[g.leader] {
			_ = syscall.Kill(-g.leader, syscall.SIGTERM) // what does not hear it is killed
		}
		g.asked[g.leader] = true
		return
	}
	for _, pid := range kin {
		if !g.asked[pid] {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
		g.asked[pid] = true
	}
}

// kill ends all of them at once.
func (g *group) kill() {
	kin := g.kin.outside(g.leader)
	g.killGroup()
	for _, pid := range kin {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// killGroup ends the group at once, and not its kin.
func (g *group) killGroup() {
	if g.leader > 1 { // 0 and -1 are other groups, 1 is the system's
		_ = syscall.Kill(-g.leader, syscall.SIGKILL)
	}
}

// empty reports whether nothing is left of the group itself.
func (g *group) empty() bool {
	return g.leader <= 1 || errors.Is(syscall.Kill(-g.leader, 0), syscall.ESRCH) || g.kin.ended(g.leader)
}

// gone reports whether none of them is left.
func (g *group) gone() bool { return g.left() == 0 }

// left returns the number of one that is left, 0 if none is. No process gets the number of
// a leader that is gone as long as others of its group are there.
func (g *group) left() int {
	if !g.empty() {
		return g.leader
	}
	if list := g.kin.outside(g.leader); len(list) > 0 {
		return list[0]
	}
	return 0
}

// close forgets the group.
func (g *group) close() {}

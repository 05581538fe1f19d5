//go:build unix

package work

import (
	"errors"
	"os/exec"
	"syscall"
)

// atOnce has a file opened without waiting for whoever writes it.
const atOnce = syscall.O_NONBLOCK

// group is the processes that a trainer begins, as one.
type group struct{ leader int }

// apart has a command begin a group of its own, which a signal reaches as a whole.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Detach has a command go on when the terminal that it is begun in is closed.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// groupOf returns the group of a process that has begun apart.
func groupOf(pid int) (group, error) { return group{pid}, nil }

// terminate asks all of them to end.
func (g group) terminate() error { return g.signal(syscall.SIGTERM) }

// kill ends all of them at once.
func (g group) kill() error { return g.signal(syscall.SIGKILL) }

func (g group) signal(s syscall.Signal) error {
	if g.leader <= 1 { // 0 and -1 are other groups, 1 is the system's
		return errors.New("no group of processes")
	}
	if err := syscall.Kill(-g.leader, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// gone reports whether none of them is left.
func (g group) gone() bool { return errors.Is(syscall.Kill(-g.leader, 0), syscall.ESRCH) }

// left reports whether some of a group are left although its leader is gone: no process
// gets its number as long as they have it.
func (g group) left() bool { return g.leader > 1 && Began(g.leader) == 0 && !g.gone() }

// close forgets the group.
func (g group) close() {}

package work

import (
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// atOnce has a file opened without waiting for whoever writes it, as it is here.
const atOnce = 0

// group is the processes that a trainer begins, as one: a job of the system's. It ends
// with the worker. Of a trainer whose worker is gone only the process itself is known.
type group struct {
	leader int
	job    windows.Handle // 0: not known
	asked  bool
}

// newGroup returns the group of a leader of which nothing else is known.
func newGroup(leader int, _ note) *group { return &group{leader: leader} }

// apart has a command begin a group of its own.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// Detach has a command go on when the terminal that it is begun in is closed.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

// groupOf returns the group of a process that has begun apart.
func groupOf(n note) (*group, error) {
	g, pid := newGroup(n.pid, n), n.pid
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	var process windows.Handle
	if err == nil {
		process, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	}
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	if err != nil {
		windows.CloseHandle(job)
		return g, err
	}
	g.job = job
	return g, nil
}

// ask asks all of them to end, once. Those without a console do not hear it.
func (g *group) ask() {
	if !g.asked && g.leader > 1 {
		_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(g.leader))
	}
	g.asked = true
}

// kill ends all of them at once, and reports whether there were none, as far as that is
// known.
func (g *group) kill() (gone bool) {
	gone = g.left() == 0
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		return gone
	}
	process, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(g.leader))
	if err != nil {
		return gone
	}
	defer windows.CloseHandle(process)
	_ = windows.TerminateProcess(process, 1)
	return gone
}

// killGroup ends them as kill does: a job has all of them.
func (g *group) killGroup() { _ = g.kill() }

// left returns the leader if it is there, else 0: the others end with their worker.
func (g *group) left() int {
	if Began(g.leader) == 0 {
		return 0
	}
	return g.leader
}

func ticksOf(int) int64 { return 0 }

// leaderless reports whether a group is known without its leader.
const leaderless = false

// close forgets the group.
func (g *group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}

// stillActive is the exit code of a process that runs.
const stillActive = 259

// Began tells when a process began, as its system counts it; 0: there is none of this
// number.
func Began(pid int) int64 {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(process)
	var code uint32
	if err := windows.GetExitCodeProcess(process, &code); err != nil || code != stillActive {
		return 0
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	return created.Nanoseconds()
}

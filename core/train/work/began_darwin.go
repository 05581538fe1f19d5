package work

import "golang.org/x/sys/unix"

// zombie is the state of a process that has ended, and whose exit status nobody asked
// for yet.
const zombie = 5

// Began tells when a process began, as its system counts it; 0: there is none of this
// number.
func Began(pid int) int64 {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid || info.Proc.P_stat == zombie {
		return 0
	}
	return info.Proc.P_starttime.Nano()
}

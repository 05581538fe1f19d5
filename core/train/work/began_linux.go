package work

import (
	"bytes"
	"hash/fnv"
	"os"
	"strconv"
	"sync"
)

// process is what the system tells of a process: what began it, its group and session,
// and when it began, in ticks since the system's own beginning.
type process struct {
	parent, group, session int
	ticks                  int64
}

// processOf returns a process. ok is false if there is none of this number, or it has
// ended and nobody asked for its exit status yet.
func processOf(pid int) (p process, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	// The name in parentheses may hold anything; after it come the state, three numbers
	// of processes and, as the twentieth of these fields, the beginning.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || bytes.ContainsAny(fields[0], "ZX") {
		return p, false
	}
	for i, n := range []*int{&p.parent, &p.group, &p.session} {
		*n, _ = strconv.Atoi(string(fields[1+i]))
	}
	p.ticks, _ = strconv.ParseInt(string(fields[19]), 10, 64)
	return p, true
}

// Began tells when a process began; 0: there is none of this number, or it has ended.
func Began(pid int) int64 {
	p, ok := processOf(pid)
	if !ok {
		return 0
	}
	return beganAt(boot(), p.ticks)
}

// boot names the time that the system is up for.
var boot = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(bytes.TrimSpace(id))
})

// beganAt makes one number, never 0, of when a process began and of the boot that this
// counts from, as another process has the same numbers after the next one.
func beganAt(boot string, ticks int64) int64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(boot + " " + strconv.FormatInt(ticks, 10)))
	return int64(sum.Sum64()>>1 | 1)
}

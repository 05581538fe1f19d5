package work

import (
	"bytes"
	"os"
	"strconv"
)

// Began tells when a process began, as its system counts it; 0: there is none of this
// number, or it has ended and nobody asked for its exit status yet.
func Began(pid int) int64 {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name in parentheses may hold anything; after it come the state and, as the
	// twentieth of these fields, the beginning in ticks since the system's own.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 || bytes.ContainsAny(fields[0], "ZX") {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[19]), 10, 64)
	return n
}

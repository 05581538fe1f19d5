package work

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
)

// kin are the processes of a run that may be in no group of its: launchers begin some in
// sessions of their own. They have the mark of the run in their environment, which nobody
// else is given, or were begun by others of them, as some write over that.
type kin struct {
	mark  string        // "" is nobody's
	since int64         // when the first of them began, in ticks
	known map[int]int64 // when those began that were found, as who began them may be gone since
}

func newKin(mark string, since int64) *kin { return &kin{mark, since, map[int]int64{}} }

// look finds out whether there are processes of the group of a leader, if it is more than 1,
// and which others there are. Neither who asks nor what began that is ever one of them.
func (k *kin) look(leader int) (own bool, others []int) {
	return k.among(processes(), leader, k.marked)
}

// among is look among some processes.
func (k *kin) among(all map[int]process, leader int, marked func(pid int) bool) (own bool, others []int) {
	for pid := os.Getpid(); pid > 0; { // to the system's first one
		p, ok := all[pid]
		if delete(all, pid); !ok {
			break
		}
		pid = p.parent
	}
	delete(all, 1)
	maps.DeleteFunc(all, func(_ int, p process) bool { return p.ticks < k.since })
	first, led := all[leader]
	led = led && leader > 1 && (k.since == 0 || first.ticks == k.since) // else another one may have its number
	found := map[int]bool{}
	for pid, p := range all {
		began, known := k.known[pid]
		if led && p.group == leader || known && began == p.ticks || marked(pid) {
			found[pid] = true
		}
	}
	for n := -1; n != len(found); {
		n = len(found)
		for pid, p := range all {
			if found[p.parent] || found[p.group] || found[p.session] {
				found[pid] = true
			}
		}
	}
	for _, pid := range slices.Sorted(maps.Keys(found)) {
		k.known[pid] = all[pid].ticks
		if leader > 1 && all[pid].group == leader {
			own = true
		} else {
			others = append(others, pid)
		}
	}
	return own, others
}

// marked reports whether a process was begun with the mark.
func (k *kin) marked(pid int) bool {
	if k.mark == "" {
		return false
	}
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+k.mark+"\x00"))
}

// processes are all there are, by their numbers.
func processes() map[int]process {
	all := map[int]process{}
	list, _ := os.ReadDir("/proc")
	for _, one := range list {
		pid, err := strconv.Atoi(one.Name())
		if err != nil {
			continue
		}
		if p, ok := processOf(pid); ok {
			all[pid] = p
		}
	}
	return all
}

// ticksOf tells when a process began, as kin count it.
func ticksOf(pid int) int64 {
	p, _ := processOf(pid)
	return p.ticks
}

// leaderless reports whether a group is known without its leader: here kin is, while the
// number may be that of a group that nobody of the run is in.
const leaderless = false

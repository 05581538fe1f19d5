package work

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
)

// kin are the processes of a run that may be in no group of its: launchers begin some in
// sessions of their own. They have a mark in their environment, or were begun by others
// of them, as some write over that.
type kin struct {
	mark  string
	known map[int]int64 // when those began that were found, as who began them may be gone since
}

func newKin(mark string) *kin { return &kin{mark, map[int]int64{}} }

// outside returns those that are not in the group of a leader, if it is more than 1. Who
// asks is none of them.
func (k *kin) outside(leader int) (list []int) {
	all := processes()
	delete(all, os.Getpid())
	found := map[int]bool{}
	for pid, p := range all {
		if leader > 1 && p.group == leader || k.known[pid] == p.ticks || k.marked(pid) {
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
		if leader <= 1 || all[pid].group != leader {
			list = append(list, pid)
		}
	}
	return list
}

// marked reports whether a process was begun with the mark.
func (k *kin) marked(pid int) bool {
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

// ended reports whether all processes of a group have ended, though nobody may have asked
// for their exit status yet.
func (k *kin) ended(leader int) bool {
	for _, p := range processes() {
		if p.group == leader {
			return false
		}
	}
	return true
}

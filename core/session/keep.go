package session

import (
	"slices"

	"winnow/core/chat"
)

// maxCompactions is how many compactions of a session are remembered.
const maxCompactions = 16

// compact remembers that the newest message is a compaction.
func (t *thread) compact(kept string) {
	t.compactions, t.kept = append(t.compactions, t.messages), kept
	if over := len(t.compactions) - maxCompactions; over > 0 {
		t.compactions = slices.Delete(t.compactions, 0, over)
	}
}

// newestCompaction is the number of the last one, 0 without any.
func (t *thread) newestCompaction() int {
	if len(t.compactions) == 0 {
		return 0
	}
	return t.compactions[len(t.compactions)-1]
}

// keptAgain is what the last compaction kept, as a message with that number has it.
// The runs of more are added to it.
func (t *thread) keptAgain(n int, more ...[2]int) string {
	last := chat.Message{N: t.newestCompaction(), Kept: t.kept}
	runs, known := last.Keeps()
	if !known {
		return ""
	}
	for _, run := range more {
		runs = addRun(runs, run[0], run[1])
	}
	return chat.KeptBefore(n, runs)
}

// without returns the messages first..last but for compactions among them: those
// stand for what was in front of them, and went out of sight with the next one.
func (t *thread) without(first, last int) (runs [][2]int) {
	for _, n := range t.compactions {
		if n >= first && n <= last {
			runs = addRun(runs, first, n-1)
			first = n + 1
		}
	}
	return addRun(runs, first, last)
}

// addRun adds messages first..last to runs, which may be none.
func addRun(runs [][2]int, first, last int) [][2]int {
	if first > last {
		return runs
	}
	if n := len(runs) - 1; n >= 0 && runs[n][1]+1 == first {
		runs[n][1] = last
		return runs
	}
	return append(runs, [2]int{first, last})
}

// handCompactions hands those after a message over to another session. What the
// last one kept is then the other's to say.
func (t *thread) handCompactions(to *thread, after, shift int) {
	t.asides = slices.DeleteFunc(t.asides, func(a codexAside) bool { return a.n > after })
	at := len(t.compactions)
	for at > 0 && t.compactions[at-1] > after {
		at--
	}
	for _, n := range t.compactions[at:] {
		to.compactions = append(to.compactions, n+shift)
		to.kept = t.kept
	}
	if at < len(t.compactions) {
		t.compactions, t.kept = t.compactions[:at:at], ""
	}
	if over := len(to.compactions) - maxCompactions; over > 0 {
		to.compactions = slices.Delete(to.compactions, 0, over)
	}
}

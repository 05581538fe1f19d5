package digest

import (
	"slices"
	"time"

	"winnow/core/outcome"
)

// interruption is the mark of one by the user.
const interruption = "interrupted by the user"

// entry is something that happened in the work of a turn: a call, several that
// are alike, words, or a mark.
type entry struct {
	from, to     int
	before, last time.Time
	calls        []*call // alike; nil for words and marks
	words        string
	thought      bool
	mark         string
	leads        bool // it begins a step: the assistant said something before
}

// call returns the last of the calls, which says how it ended.
func (e *entry) call() *call { return e.calls[len(e.calls)-1] }

// open counts the failures left open.
func (e *entry) open() int {
	n := 0
	for _, c := range e.calls {
		if c.open {
			n++
		}
	}
	return n
}

// weight says how much an entry is worth a line.
func (e *entry) weight() int {
	switch {
	case e.mark == interruption:
		return 6
	case e.mark != "":
		return 4
	case len(e.calls) == 0:
		return 1
	case e.open() > 0:
		return 7
	case !e.changed() && e.call().outcome != outcome.OK: // what was mended
		return [...]int{looks: 1, acts: 1, checks: 2, changes: 2, delivers: 2, thinks: 1}[e.call().kind]
	}
	return [...]int{looks: 1, acts: 2, checks: 3, changes: 5, delivers: 6, thinks: 1}[e.call().kind]
}

// step is entries that share a line.
type step struct {
	entries []entry
	weight  int
	cells   int // of what must be on the line
}

// entriesOf returns what happened in beats. Calls that follow each other and do
// the same are one.
func entriesOf(beats []*beat) []entry {
	var all []entry
	for _, b := range beats {
		at := entry{from: b.from, to: b.to, before: b.before, last: b.last}
		if b.mark != "" {
			at.mark = b.mark
			all = append(all, at)
			continue
		}
		leads := b.words != "" && !b.thought
		if len(b.calls) == 0 && b.words != "" {
			at.words, at.thought, at.leads = b.words, b.thought, leads
			all = append(all, at)
		}
		// Calls of one message follow each other by their results.
		from := b.from
		for i, c := range b.calls {
			to := max(from, min(c.n, b.to))
			if i == len(b.calls)-1 {
				to = b.to
			}
			if n := len(all) - 1; n >= 0 && len(all[n].calls) > 0 && same(all[n].call(), c) {
				all[n].calls = append(slices.Clip(all[n].calls), c)
				all[n].to, all[n].last = to, b.last
				from = min(to+1, b.to)
				continue
			}
			one := at
			one.from, one.to = min(from, to), to
			from = min(to+1, b.to)
			one.calls = []*call{c}
			if one.leads = leads && i == 0; one.leads {
				one.words = b.words
			}
			all = append(all, one)
		}
	}
	return all
}

func same(a, b *call) bool {
	return a.tool == b.tool && a.arg == b.arg && a.open == b.open && a.kind != thinks
}

// mostSteps is how many steps are compared with each other: those of longer work
// share lines beforehand.
const mostSteps = 3000

// stepsOf divides entries among at most so many lines: neighbours that weigh
// little share one, and a line ends before the assistant says something. A line
// has room for so many cells of what must be on one.
func (l *layout) stepsOf(entries []entry, most, room int) []step {
	if most <= 0 || len(entries) == 0 {
		return nil
	}
	per := 1 + len(entries)/mostSteps
	var steps []step
	for part := range slices.Chunk(entries, per) {
		s := step{entries: part}
		for i := range part {
			s.weight += part[i].weight()
			s.cells += l.cells(&part[i], apart)
		}
		steps = append(steps, s)
	}
	const (
		said = 4       // what it costs to share a line over something said
		full = 1 << 20 // and one that has no room
	)
	for len(steps) > most {
		best, at := -1, 0
		for i := 0; i+1 < len(steps); i++ {
			cost := 2 * (steps[i].weight + steps[i+1].weight)
			if steps[i+1].entries[0].leads {
				cost += said
			}
			if cells := steps[i].cells + steps[i+1].cells; cells > room {
				cost += full + cells
			}
			if best < 0 || cost < best {
				best, at = cost, i
			}
		}
		steps[at].entries = append(slices.Clip(steps[at].entries), steps[at+1].entries...)
		steps[at].weight += steps[at+1].weight
		steps[at].cells += steps[at+1].cells
		steps = slices.Delete(steps, at+1, at+2)
	}
	return steps
}

// openPerRow is how many failures left open a row of a width tells.
func openPerRow(width int) int { return max(1, width/34) }

// openIn counts the failures left open that are told apart.
func openIn(entries []entry) int {
	n := 0
	for i := range entries {
		if entries[i].open() > 0 {
			n++
		}
	}
	return n
}

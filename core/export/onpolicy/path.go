// Package onpolicy finds out which answers of a session a model gave to exactly what
// stands before them now, and what it saw when it did.
//
// What lies on the path to an answer is what its session and those that it branches
// off hold, with the edits in force laid over it. A compaction begins the context
// anew, so one path gives a row for each stretch between two of them. A node is a
// message after all that the model saw before it; over all rows of an export, each
// node trains once.
//
// The package is pure: no database, no files.
package onpolicy

import (
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// Part is what of one session lies on a path.
type Part struct {
	// Recorded are its messages from the first one on, as far as the path goes.
	Recorded []chat.Message
	// Edits are those in force on the path, sorted by place. Edits that clash are
	// passed over.
	Edits []edit.Edit
	// Contexts tell what the model saw after compactions.
	Contexts []review.Context
	// Own says that it is the session that the path is about, not one before a fork.
	Own bool
}

// step is a place on a path.
type step struct {
	message  *chat.Message // nil: it is dropped
	recorded *chat.Message // what was recorded there, if something else stands there now
	edit     *edit.Edit    // nil: as it was recorded
	n        int           // the number of the recorded message that it belongs to
	own      bool
}

// origin returns what was recorded at the place, or was put there.
func (s *step) origin() *chat.Message {
	if s.recorded != nil {
		return s.recorded
	}
	return s.message
}

// start is where a context begins: at the beginning of a path, or at a compaction.
type start struct {
	at    int // its first step
	known bool
	keeps []int // earlier steps that stayed in sight
}

// Path is what was said in a session, and in those before its forks.
type Path struct {
	steps  []step
	starts []start
}

// Lay makes a path of its parts, the one with the first messages first.
func Lay(parts ...Part) *Path {
	p := &Path{starts: []start{{known: true}}}
	for i := range parts {
		from := len(p.steps)
		p.lay(&parts[i])
		p.compact(from, parts[i].Contexts)
	}
	return p
}

// lay adds the steps of a part.
func (p *Path) lay(part *Part) {
	edits := slices.DeleteFunc(slices.Clone(part.Edits), func(e edit.Edit) bool { return e.Clash })
	for i := range part.Recorded {
		m := &part.Recorded[i]
		n := 0
		for n < len(edits) && edits[n].N <= m.N {
			n++
		}
		here := edits[:n]
		edits = edits[n:]
		if len(here) == 0 {
			p.steps = append(p.steps, step{message: m, n: m.N, own: part.Own})
			continue
		}
		dropped := edit.Place{N: -1}
		for k := range here {
			if here[k].Op == edit.Drop {
				dropped = here[k].Place
			}
		}
		k := 0
		drop := func() {
			p.steps = append(p.steps, step{recorded: m, edit: &here[k], n: dropped.N, own: part.Own})
			k, dropped.N = k+1, -1
		}
		for now := range edit.NewOverlay(here).At(m) {
			if dropped.N == now.N {
				drop()
			}
			s := step{message: m, n: now.N, own: part.Own}
			if now != m {
				kept := *now // it is valid until the next one only
				s.message, s.edit = &kept, &here[k]
				k++
			}
			if s.edit != nil && now.Part == 0 {
				s.recorded = m
			}
			p.steps = append(p.steps, s)
		}
		if dropped.N == m.N {
			drop()
		}
	}
}

// compact adds the contexts of a part whose steps begin at from. A compaction that
// nothing more is known of has kept nobody knows what, but for the first message:
// nothing was before it. So has what is known by its text to be a summary: what
// stands before it was kept, but whether a model saw it so when it went on is not
// recorded.
func (p *Path) compact(from int, contexts []review.Context) {
	known := map[int]*review.Context{}
	for i := range contexts {
		known[contexts[i].N] = &contexts[i]
	}
	for at := from; at < len(p.steps); at++ {
		s := &p.steps[at]
		if s.n < 1 || at > from && p.steps[at-1].n == s.n {
			continue
		}
		first := at == len(p.prompts())
		c := known[s.n]
		switch {
		case c != nil:
			p.starts = append(p.starts, start{at: at, known: c.Known || first, keeps: p.kept(from, at, c.Keeps)})
		case s.origin().Marks.Has(chat.MarkCompaction):
			p.starts = append(p.starts, start{at: at, known: first})
		case !first && sums(s.origin()):
			p.starts = append(p.starts, start{at: at, keeps: p.seen(at)})
		}
	}
}

// sums reports whether a summary stands in a message.
func sums(m *chat.Message) bool {
	_, sums := m.BesideSummary()
	return sums
}

// seen returns the steps in sight before a step.
func (p *Path) seen(at int) []int {
	last := &p.starts[len(p.starts)-1]
	list := slices.Clone(last.keeps)
	for i := last.at; i < at; i++ {
		list = append(list, i)
	}
	return list
}

// kept returns the steps of a part, which begin at from, that stayed in sight at a
// compaction.
func (p *Path) kept(from, at int, runs [][2]int) (steps []int) {
	for _, run := range runs {
		for i := from; i < at; i++ {
			if p.steps[i].n >= run[0] && p.steps[i].n <= run[1] {
				steps = append(steps, i)
			}
		}
	}
	return steps
}

package onpolicy_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/onpolicy"
	"winnow/core/review"
)

// run is a session of a random family.
type run struct {
	parent   *run
	at       int
	recorded []chat.Message
	edits    []edit.Edit
	contexts []review.Context
	from, to int // approved
	masked   map[int]bool
}

// text is all that tells messages of these tests apart.
func text(m *chat.Message) string {
	return fmt.Sprintf("%s:%s:%s:%d", m.Role, m.Content, m.Model, m.Marks)
}

// family makes sessions that begin alike, branch off each other, are compacted,
// edited and switched off in part.
func family(rnd *rand.Rand) (runs []*run) {
	word := func() string { return string("abc"[rnd.IntN(3)]) }
	for range 2 + rnd.IntN(4) {
		r := &run{masked: map[int]bool{}}
		if len(runs) > 0 && rnd.IntN(2) == 0 {
			r.parent = runs[rnd.IntN(len(runs))]
			r.at = 1 + rnd.IntN(len(r.parent.recorded))
		}
		if len(runs) > 0 && rnd.IntN(2) == 0 { // another try
			like := runs[rnd.IntN(len(runs))]
			r.parent, r.at, r.recorded = like.parent, like.at, slices.Clone(like.recorded[:1+rnd.IntN(len(like.recorded))])
			for _, c := range like.contexts {
				if c.N <= len(r.recorded) {
					r.contexts = append(r.contexts, c)
				}
			}
		}
		for n := len(r.recorded) + 1; n <= 3+rnd.IntN(7); n++ {
			m := chat.Message{N: n, Role: chat.User, Content: word()}
			switch {
			case n == 1 && r.parent == nil && rnd.IntN(3) > 0:
				m.Role, m.Content = chat.System, "s"
			case rnd.IntN(2) == 0:
				if m.Role = chat.Assistant; rnd.IntN(8) == 0 {
					m.Model = chat.NoModel
				}
				if rnd.IntN(8) == 0 {
					m.Marks = []chat.Marks{chat.MarkRepaired, chat.MarkMalformedCall}[rnd.IntN(2)]
				}
			case rnd.IntN(6) == 0 && n > 2:
				m.Marks = chat.MarkCompaction
				if c := (review.Context{N: n}); rnd.IntN(3) > 0 {
					if c.Known = true; rnd.IntN(2) == 0 {
						a := 1 + rnd.IntN(n-1)
						c.Keeps = [][2]int{{a, a + rnd.IntN(n-a)}}
					}
					r.contexts = append(r.contexts, c)
				}
			}
			r.recorded = append(r.recorded, m)
		}
		last := len(r.recorded)
		for n := 0; n <= last; n++ {
			for part := range 2 {
				if n == 0 && part == 0 || rnd.IntN(24) > 0 {
					continue
				}
				e := edit.Edit{Place: edit.Place{N: n, Part: part}, Op: edit.Add, Why: []edit.Why{edit.Fix, edit.Redact}[rnd.IntN(2)]}
				e.Message = chat.Message{Role: []chat.Role{chat.User, chat.Assistant, chat.System}[rnd.IntN(3)], Content: "e" + word()}
				if part == 0 {
					e.Op = []edit.Op{edit.Set, edit.Drop}[rnd.IntN(2)]
				}
				e.Clash = rnd.IntN(6) == 0
				r.edits = append(r.edits, e)
			}
		}
		r.from = 1 + rnd.IntN(last)
		r.to = r.from + rnd.IntN(last-r.from+1)
		for n := range last {
			r.masked[n+1] = rnd.IntN(6) == 0
		}
		runs = append(runs, r)
	}
	return runs
}

// rows returns the rows of a run as the package makes them.
func (r *run) rows(sealed map[string]bool) []onpolicy.Row {
	parts := []onpolicy.Part{{Recorded: r.recorded, Edits: r.edits, Contexts: r.contexts, Own: true}}
	for at := r; at.parent != nil; at = at.parent {
		p := onpolicy.Part{Recorded: at.parent.recorded[:at.at]}
		for _, e := range at.parent.edits {
			if e.Why == edit.Redact && e.Op != edit.Add && e.N <= at.at {
				p.Edits = append(p.Edits, e)
			}
		}
		for _, c := range at.parent.contexts {
			if c.N <= at.at {
				p.Contexts = append(p.Contexts, c)
			}
		}
		parts = append([]onpolicy.Part{p}, parts...)
	}
	judge := func(n int) (int, bool) {
		if n < r.from || n > r.to {
			return -1, false
		}
		return 0, !r.masked[n]
	}
	return onpolicy.Lay(parts...).Rows(judge, func(m *chat.Message) bool { return sealed[m.Content] }, false)
}

// spot is a recorded message on a path.
type spot struct {
	of *run
	n  int
}

// saw lists what the model saw of a run before message n of it, that one at the end,
// as recorded places, and whether anything of that is edited: an independent reading
// of the rules.
func (r *run) saw(n int) (list []spot, edited bool) {
	var line []spot
	var up func(of *run, to int)
	up = func(of *run, to int) {
		if of.parent != nil {
			up(of.parent, of.at)
		}
		for k := 1; k <= to; k++ {
			line = append(line, spot{of, k})
		}
	}
	up(r, n)
	last := spot{r, n}
	add := func(at spot, fresh bool) {
		list = append(list, at)
		edited = edited || r.over(at, 0) != nil || at != last && r.over(at, 1) != nil
		edited = edited || fresh && at.n == 1 && r.over(spot{at.of, 0}, 1) != nil
	}
	system := func(e *edit.Edit) bool { return e != nil && e.Message.Role == chat.System }
	for i := len(line) - 1; i >= 0; i-- {
		at := line[i]
		var c *review.Context
		for k := range at.of.contexts {
			if at.of.contexts[k].N == at.n {
				c = &at.of.contexts[k]
			}
		}
		if c == nil && !at.of.recorded[at.n-1].Marks.Has(chat.MarkCompaction) {
			continue
		}
		for k := range i {
			first := line[k]
			edited = edited || first.n == 1 && system(r.over(spot{first.of, 0}, 1))
			if first.of.recorded[first.n-1].Role != chat.System {
				break
			}
			list = append(list, first)
			edited = edited || r.over(first, 0) != nil || system(r.over(first, 1))
		}
		if c != nil {
			for _, keep := range c.Keeps {
				for k := keep[0]; k <= keep[1]; k++ {
					if slices.Contains(list, spot{at.of, k}) {
						edited = edited || r.over(spot{at.of, k}, 1) != nil
					} else {
						add(spot{at.of, k}, false)
					}
				}
			}
		}
		for _, at := range line[i:] {
			add(at, true)
		}
		return list, edited
	}
	for _, at := range line {
		add(at, true)
	}
	return list, edited
}

// over returns the edit in force at a place on the path of a run.
func (r *run) over(at spot, part int) *edit.Edit {
	for i := range at.of.edits {
		e := &at.of.edits[i]
		if e.N == at.n && e.Part == part && !e.Clash && (at.of == r || e.Why == edit.Redact && e.Op != edit.Add) {
			return e
		}
	}
	return nil
}

// expected lists what must be trained of runs, each by all that is said up to it.
func expected(runs []*run, sealed map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, r := range runs {
	answers:
		for n := r.from; n <= r.to; n++ {
			m := &r.recorded[n-1]
			if m.Role != chat.Assistant || r.masked[n] || m.Model == chat.NoModel || m.Marks != 0 {
				continue
			}
			list, edited := r.saw(n)
			said := ""
			for i, at := range list {
				if edited || sealed[at.of.recorded[at.n-1].Content] {
					continue answers
				}
				said += fmt.Sprint(i, " ", text(&at.of.recorded[at.n-1]), "\n")
			}
			all[said] = true
		}
	}
	return all
}

// TestRandomFamilies compares what trains with an independent reading of the rules:
// each answer that a model gave to what stands before it trains once, after exactly
// that, and nothing else does.
func TestRandomFamilies(t *testing.T) {
	total, shared := 0, 0
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		runs := family(rnd)
		sealed := map[string]bool{}
		if rnd.IntN(3) == 0 {
			sealed["c"] = true
		}
		trained := onpolicy.Trained{}
		got := map[string]int{}
		for _, r := range runs {
			for _, row := range r.rows(sealed) {
				before := len(row.Messages)
				if changed := trained.Claim(&row); changed {
					shared++
				}
				if n := len(row.Messages); n > before || n > 0 && !row.Messages[n-1].Train {
					t.Fatalf("seed %d: a row ends with what does not train", seed)
				}
				said := ""
				for i := range row.Messages {
					m := &row.Messages[i]
					said += fmt.Sprint(i, " ", text(m.Message), "\n")
					if sealed[m.Content] {
						t.Fatalf("seed %d: sealed: %s", seed, said)
					}
					if m.Train {
						got[said]++
					}
					if m.Train && (!m.Sampled || !m.Own || m.Edit != nil || m.Segment != 0) {
						t.Fatalf("seed %d: %+v", seed, m)
					}
				}
			}
		}
		want := expected(runs, sealed)
		for said, n := range got {
			if n > 1 {
				t.Fatalf("seed %d: trained %d times:\n%s", seed, n, said)
			}
			if !want[said] {
				t.Fatalf("seed %d: trained, and must not be:\n%s", seed, said)
			}
		}
		for _, said := range slices.Sorted(maps.Keys(want)) {
			if got[said] == 0 {
				t.Fatalf("seed %d: not trained:\n%s\nbut\n%s", seed, said, strings.Join(slices.Sorted(maps.Keys(got)), "\n"))
			}
		}
		total += len(want)
	}
	if total < 4000 || shared < 300 {
		t.Errorf("only %d answers, %d rows that share some", total, shared)
	}
}

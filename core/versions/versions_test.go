package versions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
)

// life is a session that is edited at random, and three ideas of it: its steps, the
// views that were seen after them, and a conversation of core/graph.
type life struct {
	*rand.Rand
	t        *testing.T
	recorded []chat.Message
	marks    []Mark
	now      []edit.Edit
	steps    []Step
	views    map[int64][]chat.Message // by entry
	same     *graph.Conversation
	broke    map[int64]bool
	sampled  map[int64]int
	n        int
}

const body = 7

func newLife(t *testing.T, seed uint64) *life {
	l := &life{Rand: rand.New(rand.NewPCG(seed, 3)), t: t, views: map[int64][]chat.Message{}, broke: map[int64]bool{}, sampled: map[int64]int{}}
	var g graph.Graph
	l.same, _ = g.Open("s")
	for n := range 2 + l.IntN(7) {
		m := l.message()
		m.N = n + 1
		l.recorded = append(l.recorded, m)
		l.marks = append(l.marks, MarkOf(&m))
		l.must(l.same.Append(m, Own(&m)))
	}
	l.saw(0, false)
	return l
}

// message makes one of few, so that equal ones stand beside each other.
func (l *life) message() chat.Message {
	m := chat.Message{Role: []chat.Role{chat.User, chat.Assistant, chat.Assistant}[l.IntN(3)], Content: []string{"a", "b"}[l.IntN(2)]}
	if m.Role == chat.Assistant && l.IntN(6) == 0 {
		m.Model = chat.NoModel
	}
	return m
}

func (l *life) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *life) view() []chat.Message { return laid(l.recorded, l.now) }

func laid(recorded []chat.Message, over []edit.Edit) (list []chat.Message) {
	for m := range edit.Lay(func(yield func(*chat.Message) bool) {
		for i := range recorded {
			if m := recorded[i]; !yield(&m) {
				return
			}
		}
	}, over) {
		list = append(list, *m)
	}
	return list
}

func (l *life) saw(entry int64, broke bool) {
	l.views[entry] = l.view()
	l.broke[entry] = broke
	for i := range l.same.Len() {
		if l.same.Sampled(i) {
			l.sampled[entry]++
		}
	}
}

// put brings a place to another state, here and in the graph.
func (l *life) put(p edit.Place, to *edit.Edit) review.Edited {
	at := func() (i int, there bool) {
		view := l.view()
		i = slices.IndexFunc(view, func(m chat.Message) bool { return ComparePlaces(edit.Place{Body: body, N: m.N, Part: m.Part}, p) >= 0 })
		if i < 0 {
			return len(view), false
		}
		return i, view[i].N == p.N && view[i].Part == p.Part
	}
	s := stateOf(slices.Clone(l.now))
	c := review.Edited{Place: p, After: to}
	if k, there := s.find(p); there {
		before := *s.over[k]
		c.Before = &before
	}
	if c.Before == nil && to == nil {
		return c
	}
	i, was := at()
	s.back([]review.Edited{{Place: p, Before: to}})
	now := make([]edit.Edit, len(s.over))
	for k := range s.over {
		now[k] = *s.over[k]
	}
	l.now = now
	k, is := at()
	switch view := l.view(); {
	case was && is:
		l.must(l.same.Set(i, view[k], graph.Fix))
	case was:
		l.must(l.same.Delete(i, 1))
	case is:
		l.must(l.same.Insert(k, view[k]))
	}
	return c
}

// step edits one or more places, or undoes or redoes one of the steps.
func (l *life) step() {
	l.n++
	step := Step{Entry: int64(10 * l.n), Action: review.ActEdit}
	before := l.view()
	if last := l.last(); last >= 0 && l.IntN(3) == 0 {
		of := &l.steps[last]
		step.Action, step.Target = review.ActUndo, of.Entry
		of.Undone = true
		for _, c := range slices.Backward(of.Changes) {
			step.Changes = append(step.Changes, l.put(c.Place, c.Before))
		}
		slices.Reverse(step.Changes)
	} else {
		for range 1 + l.IntN(2)*l.IntN(3) {
			n := l.IntN(len(l.recorded) + 1)
			e := &edit.Edit{Place: edit.Place{Body: body, N: n}, Op: edit.Set, Why: edit.Fix, Entry: step.Entry, Message: l.message()}
			if n > 0 {
				e.Base = l.marks[n-1].Sum
			}
			switch k := l.IntN(4); {
			case n == 0 || k == 0:
				e.Op, e.Part = edit.Add, 1+l.IntN(2)
			case k == 1:
				e.Op, e.Message = edit.Drop, chat.Message{}
			}
			to := e
			if l.IntN(5) == 0 || e.Op == edit.Set && chat.SumOf(&e.Message) == e.Base {
				to = nil
			}
			if slices.ContainsFunc(step.Changes, func(c review.Edited) bool { return c.Place == e.Place }) {
				continue
			}
			if c := l.put(e.Place, to); c.Before != nil || c.After != nil {
				step.Changes = append(step.Changes, c)
			}
		}
		if len(step.Changes) == 0 {
			return
		}
	}
	l.steps = append(l.steps, step)
	l.saw(step.Entry, breaks(before, l.view()))
	if len(step.Changes) == 1 && said(before) != said(l.view()) && l.same.Broke() != l.broke[step.Entry] {
		l.t.Fatalf("graph says broke %v of %s to %s", l.same.Broke(), said(before), said(l.view()))
	}
}

// last is the newest step that can be undone, -1 for none.
func (l *life) last() int {
	for i, s := range slices.Backward(l.steps) {
		if s.Action == review.ActEdit && !s.Undone {
			return i
		}
	}
	return -1
}

func common(a, b []chat.Message) (n int) {
	for n < len(a) && n < len(b) && chat.SumOf(&a[n]) == chat.SumOf(&b[n]) {
		n++
	}
	return n
}

func breaks(old, now []chat.Message) bool {
	p := common(old, now)
	return (p < len(old) || p < len(now)) && slices.ContainsFunc(old[p:], func(m chat.Message) bool { return m.Role == chat.Assistant })
}

// copies is the naive idea of Copies.
func (l *life) copies(before, now []chat.Message, over []edit.Edit) (n int) {
	if len(before) == len(now) && common(before, now) == len(now) {
		return 0
	}
	for i := max(common(before, now), common(l.recorded, now)); i < len(now); i++ {
		m := &now[i]
		edited := slices.ContainsFunc(over, func(e edit.Edit) bool { return e.N == m.N && e.Part == m.Part })
		if !edited && m.Part == 0 && Own(m) {
			n++
		}
	}
	return n
}

func said(list []chat.Message) string {
	var words []string
	for i := range list {
		words = append(words, fmt.Sprintf("%d.%d%.1s:%s", list[i].N, list[i].Part, list[i].Role, list[i].Content))
	}
	return strings.Join(words, " ")
}

// TestVersions: after random edits and undos each version is the view that was there,
// a revert leads to it, and its answers are sampled where core/graph says so.
func TestVersions(t *testing.T) {
	for seed := range uint64(3000) {
		l := newLife(t, seed)
		for range 1 + l.IntN(12) {
			l.step()
		}
		list, recorded := Measure(body, l.now, l.steps, l.marks)
		if recorded.Sampled != l.sampled[0] {
			t.Fatalf("seed %d: %d of what was recorded are sampled, want %d", seed, recorded.Sampled, l.sampled[0])
		}
		before := l.views[0]
		for _, v := range list {
			want := l.views[v.Entry]
			lists, err := At(body, l.now, l.steps, v.Entry, 0, v.Entry)
			if err != nil || len(lists) != 3 || len(lists[1]) > 0 || len(lists[0]) != len(lists[2]) {
				t.Fatalf("seed %d: @%d: %+v %v", seed, v.Entry, lists, err)
			}
			over := lists[0]
			if got := laid(l.recorded, over); err != nil || v.Lost != "" || said(got) != said(want) {
				t.Fatalf("seed %d: @%d is %s, want %s (%v %s)", seed, v.Entry, said(got), said(want), err, v.Lost)
			}
			answers := 0
			for i := range want {
				if want[i].Role == chat.Assistant {
					answers++
				}
			}
			copies := l.copies(before, want, over)
			if v.Broke != l.broke[v.Entry] || v.Sampled != l.sampled[v.Entry] || v.Answers != answers || v.Copies != copies {
				t.Fatalf("seed %d: @%d %+v, want broke %v, sampled %d, answers %d, copies %d\n%s\n%s\n%s", seed, v.Entry, v.Effect,
					l.broke[v.Entry], l.sampled[v.Entry], answers, copies, said(l.recorded), said(before), said(want))
			}
			changes, err := Revert("s", l.now, over, func(int) (chat.Sum, error) { return chat.Sum{}, nil })
			if err != nil {
				t.Fatal(err)
			}
			if got := laid(l.recorded, given(l.now, changes)); said(got) != said(want) {
				t.Fatalf("seed %d: reverted to @%d %s, want %s", seed, v.Entry, said(got), said(want))
			}
			before = want
		}
	}
}

// given makes changes.
func given(now []edit.Edit, changes []review.EditChange) (list []edit.Edit) {
	s := stateOf(slices.Clone(now))
	for _, c := range changes {
		p := edit.Place{Body: body, N: c.N, Part: c.Part}
		var e *edit.Edit
		if c.Op != "" {
			e = &edit.Edit{Place: p, Op: c.Op, Message: c.Message}
		}
		s.back([]review.Edited{{Place: p, Before: e}})
	}
	for _, e := range s.over {
		list = append(list, *e)
	}
	return list
}

// TestLost: what an import moved can't be brought back, and says why.
func TestLost(t *testing.T) {
	place := func(body int64, n int) edit.Place { return edit.Place{Body: body, N: n} }
	one := func(body int64, n int, text string, entry int64) *edit.Edit {
		return &edit.Edit{Place: place(body, n), Op: edit.Set, Why: edit.Fix, Entry: entry, Message: chat.Message{Role: chat.User, Content: text}}
	}
	step := func(entry int64, after *edit.Edit) Step {
		return Step{Entry: entry, Changes: []review.Edited{{Place: after.Place, After: after}}}
	}
	for _, c := range []struct {
		name  string
		now   []edit.Edit
		steps []Step
		lost  []string
	}{
		{"as it was left", []edit.Edit{*one(1, 2, "x", 5), *one(1, 3, "y", 6)}, []Step{step(5, one(1, 2, "x", 5)), step(6, one(1, 3, "y", 6))}, []string{"", ""}},
		{"another body", []edit.Edit{*one(1, 2, "x", 5), *one(1, 3, "y", 6)}, []Step{step(5, one(9, 2, "x", 5)), step(6, one(1, 3, "y", 6))}, []string{writtenAnew, ""}},
		{"brought back in another body", nil, []Step{{Entry: 5, Changes: []review.Edited{{Place: place(9, 2), Before: one(9, 2, "x", 4)}}}}, []string{writtenAnew}},
		{"another number", []edit.Edit{*one(1, 4, "x", 5)}, []Step{step(5, one(1, 2, "x", 5))}, []string{writtenAnew}},
		{"from elsewhere", []edit.Edit{*one(1, 2, "x", 5), *one(1, 3, "y", 6)}, []Step{step(6, one(1, 3, "y", 6))}, []string{cameHere}},
	} {
		list, _ := Measure(1, c.now, c.steps, make([]Mark, 4))
		for i, v := range list {
			_, err := At(1, c.now, c.steps, v.Entry)
			if v.Lost != c.lost[i] || (err != nil) != (c.lost[i] != "") {
				t.Errorf("%s: @%d %q, %v, want %q", c.name, v.Entry, v.Lost, err, c.lost[i])
			}
		}
		if over, err := At(1, c.now, c.steps, 0); len(over) != 1 || len(over[0]) > 0 || err != nil {
			t.Errorf("%s: @0 %v, %v", c.name, over, err)
		}
	}
	var many []Step
	for i := range 20 {
		many = append(many, Step{Entry: int64(i + 1)})
	}
	_, err := At(1, nil, many, 99)
	if want := "the session has no version @99; it has @0 (as it was recorded), @20, @19, @18, @17, @16, @15, @14, @13 and 12 older ones"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestNoModelOwnsASummary, however it is known.
func TestNoModelOwnsASummary(t *testing.T) {
	for text, own := range map[string]bool{"Done.": true, "[CONTEXT SUMMARY]: Done.": false, "It says [CONTEXT SUMMARY]: Done.": true} {
		if m := (chat.Message{Role: chat.Assistant, Content: text}); Own(&m) != own {
			t.Errorf("%q is a model's own: %t", text, !own)
		}
	}
	if m := (chat.Message{Role: chat.Assistant, Content: "Done.", Marks: chat.MarkCompaction}); Own(&m) {
		t.Error("a marked one is a model's own")
	}
}

package versions

import (
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
)

// Effect is what an entry did to the answers of a session.
type Effect struct {
	// Broke says that an answer stood at or after the first message that differs
	// from the version before: what follows was given to another text.
	Broke bool
	// Copies counts the answers from that message on that a model gave, but not to
	// what stands before them in this version: nobody sampled them there.
	Copies int
	// Answers counts the messages of assistants in the version, Sampled those that
	// a model gave to exactly what stands before them.
	Answers, Sampled int
	// Waits counts the edits that were in force then and are not now, since what is
	// recorded in their places is another text.
	Waits int
}

// Mark is what has to be known of a recorded message.
type Mark struct {
	Sum    chat.Sum
	Answer bool // an assistant's
	Own    bool // a model wrote it as it is
}

// Own reports whether a model wrote a recorded message as it is: neither did a
// recorder make it up or sum up what was before, nor did a reader mend it.
func Own(m *chat.Message) bool {
	const altered = chat.MarkMalformedCall | chat.MarkRepaired
	return m.Role == chat.Assistant && m.Model != chat.NoModel && m.Marks&altered == 0 && !m.Summary()
}

// MarkOf returns that of a recorded message.
func MarkOf(m *chat.Message) Mark {
	return Mark{Sum: chat.SumOf(m), Answer: m.Role == chat.Assistant, Own: Own(m)}
}

// Measure finds the effects of steps; recorded has the messages of the session in
// their order.
func Measure(body int64, now []edit.Edit, steps []Step, recorded []Mark) (list []Version, asRecorded Effect) {
	t := newTally(recorded)
	asRecorded = t.effect(nil, nil)
	list = make([]Version, len(steps))
	var later []*edit.Edit // in force after step next
	next := -1
	settle := func(before []*edit.Edit) {
		if next >= 0 {
			waits := list[next].Waits
			list[next].Effect = t.effect(later, before)
			list[next].Waits = waits
		}
		next = -1
	}
	Walk(body, now, steps, func(i int, over []*edit.Edit, lost string) {
		list[i] = Version{Step: steps[i], Lost: lost}
		if lost != "" {
			settle(nil) // what was there before is not known: compared with what was recorded
			return
		}
		force, waits := t.inForce(over)
		settle(force)
		later, next, list[i].Waits = force, i, waits
	})
	settle(nil)
	return list, asRecorded
}

// tally counts answers of a recorded session.
type tally struct {
	recorded     []Mark
	answers, own []int // among the first n messages
	sums         map[*edit.Edit]chat.Sum
}

func newTally(recorded []Mark) *tally {
	t := &tally{recorded: recorded, answers: make([]int, len(recorded)+1), own: make([]int, len(recorded)+1), sums: map[*edit.Edit]chat.Sum{}}
	for i, m := range recorded {
		t.answers[i+1], t.own[i+1] = t.answers[i]+count(m.Answer), t.own[i]+count(m.Own)
	}
	return t
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// inForce leaves out edits of messages that are recorded otherwise by now.
func (t *tally) inForce(over []*edit.Edit) (list []*edit.Edit, waits int) {
	for _, e := range over {
		if Clashes(e, t.recorded) {
			waits++
			continue
		}
		list = append(list, e)
	}
	return list, waits
}

// Clashes reports whether an edit was made on another message than is recorded in its
// place.
func Clashes(e *edit.Edit, recorded []Mark) bool {
	return e.N > len(recorded) || e.N > 0 && recorded[e.N-1].Sum != e.Base
}

func (t *tally) sum(e *edit.Edit) chat.Sum {
	sum, known := t.sums[e]
	if !known {
		sum = chat.SumOf(&e.Message)
		t.sums[e] = sum
	}
	return sum
}

// effect is what the step from one list of edits to another does.
func (t *tally) effect(now, before []*edit.Edit) (f Effect) {
	f.Answers = t.answers[len(t.recorded)]
	for _, e := range now {
		if e.Part == 0 {
			f.Answers -= count(t.recorded[e.N-1].Answer)
		}
		f.Answers += count(e.Op != edit.Drop && e.Message.Role == chat.Assistant)
	}
	own := t.apart(nil, now)
	f.Sampled = t.own[own.oldN]
	changed := t.apart(before, now)
	f.Broke = changed.broke
	if own.differ && changed.differ {
		// Behind both nothing has the prefix that it was given to.
		at := own.new
		if later := changed.new; ComparePlaces(edit.Place{N: at.n, Part: at.part}, edit.Place{N: later.n, Part: later.part}) < 0 {
			at = later
		}
		f.Copies = t.ownFrom(at, now)
	}
	return f
}

// ownFrom counts the messages from a place on that stand as a model gave them.
func (t *tally) ownFrom(at spot, over []*edit.Edit) int {
	if at.n > len(t.recorded) {
		return 0
	}
	from := at.n // the first recorded message that counts
	if at.part > 0 || from == 0 {
		from++
	}
	n := t.own[len(t.recorded)] - t.own[min(from-1, len(t.recorded))]
	for _, e := range over {
		if e.Part == 0 && e.N >= from {
			n -= count(t.recorded[e.N-1].Own)
		}
	}
	return n
}

// spot is where a message stands: after the last one n is one too large.
type spot struct{ n, part int }

// parting is where two versions differ first.
type parting struct {
	differ bool
	oldN   int  // so many recorded messages stand before it in the old one
	new    spot // of the new one
	broke  bool // the old one has an answer at or after it
}

// apart finds where two lists of edits make versions that differ.
func (t *tally) apart(old, now []*edit.Edit) (p parting) {
	k := 0
	for k < len(old) && k < len(now) && (old[k] == now[k] || old[k].Place == now[k].Place && old[k].Op == now[k].Op && t.sum(old[k]) == t.sum(now[k])) {
		k++
	}
	from := len(t.recorded) + 1
	for _, list := range [][]*edit.Edit{old, now} {
		if k < len(list) {
			from = min(from, list[k].N)
		}
	}
	a, b := t.cursor(old, from), t.cursor(now, from)
	for {
		x, more := a.next()
		y, others := b.next()
		if !more && !others {
			p.oldN = len(t.recorded)
			return p
		}
		if more && others && x.sum == y.sum {
			continue
		}
		p.differ, p.new, p.oldN = true, y.spot, min(x.n, len(t.recorded))
		if x.part == 0 && x.n > 0 && x.n <= len(t.recorded) {
			p.oldN = x.n - 1
		}
		for ; more; x, more = a.next() {
			if x.answer {
				p.broke = true
				return p
			}
			if len(a.edits) == a.k { // only recorded ones follow
				p.broke = t.answers[len(t.recorded)] > t.answers[min(a.n, len(t.recorded))]
				return p
			}
		}
		return p
	}
}

// cursor goes through the messages of a version.
type cursor struct {
	*tally
	edits  []*edit.Edit
	k      int
	n      int
	itself bool // message n itself came
}

// item is a message of a version.
type item struct {
	spot
	sum    chat.Sum
	answer bool
}

func (t *tally) cursor(edits []*edit.Edit, from int) *cursor {
	k, _ := slices.BinarySearchFunc(edits, from, func(e *edit.Edit, n int) int { return e.N - n })
	for k > 0 && edits[k-1].N >= from {
		k--
	}
	return &cursor{tally: t, edits: edits, k: k, n: from, itself: from == 0}
}

// next returns the next message, and false after the last one.
func (c *cursor) next() (item, bool) {
	for {
		if !c.itself {
			c.itself = true
			if c.n > len(c.recorded) {
				return item{spot: spot{n: c.n}}, false
			}
			if c.k == len(c.edits) || c.edits[c.k].N != c.n || c.edits[c.k].Part > 0 {
				m := &c.recorded[c.n-1]
				return item{spot{c.n, 0}, m.Sum, m.Answer}, true
			}
		}
		if c.k < len(c.edits) && c.edits[c.k].N == c.n {
			e := c.edits[c.k]
			if c.k++; e.Op == edit.Drop {
				continue
			}
			return item{spot{c.n, e.Part}, c.sum(e), e.Message.Role == chat.Assistant}, true
		}
		if c.n > len(c.recorded) {
			return item{spot: spot{n: c.n}}, false
		}
		c.n++
		c.itself = false
	}
}

package facets

import (
	"maps"
	"math"
	"sync"

	"winnow/core/metric"
	"winnow/core/review"
)

// sharesOf returns the share of each type of task; those that are not in it have
// none.
func sharesOf(q review.Quotas) map[string]int64 {
	var types []string
	for _, t := range metric.TaskTypes() {
		types = append(types, string(t))
	}
	return q.Shares(types)
}

// turnsOf returns the turns of all segments in the order Balance of a set, by slot.
// Those outside of it have a turn as if they were the first.
func (f *columns) turnsOf(in rowSet, q review.Quotas) []int64 {
	shares := sharesOf(q)
	share := make([]int64, len(f.kind.text))
	for n, text := range f.kind.text {
		share[n] = shares[text]
	}
	approved, met := make([]int64, len(share)), make([]int64, len(share))
	f.verdict.is(f.live, string(review.Approved)).each(func(slot int32) { approved[f.kind.at[slot]]++ })
	pending := f.verdict.number[string(review.Pending)]
	turns := make([]int64, f.size())
	best := f.placed(orderedBy(f.orders.by(review.ByScore).By))
	for i := len(best) - 1; i >= 0; i-- {
		slot := best[i]
		kind := f.kind.at[slot]
		switch {
		case f.verdict.at[slot] != pending:
			score := f.score[slot]
			if math.IsNaN(score) {
				score = review.Unscored
			}
			turns[slot] = review.TurnJudged(score)
		case in.has(slot):
			met[kind]++
			turns[slot] = review.Turn(approved[kind], met[kind], share[kind])
		default:
			turns[slot] = review.Turn(approved[kind], 1, share[kind])
		}
	}
	return turns
}

// inTurn are the turns of a set and its slots in their order, which are kept until
// something changes.
type inTurn struct {
	mu     sync.Mutex
	in     rowSet // nil: nothing is kept
	quotas review.Quotas
	turns  []int64
	slots  []int32
}

// forget drops what is kept; nobody asks meanwhile.
func (t *inTurn) forget() { t.in, t.quotas, t.turns, t.slots = nil, nil, nil, nil }

// turnList returns the turns of a set and its slots in their order.
func (f *columns) turnList(in rowSet, q review.Quotas) (turns []int64, slots []int32) {
	t := &f.turned
	t.mu.Lock()
	defer t.mu.Unlock()
	// A set stays as it is while nothing changes, so that it is told by where it lies.
	if len(in) == 0 || len(t.in) != len(in) || &t.in[0] != &in[0] || !maps.Equal(t.quotas, q) {
		t.in, t.quotas = in, maps.Clone(q)
		t.turns = f.turnsOf(in, q)
		t.slots = f.inTurns(t.turns, in)
	}
	return t.turns, t.slots
}

// inTurns puts the slots of a set in the order of their turns.
func (f *columns) inTurns(turns []int64, in rowSet) []int32 {
	list := make([]keyed, 0, in.len())
	for _, slot := range f.placed(orderedBy(f.orders.by(review.ByTurn).By)) {
		if in.has(slot) {
			list = append(list, keyed{keyOfInt(turns[slot]), slot})
		}
	}
	return inOrder(sortKeyed(list))
}

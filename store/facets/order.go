package facets

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
)

// sortKeys are the columns that segments are sorted by, as numbers in the order of
// their values; the place of a session is none, see compare.
var sortKeys = map[filter.Column]func(f *columns, o *ordering, slot int32) uint64{
	review.ByPlace: nil,
	review.ByDate: func(f *columns, _ *ordering, slot int32) uint64 {
		if f.recorded[slot] != Never {
			return keyOfInt(f.recorded[slot])
		}
		return keyOfInt(f.created[slot])
	},
	review.ByScore: func(f *columns, _ *ordering, slot int32) uint64 {
		if s := f.score[slot]; s == s { // no NaN
			return keyOfFloat(s)
		}
		return keyOfFloat(review.Unscored)
	},
	review.ByLikely: func(f *columns, _ *ordering, slot int32) uint64 {
		if x := f.likely[slot]; x == x {
			return keyOfFloat(x)
		}
		return keyOfFloat(review.Unscored)
	},
	"tokens":        func(f *columns, _ *ordering, slot int32) uint64 { return keyOfInt(f.tokens[slot]) },
	"messages":      func(f *columns, _ *ordering, slot int32) uint64 { return keyOfInt(f.messages[slot]) },
	"turns":         func(f *columns, _ *ordering, slot int32) uint64 { return keyOfInt(f.turns[slot]) },
	"tool_calls":    func(f *columns, _ *ordering, slot int32) uint64 { return keyOfInt(f.toolCalls[slot]) },
	review.ByFailed: func(f *columns, _ *ordering, slot int32) uint64 { return keyOfInt(f.errors[slot] + f.exits[slot]) },
	review.ByChance: func(f *columns, o *ordering, slot int32) uint64 {
		return keyOfInt(review.ShuffleOf(o.seed).Of(f.rowid[slot]))
	},
	review.ByDoubt: func(f *columns, o *ordering, slot int32) uint64 {
		return keyOfFloat(review.DoubtOf(f.likely[slot], f.score[slot], o.threshold))
	},
	review.ByTurn: func(_ *columns, o *ordering, slot int32) uint64 {
		if o.turns == nil {
			return 0
		}
		return keyOfInt(o.turns[slot])
	},
}

// ordering is what slots are sorted by, either way round. Ties are broken by id.
type ordering struct {
	*review.By
	key       func(f *columns, o *ordering, slot int32) uint64 // nil: by place
	seed      uint64                                           // of ByChance
	threshold float64                                          // of ByDoubt
	// turns are those of ByTurn, by slot, which depend on what is sorted; nil is
	// the order of ids.
	turns []int64
}

// orderingOf returns how a query sorts, and whether the highest come first.
func orderingOf(q *review.Query) (o *ordering, desc, ok bool) {
	s, ok := q.Order.Sorting()
	o = orderedBy(&s.By)
	switch o.Column {
	case review.ByChance:
		o.seed = q.Seed
	case review.ByDoubt:
		o.threshold = q.Threshold
	}
	return o, s.Desc, ok
}

func orderedBy(by *review.By) *ordering { return &ordering{By: by, key: sortKeys[by.Column]} }

// cursorKey is the key of a cursor that only the store can tell.
func (o *ordering) cursorKey(f *columns, slot int32) any {
	if o.Column == review.ByDoubt {
		return review.DoubtOf(f.likely[slot], f.score[slot], o.threshold)
	}
	return int64(o.key(f, o, slot) ^ 1<<63) // see keyOfInt
}

// placements are the orders of all slots, one for each column that orders sort by.
type placements []*placement

func newPlacements() (p placements) {
	for _, o := range review.Orders {
		if s, _ := o.Sorting(); p.by(s.Column) == nil {
			p = append(p, &placement{ordering: *orderedBy(&s.By)})
		}
	}
	return p
}

// by returns the placement by a column.
func (p placements) by(column filter.Column) *placement {
	for _, of := range p {
		if of.Column == column {
			return of
		}
	}
	return nil
}

// placement are all slots in an order. It is made when the order is first asked
// for; later only what was put elsewhere is sorted in.
type placement struct {
	ordering
	mu        sync.Mutex
	slots     []int32 // never changed in place: a reader may go on with it
	misplaced []int32 // left their place since, or have none yet
	stood     uint64  // what decided the place of a slot that is being written
}

// misplace says that a slot has to move, which matters if the order was asked
// for. If many have to, sorting all of them is faster.
func (p *placement) misplace(slot int32) {
	if p.slots == nil {
		return
	}
	p.misplaced = append(p.misplaced, slot)
	if len(p.misplaced) > 1000+len(p.slots)/4 {
		p.slots, p.misplaced = nil, nil
	}
}

// stand returns what decides the place of a slot: if it is another value than
// before, the slot has to move. It matters if the order was asked for.
func (p *placement) stand(f *columns, slot int32) uint64 {
	switch {
	case p.slots == nil:
		return 0
	case p.key == nil:
		return uint64(f.session[slot])<<32 | uint64(uint32(f.start[slot]))
	}
	return p.key(f, &p.ordering, slot)
}

// keyOfInt and keyOfFloat return keys whose order is that of the numbers.
func keyOfInt[T int32 | int64](n T) uint64 { return uint64(int64(n)) ^ 1<<63 }

func keyOfFloat(x float64) uint64 {
	b := math.Float64bits(x + 0) // -0 is 0
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// spot is a place in an order, of a slot or of a row that may have left.
type spot struct {
	key   uint64
	place string // by place
	start int32
	id    ID
}

// compare tells where a slot stands relative to a spot.
func (f *columns) compare(o *ordering, slot int32, to *spot) int {
	c := 0
	if o.key == nil {
		c = cmp.Or(strings.Compare(f.sessions.place[f.session[slot]], to.place), cmp.Compare(f.start[slot], to.start))
	} else {
		c = cmp.Compare(o.key(f, o, slot), to.key)
	}
	if c != 0 {
		return c
	}
	return f.id[slot].compare(to.id)
}

func (f *columns) spot(o *ordering, slot int32) spot {
	s := spot{id: f.id[slot]}
	if o.key == nil {
		s.place, s.start = f.sessions.place[f.session[slot]], f.start[slot]
	} else {
		s.key = o.key(f, o, slot)
	}
	return s
}

// spotOf returns the place of a cursor; ok is false for one of another order.
// One without a key is the place of its row, which must be known.
func (f *columns) spotOf(o *ordering, c review.Cursor) (s spot, ok bool) {
	id, err := ParseID(c.ID)
	if err != nil {
		return s, false
	}
	if c.Key == nil && o.Key == nil {
		slot, ok := f.slotOf(id)
		if !ok {
			return s, false
		}
		return f.spot(o, slot), true
	}
	s.id = id
	switch key := c.Key.(type) {
	case review.Place:
		s.place, s.start = key.Session, int32(key.Start)
	case time.Time:
		s.key = keyOfInt(key.UnixMicro())
	case float64:
		s.key = keyOfFloat(key)
	case int:
		s.key = keyOfInt(int64(key))
	case int64:
		s.key = keyOfInt(key)
	}
	return s, o.Fits(c.Key)
}

// placed returns all slots in an order. Whoever calls it keeps the columns from
// being changed.
func (f *columns) placed(o *ordering) []int32 {
	p := f.orders.by(o.Column)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.slots == nil, p.seed != o.seed, p.threshold != o.threshold:
		p.seed, p.threshold = o.seed, o.threshold
		p.slots = f.sort(o)
	case len(p.misplaced) > 0:
		p.slots = f.resort(o, p.slots, p.misplaced)
	}
	p.misplaced = nil
	return p.slots
}

// ranks returns the number of each session's place among all, the same for the
// same place.
func (s *sessionFacets) ranks() []uint64 {
	order := make([]int32, len(s.place))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(s.place[a], s.place[b]) })
	rank := make([]uint64, len(s.place))
	for i, n := range order {
		switch {
		case i == 0:
		case s.place[n] == s.place[order[i-1]]:
			rank[n] = rank[order[i-1]]
		default:
			rank[n] = uint64(i)
		}
	}
	return rank
}

// resort takes out what is misplaced and sorts it in again.
func (f *columns) resort(o *ordering, slots, misplaced []int32) []int32 {
	out := newRowSet(f.size())
	var in []int32
	for _, slot := range misplaced {
		if !out.has(slot) {
			out.add(slot)
			if f.live.has(slot) {
				in = append(in, slot)
			}
		}
	}
	slices.SortFunc(in, func(a, b int32) int {
		to := f.spot(o, b)
		return f.compare(o, a, &to)
	})
	kept := make([]int32, 0, len(slots))
	for _, slot := range slots {
		if !out.has(slot) {
			kept = append(kept, slot)
		}
	}
	sorted := make([]int32, 0, len(kept)+len(in))
	for _, slot := range in {
		to := f.spot(o, slot)
		n, _ := slices.BinarySearchFunc(kept, &to, func(slot int32, to *spot) int { return f.compare(o, slot, to) })
		sorted = append(append(sorted, kept[:n]...), slot)
		kept = kept[n:]
	}
	return append(sorted, kept...)
}

// page returns slots of a set that follow a spot (nil: from the beginning), up
// to limit of them.
func (f *columns) page(o *ordering, slots []int32, in rowSet, desc bool, behind *spot, limit int) []int32 {
	found := make([]int32, 0, min(limit, 256))
	at, step := 0, 1
	if desc {
		at, step = len(slots)-1, -1
	}
	if behind != nil {
		n, exact := slices.BinarySearchFunc(slots, behind, func(slot int32, to *spot) int { return f.compare(o, slot, to) })
		switch {
		case desc:
			at = n - 1
		case exact:
			at = n + 1
		default:
			at = n
		}
	}
	for ; at >= 0 && at < len(slots) && len(found) < limit; at += step {
		if in.has(slots[at]) {
			found = append(found, slots[at])
		}
	}
	return found
}

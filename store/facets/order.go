package facets

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/review"
)

// sorting is what segments are sorted by, either way round. Ties are broken by
// id.
type sorting uint8

const (
	byPlace sorting = iota
	byDate
	byScore
	byTokens
	byLength
	byFailures
	byChance
	byDoubt
	byTurn
	sortings
)

// sortingOf returns what an order sorts by, and whether the highest come first.
func sortingOf(o review.Order) (by sorting, desc, ok bool) {
	switch o {
	case review.Natural, "":
		return byPlace, false, true
	case review.Newest:
		return byDate, true, true
	case review.Oldest:
		return byDate, false, true
	case review.BestScore:
		return byScore, true, true
	case review.WorstScore:
		return byScore, false, true
	case review.MostTokens:
		return byTokens, true, true
	case review.LeastToken:
		return byTokens, false, true
	case review.Longest:
		return byLength, true, true
	case review.Shortest:
		return byLength, false, true
	case review.MostFailures:
		return byFailures, true, true
	case review.LeastFailure:
		return byFailures, false, true
	case review.Random:
		return byChance, false, true
	case review.Uncertain:
		return byDoubt, false, true
	case review.Balance:
		return byTurn, false, true
	}
	return 0, false, false
}

// ordering is a sorting, and of byChance which one; of byDoubt the bits of the
// threshold. That of byTurn depends on what is sorted: see turns; without turns
// it is the order of ids.
type ordering struct {
	by    sorting
	seed  uint64
	turns []int64 // by slot
}

// placement are all slots in an order. It is made when the order is first asked
// for; later only what was put elsewhere is sorted in.
type placement struct {
	mu        sync.Mutex
	seed      uint64
	slots     []int32 // never changed in place: a reader may go on with it
	misplaced []int32 // left their place since, or have none yet
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

// keys are the values that decide the place of a slot, by sorting: the slot has
// to move if one is another.
func (f *columns) keys(slot int32) (k [sortings]uint64) {
	for by := byDate; by < byChance; by++ {
		k[by] = f.key(ordering{by: by}, slot)
	}
	k[byPlace] = uint64(f.session[slot])<<32 | uint64(uint32(f.start[slot]))
	k[byChance], k[byDoubt] = uint64(f.rowid[slot]), k[byScore]
	return k
}

// key is the value that slots are sorted by; byPlace has none.
func (f *columns) key(o ordering, slot int32) uint64 {
	switch o.by {
	case byDate:
		if f.recorded[slot] != Never {
			return keyOfInt(f.recorded[slot])
		}
		return keyOfInt(f.created[slot])
	case byScore:
		if s := f.score[slot]; s == s { // no NaN
			return keyOfFloat(s)
		}
		return keyOfFloat(review.Unscored)
	case byTokens:
		return keyOfInt(f.tokens[slot])
	case byLength:
		return keyOfInt(int64(f.messages[slot]))
	case byFailures:
		return keyOfInt(int64(f.toolFails[slot]))
	case byChance:
		return uint64(review.ShuffleOf(o.seed).Of(f.rowid[slot]))
	case byDoubt:
		return keyOfFloat(review.DoubtOf(f.score[slot], math.Float64frombits(o.seed)))
	case byTurn:
		if o.turns != nil {
			return keyOfInt(o.turns[slot])
		}
	}
	return 0
}

// keyOfInt and keyOfFloat return keys whose order is that of the numbers.
func keyOfInt(n int64) uint64 { return uint64(n) ^ 1<<63 }

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
	place string // of byPlace
	start int32
	id    ID
}

// compare tells where a slot stands relative to a spot.
func (f *columns) compare(o ordering, slot int32, to *spot) int {
	c := 0
	if o.by == byPlace {
		c = cmp.Or(strings.Compare(f.sessions.place[f.session[slot]], to.place), cmp.Compare(f.start[slot], to.start))
	} else {
		c = cmp.Compare(f.key(o, slot), to.key)
	}
	if c != 0 {
		return c
	}
	return f.id[slot].compare(to.id)
}

func (f *columns) spot(o ordering, slot int32) spot {
	s := spot{id: f.id[slot]}
	if o.by == byPlace {
		s.place, s.start = f.sessions.place[f.session[slot]], f.start[slot]
	} else {
		s.key = f.key(o, slot)
	}
	return s
}

// spotOf returns the place of a cursor; ok is false for one of another order.
// One without a key is the place of its row, which must be known.
func (f *columns) spotOf(o ordering, c review.Cursor) (s spot, ok bool) {
	id, err := ParseID(c.ID)
	if err != nil {
		return s, false
	}
	s.id = id
	switch key := c.Key.(type) {
	case review.Place:
		s.place, s.start = key.Session, int32(key.Start)
		return s, o.by == byPlace
	case time.Time:
		s.key = keyOfInt(key.UnixMicro())
		return s, o.by == byDate
	case float64:
		s.key = keyOfFloat(key)
		return s, o.by == byScore || o.by == byDoubt
	case int:
		s.key = keyOfInt(int64(key))
		return s, o.by == byTokens || o.by == byLength || o.by == byFailures
	case int64:
		if s.key = uint64(key); o.by == byTurn {
			s.key = keyOfInt(key)
		}
		return s, o.by == byChance || o.by == byTurn
	case nil:
		slot := slices.Index(f.id, id)
		if slot < 0 || !f.live.has(int32(slot)) {
			return s, false
		}
		return f.spot(o, int32(slot)), o.by == byChance || o.by == byDoubt || o.by == byTurn
	}
	return s, false
}

// placed returns all slots in an order. Whoever calls it keeps the facets from
// being changed.
func (f *columns) placed(o ordering) []int32 {
	p := &f.orders[o.by]
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.slots == nil, p.seed != o.seed:
		p.seed = o.seed
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
func (f *columns) resort(o ordering, slots, misplaced []int32) []int32 {
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
func (f *columns) page(o ordering, slots []int32, in rowSet, desc bool, behind *spot, limit int) []int32 {
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

package facets

import (
	"slices"
	"sort"

	"winnow/core/review"
)

// collapsed is a list that shows the first row of each cluster, and the others
// beneath it if the cluster is open. It is not laid out: a row knows by the ring
// of its cluster whether it is the first, so that a page costs what is on it.
type collapsed struct {
	f      *columns
	o      *ordering
	slots  []int32 // in order, with others than those of the list
	in     rowSet  // the list
	desc   bool
	open   func(cluster int32) bool
	groups map[int32]*group // those that were asked for
}

// group are the rows of a list that are in the same cluster.
type group struct {
	front         int32 // the first of them
	size, pending int
	rows          []int32 // all of them in order, if the cluster is open and was asked for
}

// compare tells where a slot stands in the list relative to a spot.
func (l *collapsed) compare(slot int32, to *spot) int {
	if l.desc {
		return -l.f.compare(l.o, slot, to)
	}
	return l.f.compare(l.o, slot, to)
}

// at returns the i-th slot in the order of the list.
func (l *collapsed) at(i int) int32 {
	if l.desc {
		return l.slots[len(l.slots)-1-i]
	}
	return l.slots[i]
}

// search returns the number of slots before a spot.
func (l *collapsed) search(to *spot) int {
	return sort.Search(len(l.slots), func(i int) bool { return l.compare(l.at(i), to) >= 0 })
}

// each calls f for the rows of a cluster.
func (l *collapsed) each(cluster int32, f func(slot int32)) {
	next, first := l.f.clusters.next, l.f.clusters.some[cluster]
	for slot := first; ; {
		if l.in.has(slot) {
			f(slot)
		}
		if slot = next[slot]; slot == first {
			return
		}
	}
}

// group returns the rows of the cluster of a slot, nil if it is in none or alone
// in it.
func (l *collapsed) group(slot int32) *group {
	f := l.f
	cluster := f.cluster[slot]
	if cluster == 0 || f.clusters.next[slot] == slot {
		return nil
	}
	if g, ok := l.groups[cluster]; ok {
		return g
	}
	g := &group{front: noSlot}
	var front spot
	pending, some := f.verdict.number[string(review.Pending)]
	l.each(cluster, func(slot int32) {
		if g.size++; some && f.verdict.at[slot] == pending {
			g.pending++
		}
		if g.front == noSlot || l.compare(slot, &front) < 0 {
			g.front, front = slot, f.spot(l.o, slot)
		}
	})
	l.groups[cluster] = g
	return g
}

// head reports whether a slot is a row of the list that stands beneath no other.
func (l *collapsed) head(slot int32) bool {
	if !l.in.has(slot) {
		return false
	}
	g := l.group(slot)
	return g == nil || g.front == slot
}

// beneath returns the row that a row stands beneath.
func (l *collapsed) beneath(slot int32) (front int32, ok bool) {
	if g := l.group(slot); g != nil {
		return g.front, g.front != slot
	}
	return slot, false
}

// unfolded returns a row that stands beneath no other and the rows beneath it.
func (l *collapsed) unfolded(head int32) []int32 {
	g := l.group(head)
	if g == nil || g.size == 1 || !l.open(l.f.cluster[head]) {
		return []int32{head}
	}
	if g.rows == nil {
		g.rows = l.sorted(l.f.cluster[head], g.size)
	}
	return g.rows
}

// manyAlike is the part of a list from which on the rows of a cluster are found in
// order by looking at all: sorting them takes as long.
const manyAlike = 64

// sorted returns the rows of a cluster in order.
func (l *collapsed) sorted(cluster int32, size int) []int32 {
	rows := make([]int32, 0, size)
	if size > len(l.slots)/manyAlike {
		for i := range l.slots {
			if slot := l.at(i); l.f.cluster[slot] == cluster && l.in.has(slot) {
				rows = append(rows, slot)
			}
		}
		return rows
	}
	l.each(cluster, func(slot int32) { rows = append(rows, slot) })
	slices.SortFunc(rows, func(a, b int32) int {
		to := l.f.spot(l.o, b)
		return l.compare(a, &to)
	})
	return rows
}

// footing is where a cursor stands: at, or if it is not exact right before, the
// n-th of the rows that a slot leads.
type footing struct {
	at, n int
	exact bool
}

// find returns where a cursor stands.
func (l *collapsed) find(c *review.Cursor) (footing, bool) {
	f := l.f
	own, ok := f.spotOf(l.o, *c)
	if !ok {
		return footing{}, false
	}
	if slot, there := l.slotOf(&own); there && l.in.has(slot) {
		front, below := l.beneath(slot)
		if !below || l.open(f.cluster[slot]) {
			to := f.spot(l.o, front)
			return footing{l.search(&to), slices.Index(l.unfolded(front), slot), true}, true
		}
	}
	front, beneath := c.Front.(spot)
	if !beneath {
		front = own
	}
	s := footing{at: l.search(&front)}
	for s.at < len(l.slots) && !l.head(l.at(s.at)) {
		s.at++
	}
	if s.at == len(l.slots) || f.id[l.at(s.at)] != front.id {
		return s, true
	}
	if !beneath {
		s.exact = true
		return s, true
	}
	rows := l.unfolded(l.at(s.at))
	for s.n = 1; s.n < len(rows); s.n++ {
		if c := l.compare(rows[s.n], &own); c >= 0 {
			s.exact = c == 0
			break
		}
	}
	return s, true
}

// slotOf returns the slot of the segment that a spot is of. The turn of a row
// that was judged since is at the end of the list: what follows it is what
// followed it before.
func (l *collapsed) slotOf(own *spot) (int32, bool) {
	if i := l.search(own); i < len(l.slots) && l.f.id[l.at(i)] == own.id {
		return l.at(i), true
	}
	if l.o.Column == review.ByTurn {
		return noSlot, false
	}
	return l.f.slotOf(own.id)
}

// slotOf returns the slot of a segment.
func (f *columns) slotOf(id ID) (int32, bool) {
	for slot := range f.id {
		if f.id[slot] == id && f.live.has(int32(slot)) {
			return int32(slot), true
		}
	}
	return 0, false
}

// page returns up to limit rows that follow a cursor, or precede it, the nearest
// first; ok is false for a cursor of another order.
func (l *collapsed) page(q *review.Query, limit int) (found []int32, ok bool) {
	from := footing{}
	if q.Back {
		from.at = len(l.slots)
	}
	if q.After.ID != "" {
		if from, ok = l.find(&q.After); !ok {
			return nil, false
		}
	}
	found = make([]int32, 0, min(limit, 256))
	if q.Back {
		return l.before(found, from, limit), true
	}
	if from.exact {
		from.n++
	}
	for ; from.at < len(l.slots) && len(found) < limit; from.at++ {
		if slot := l.at(from.at); l.head(slot) {
			rows := l.unfolded(slot)[from.n:]
			found = append(found, rows[:min(len(rows), limit-len(found))]...)
		}
		from.n = 0
	}
	return found, true
}

// before appends rows that precede a place, the nearest first.
func (l *collapsed) before(found []int32, from footing, limit int) []int32 {
	up := func(rows []int32) {
		for i := len(rows) - 1; i >= 0 && len(found) < limit; i-- {
			found = append(found, rows[i])
		}
	}
	if from.n > 0 {
		up(l.unfolded(l.at(from.at))[:from.n])
	}
	for i := from.at - 1; i >= 0 && len(found) < limit; i-- {
		if slot := l.at(i); l.head(slot) {
			up(l.unfolded(slot))
		}
	}
	return found
}

// alikeOf describes the clusters of rows of which there are several in the list.
func (l *collapsed) alikeOf(rows []int32) map[int64]review.Alike {
	var groups map[int64]review.Alike
	for _, slot := range rows {
		g := l.group(slot)
		if g == nil || g.size == 1 {
			continue
		}
		if groups == nil {
			groups = map[int64]review.Alike{}
		}
		groups[l.f.clusters.known[l.f.cluster[slot]]] = review.Alike{Front: l.f.id[g.front].String(), Size: g.size, Pending: g.pending}
	}
	return groups
}

// openClusters returns which clusters a query shows all rows of.
func (f *columns) openClusters(q *review.Query) func(cluster int32) bool {
	named := make(map[int32]bool, len(q.Opened))
	for _, cluster := range q.Opened {
		if n, ok := f.clusters.of[cluster]; ok {
			named[n] = true
		}
	}
	if len(named) == 0 {
		return func(int32) bool { return q.AllOpened }
	}
	return func(c int32) bool { return named[c] != q.AllOpened }
}

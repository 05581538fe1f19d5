package store

import (
	"context"

	"winnow/core/review"
)

// clusterNumbers give clusters small numbers, from 1; those that left keep
// theirs.
type clusterNumbers struct {
	of    map[int64]int32
	known []int64 // by number
}

func newClusterNumbers() clusterNumbers {
	return clusterNumbers{of: map[int64]int32{}, known: []int64{0}}
}

func (c *clusterNumbers) number(cluster int64) int32 {
	if cluster == 0 {
		return 0
	}
	n, ok := c.of[cluster]
	if !ok {
		n = int32(len(c.known))
		c.of[cluster] = n
		c.known = append(c.known, cluster)
	}
	return n
}

const (
	// clusterSQL is the cluster of a row of task_segments s.
	clusterSQL = "coalesce((SELECT g.cluster FROM signatures g WHERE g.fingerprint = s.fingerprint), 0)"
	// The join is in this order whatever SQLite believes: the index of the
	// signatures has all that is asked of them.
	loadClustersSQL = `SELECT g.cluster, g.fingerprint, s.rowid FROM signatures g INDEXED BY signatures_cluster
		CROSS JOIN task_segments s INDEXED BY task_segments_fingerprint ON s.fingerprint = g.fingerprint
		WHERE g.cluster > 0 AND (g.cluster, g.fingerprint, s.rowid) > (?, ?, ?) ORDER BY g.cluster, g.fingerprint, s.rowid LIMIT ?`
)

// loadClusters reads the clusters of all segments.
func (s *Store) loadClusters(ctx context.Context, f *facets) error {
	var cluster, row int64
	var print string
	return s.inSteps(ctx, func() (n int, err error) {
		rows, err := s.readers.query(ctx, loadClustersSQL, cluster, print, row, s.library.step)
		if err != nil {
			return 0, err
		}
		err = each(rows, func() error {
			n++
			err := rows.Scan(&cluster, &print, &row)
			if slot, ok := f.slots[row]; ok {
				f.cluster[slot] = f.clusters.number(cluster)
			}
			return err
		})
		return n, err
	})
}

// arranged are rows as a list shows them whose clusters are collapsed.
type arranged struct {
	rows  []int32 // slots, in the order shown
	heads []int32 // indexes in rows of those that stand beneath no other
	size  []int32 // of clusters, by number: how many rows there are
	front []int32 // the first of them
}

// arrange lays out the rows of a set, which slots have in order. open says which
// clusters, by number, show all their rows.
func (f *facets) arrange(slots []int32, in rowSet, desc bool, open func(cluster int32) bool) *arranged {
	a := &arranged{size: make([]int32, len(f.clusters.known)), front: make([]int32, len(f.clusters.known))}
	heads := make([]int32, 0, in.len())
	var beneath []int32
	at, step := 0, 1
	if desc {
		at, step = len(slots)-1, -1
	}
	for ; at >= 0 && at < len(slots); at += step {
		slot := slots[at]
		if !in.has(slot) {
			continue
		}
		c := f.cluster[slot]
		if c != 0 {
			if a.size[c]++; a.size[c] > 1 {
				if open(c) {
					beneath = append(beneath, slot)
				}
				continue
			}
			a.front[c] = slot
		}
		heads = append(heads, slot)
	}
	if len(beneath) == 0 {
		a.rows = heads
		return a
	}
	f.unfold(a, heads, beneath)
	return a
}

// unfold puts the rows of open clusters beneath their first ones.
func (f *facets) unfold(a *arranged, heads, beneath []int32) {
	first := map[int32]int{} // by cluster, its place in lists
	var lists [][]int32
	for _, slot := range beneath {
		c := f.cluster[slot]
		n, ok := first[c]
		if !ok {
			n = len(lists)
			first[c] = n
			lists = append(lists, make([]int32, 0, a.size[c]-1))
		}
		lists[n] = append(lists[n], slot)
	}
	a.rows = make([]int32, 0, len(heads)+len(beneath))
	a.heads = make([]int32, 0, len(heads))
	for _, slot := range heads {
		a.heads = append(a.heads, int32(len(a.rows)))
		a.rows = append(a.rows, slot)
		if n, ok := first[f.cluster[slot]]; ok && f.cluster[slot] != 0 {
			a.rows = append(a.rows, lists[n]...)
		}
	}
}

// head returns the index in rows of the n-th row that stands beneath no other.
func (a *arranged) head(n int) int {
	if a.heads == nil {
		return n
	}
	if n == len(a.heads) {
		return len(a.rows)
	}
	return int(a.heads[n])
}

func (a *arranged) headCount() int {
	if a.heads == nil {
		return len(a.rows)
	}
	return len(a.heads)
}

// beneath reports whether a row that is shown stands beneath another.
func (f *facets) beneath(a *arranged, slot int32) bool {
	c := f.cluster[slot]
	return c != 0 && a.front[c] != slot
}

// find returns where a cursor stands: the index of its row, or that of the row
// which follows it.
func (f *facets) find(a *arranged, o ordering, desc bool, c *review.Cursor) (at int, exact, ok bool) {
	own, ok := f.spotOf(o, *c)
	if !ok {
		return 0, false, false
	}
	// The turn of a row that was judged since is at the end of the list: what
	// follows it is what followed it before.
	if slot, there := f.slotOf(own.id); there && (o.by != byTurn || f.key(o, slot) == own.key) {
		for i, row := range a.rows {
			if row == slot {
				return i, true, true
			}
		}
	}
	front, beneath := c.Front.(spot)
	if !beneath {
		front = own
	}
	toward := func(slot int32, to *spot) int {
		if desc {
			return -f.compare(o, slot, to)
		}
		return f.compare(o, slot, to)
	}
	low, high := 0, a.headCount()
	for low < high {
		mid := (low + high) / 2
		if toward(a.rows[a.head(mid)], &front) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	at = a.head(low)
	if at == len(a.rows) || f.id[a.rows[at]] != front.id {
		return at, false, true
	}
	if !beneath {
		return at, true, true
	}
	for at++; at < a.head(low+1); at++ {
		if c := toward(a.rows[at], &own); c >= 0 {
			return at, c == 0, true
		}
	}
	return at, false, true
}

// slotOf returns the slot of a segment.
func (f *facets) slotOf(id segmentID) (int32, bool) {
	for slot := range f.id {
		if f.id[slot] == id && f.live.has(int32(slot)) {
			return int32(slot), true
		}
	}
	return 0, false
}

// pageOf returns up to limit rows that follow a cursor, or precede it, the
// nearest first.
func (f *facets) pageOf(a *arranged, o ordering, desc bool, q *review.Query, limit int) ([]int32, bool) {
	from, to := 0, len(a.rows)
	if q.After.ID != "" {
		at, exact, ok := f.find(a, o, desc, &q.After)
		switch {
		case !ok:
			return nil, false
		case q.Back:
			to = at
		case exact:
			from = at + 1
		default:
			from = at
		}
	}
	found := make([]int32, 0, min(limit, 256))
	for ; from < to && len(found) < limit; to-- {
		if !q.Back {
			break
		}
		found = append(found, a.rows[to-1])
	}
	if !q.Back {
		found = append(found, a.rows[from:min(to, from+limit)]...)
	}
	return found, true
}

// alikeOf describes the clusters of rows of which there are several; in is what
// was arranged.
func (f *facets) alikeOf(a *arranged, in rowSet, rows []int32) map[int64]review.Alike {
	groups := map[int64]review.Alike{}
	wanted := map[int32]bool{}
	for _, slot := range rows {
		if c := f.cluster[slot]; c != 0 && a.size[c] > 1 {
			groups[f.clusters.known[c]] = review.Alike{Front: f.id[a.front[c]].String(), Size: int(a.size[c])}
			wanted[c] = true
		}
	}
	if len(groups) == 0 {
		return nil
	}
	pending, ok := f.verdict.number[string(review.Pending)]
	in.each(func(slot int32) {
		if c := f.cluster[slot]; ok && f.verdict.at[slot] == pending && wanted[c] {
			g := groups[f.clusters.known[c]]
			g.Pending++
			groups[f.clusters.known[c]] = g
		}
	})
	return groups
}

// openClusters returns which clusters a query shows all rows of.
func (f *facets) openClusters(q *review.Query) func(cluster int32) bool {
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

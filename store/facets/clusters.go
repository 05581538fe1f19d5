package facets

import "slices"

// clusterNumbers give clusters small numbers, from 1; those that left keep
// theirs. The slots of a cluster are a ring, so that those of one are found
// without looking at all.
type clusterNumbers struct {
	of         map[int64]int32
	known      []int64 // by number
	some       []int32 // by number, one of its slots, noSlot: it has none
	next, prev []int32 // by slot; one in no cluster is a ring of its own
}

const noSlot = -1

func newClusterNumbers() clusterNumbers {
	return clusterNumbers{of: map[int64]int32{}, known: []int64{0}, some: []int32{noSlot}}
}

func (c *clusterNumbers) reserve(rows int) {
	c.next, c.prev = slices.Grow(c.next, rows), slices.Grow(c.prev, rows)
}

func (c *clusterNumbers) grow() {
	slot := int32(len(c.next))
	c.next, c.prev = append(c.next, slot), append(c.prev, slot)
}

func (c *clusterNumbers) number(cluster int64) int32 {
	if cluster == 0 {
		return 0
	}
	n, ok := c.of[cluster]
	if !ok {
		n = int32(len(c.known))
		c.of[cluster] = n
		c.known, c.some = append(c.known, cluster), append(c.some, noSlot)
	}
	return n
}

// move takes a slot out of the ring of one number into that of another.
func (c *clusterNumbers) move(slot, from, to int32) {
	if from != 0 {
		next, prev := c.next[slot], c.prev[slot]
		if c.some[from] == slot {
			c.some[from] = next
		}
		if next == slot {
			c.some[from] = noSlot
		}
		c.next[prev], c.prev[next] = next, prev
		c.next[slot], c.prev[slot] = slot, slot
	}
	if to == 0 {
		return
	}
	if some := c.some[to]; some != noSlot {
		last := c.prev[some]
		c.next[last], c.prev[slot] = slot, last
		c.next[slot], c.prev[some] = some, slot
	} else {
		c.some[to] = slot
	}
}

// setCluster notes which cluster a slot is in.
func (f *columns) setCluster(slot int32, cluster int64) {
	from, to := f.cluster[slot], f.clusters.number(cluster)
	if from != to {
		f.clusters.move(slot, from, to)
		f.cluster[slot] = to
	}
}

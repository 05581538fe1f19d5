package facets

import (
	"encoding/binary"
	"slices"
)

// keyed is a slot with what it is sorted by.
type keyed struct {
	key  uint64
	slot int32
}

// digitBits is how many bits are sorted by at a time: their counts fit the
// fastest cache.
const digitBits = 11

// sortKeyed sorts by key and leaves equal ones as they are. It takes a fifth of
// the time of a sort that compares: 200,000 rows take some milliseconds.
func sortKeyed(list []keyed) []keyed {
	some, all := uint64(0), ^uint64(0)
	for i := range list {
		some |= list[i].key
		all &= list[i].key
	}
	spare := make([]keyed, len(list))
	for shift := 0; shift < 64; shift += digitBits {
		const mask = 1<<digitBits - 1
		if (some^all)>>shift&mask == 0 {
			continue // the same in all
		}
		var at [1 << digitBits]int32
		for i := range list {
			at[list[i].key>>shift&mask]++
		}
		sum := int32(0)
		for digit, count := range at {
			at[digit] = sum
			sum += count
		}
		for i := range list {
			digit := list[i].key >> shift & mask
			spare[at[digit]] = list[i]
			at[digit]++
		}
		list, spare = spare, list
	}
	return list
}

// byID returns the slots of a set in the order of their ids.
func (f *columns) byID(in rowSet) []keyed {
	list := make([]keyed, 0, f.size())
	in.each(func(slot int32) {
		list = append(list, keyed{binary.BigEndian.Uint64(f.id[slot][:]), slot})
	})
	list = sortKeyed(list)
	// Few have their first half in common.
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].key == list[from].key {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(list[from:to], func(a, b keyed) int { return f.id[a.slot].compare(f.id[b.slot]) })
		}
		from = to
	}
	return list
}

// sort puts all slots in order. Of files it compares their rank.
func (f *columns) sort(o *ordering) []int32 {
	var rank []uint64
	if o.key == nil {
		rank = f.sessions.ranks()
	}
	list := f.byID(f.live)
	for i, e := range list {
		if o.key == nil {
			list[i].key = rank[f.session[e.slot]]<<32 | uint64(uint32(f.start[e.slot]))
		} else {
			list[i].key = o.key(f, o, e.slot)
		}
	}
	return inOrder(sortKeyed(list))
}

func inOrder(list []keyed) []int32 {
	slots := make([]int32, len(list))
	for i, e := range list {
		slots[i] = e.slot
	}
	return slots
}

package train

import "sort"

// Thin returns at most so many points, 2 or more, of those of one name by step: the first,
// the last, and of those between as many as can lie equally far from each other.
func Thin(list []Point, most int) []Point {
	if len(list) <= most {
		return list
	}
	end := list[len(list)-1]
	first := uint64(end.Step) - uint64(list[0].Step) // of steps of any size
	least := sort.Search(int(min(first, 1<<62)), func(gap int) bool { return len(apart(list, uint64(gap))) <= most })
	return apart(list, uint64(least))
}

// apart returns the first point, the last, and of those between each that lies at least
// so many steps after the one before.
func apart(list []Point, gap uint64) []Point {
	end := list[len(list)-1]
	kept := []Point{list[0]}
	for _, p := range list[1 : len(list)-1] {
		last := kept[len(kept)-1].Step
		if uint64(p.Step)-uint64(last) >= gap && uint64(end.Step)-uint64(p.Step) >= gap {
			kept = append(kept, p)
		}
	}
	return append(kept, end)
}

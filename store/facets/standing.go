package facets

// standing tells how many rows of a list precede one of it, and how many there are. l
// is nil for a list that collapses nothing.
func (f *columns) standing(slots []int32, in rowSet, desc bool, l *collapsed, row int32) (before, of int) {
	head, beneath := row, 0
	if l != nil {
		if front, ok := l.beneath(row); ok {
			head = front
			for i, slot := range l.unfolded(front) {
				if slot == row {
					beneath = i
				}
			}
		}
	}
	sizes, seen := []int32(nil), []bool(nil)
	if l != nil {
		sizes, seen = make([]int32, len(f.clusters.known)), make([]bool, len(f.clusters.known))
		in.each(func(slot int32) { sizes[f.cluster[slot]]++ })
	}
	for i := range slots {
		slot := slots[i]
		if desc {
			slot = slots[len(slots)-1-i]
		}
		if slot == head {
			before = of + beneath
		}
		if !in.has(slot) {
			continue
		}
		n := 1
		if l != nil {
			if c := f.cluster[slot]; c != 0 {
				switch {
				case seen[c]:
					n = 0
				case l.open(c):
					n = int(sizes[c])
				}
				seen[c] = true
			}
		}
		of += n
	}
	return before, of
}

package similar

import (
	"cmp"
	"slices"
)

// Sets are disjoint sets of the numbers from 0 on. At first each is alone.
type Sets struct{ parent []int32 }

// NewSets returns the sets of n numbers.
func NewSets(n int) *Sets {
	s := &Sets{parent: make([]int32, n)}
	for i := range s.parent {
		s.parent[i] = int32(i)
	}
	return s
}

// Grow adds numbers until there are n, each of them alone.
func (s *Sets) Grow(n int) {
	for i := len(s.parent); i < n; i++ {
		s.parent = append(s.parent, int32(i))
	}
}

// Root returns the smallest number of the set that i is in.
func (s *Sets) Root(i int) int {
	at := int32(i)
	for s.parent[at] != at {
		s.parent[at] = s.parent[s.parent[at]]
		at = s.parent[at]
	}
	return int(at)
}

// Join makes the sets of i and j one.
func (s *Sets) Join(i, j int) {
	a, b := s.Root(i), s.Root(j)
	s.parent[max(a, b)] = int32(min(a, b))
}

// List returns the sets of at least two, ordered by their first number, each
// in rising order.
func (s *Sets) List() [][]int {
	var list [][]int
	place := map[int]int{}
	for i := range s.parent {
		root := s.Root(i)
		if root == i {
			continue
		}
		at, begun := place[root]
		if !begun {
			at = len(list)
			place[root] = at
			list = append(list, []int{root})
		}
		list[at] = append(list[at], i)
	}
	slices.SortFunc(list, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return list
}

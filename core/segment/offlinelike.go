package segment

import (
	"math"
	"slices"
)

// bag is the set of words of one text, for comparing it with others.
type bag struct {
	ids  []uint32 // sorted, without repetitions
	norm float64
}

const bagMost = 64 // words; the beginning of a text tells what it is

// fill makes b the bag of words. Entities are left out: what is compared is
// how something is said.
func (b *bag) fill(words []word) {
	b.ids = b.ids[:0]
	for _, w := range words {
		if len(b.ids) >= bagMost {
			break
		}
		if !w.entity() {
			b.ids = append(b.ids, w.id)
		}
	}
	slices.Sort(b.ids)
	b.ids = slices.Compact(b.ids)
	b.norm = math.Sqrt(float64(len(b.ids)))
}

// like is the cosine of two bags, 0 to 1.
func (b *bag) like(o *bag) float32 {
	if len(b.ids) == 0 || len(o.ids) == 0 {
		return 0
	}
	both := 0
	for i, j := 0, 0; i < len(b.ids) && j < len(o.ids); {
		switch {
		case b.ids[i] == o.ids[j]:
			both++
			i++
			j++
		case b.ids[i] < o.ids[j]:
			i++
		default:
			j++
		}
	}
	return float32(float64(both) / (b.norm * o.norm))
}

// bagShelf keeps the last bags of a kind, and the first ones.
type bagShelf struct {
	bags [32]bag
	n    int
}

const bagsKept = 8 // the first ones stay

func (s *bagShelf) put(b *bag) {
	at := s.n
	if at >= len(s.bags) {
		at = bagsKept + (s.n-bagsKept)%(len(s.bags)-bagsKept)
	}
	s.n++
	to := &s.bags[at]
	to.ids = append(to.ids[:0], b.ids...)
	to.norm = b.norm
}

// nearest is the highest likeness of b to a bag on the bagShelf.
func (s *bagShelf) nearest(b *bag) (most float32) {
	for i := range min(s.n, len(s.bags)) {
		most = max(most, b.like(&s.bags[i]))
	}
	return most
}

package offline

import (
	"math"
	"math/bits"
)

// bag is the set of words of one text, for comparing how it is put with others:
// a bit for each, so that comparing is quick. Two words sometimes share one.
type bag struct {
	bits [bagWords]uint64
	n    int // bits that are set
}

const (
	bagWords = 16 // 1,024 bits: 48 words of two texts share 2 by chance
	bagMost  = 48 // words; the beginning of a text tells what it is
)

// fill makes b the bag of words. Entities are left out: they tell what a text
// is about, not how it is put.
func (b *bag) fill(words []word) {
	*b = bag{}
	taken := 0
	for _, w := range words {
		if taken == bagMost {
			break
		}
		if w.entity() {
			continue
		}
		taken++
		bit := w.id * 0x9E3779B1 >> 22
		b.bits[bit/64] |= 1 << (bit % 64)
	}
	for _, x := range b.bits {
		b.n += bits.OnesCount64(x)
	}
}

// bagShelf keeps the first bags of a kind, and the last ones.
type bagShelf struct {
	bags [32]bag
	n    int // that were put
}

const bagsKept = 8 // the first ones stay

func (s *bagShelf) put(b *bag) {
	at := s.n
	if at >= len(s.bags) {
		at = bagsKept + (s.n-bagsKept)%(len(s.bags)-bagsKept)
	}
	s.n++
	s.bags[at] = *b
}

// nearest is the highest likeness of b to a bag on the shelf: the cosine, 0 to 1.
func (s *bagShelf) nearest(b *bag) float32 {
	if b.n == 0 {
		return 0
	}
	var used [bagWords]uint8 // where b has bits: of a short text few
	n := 0
	for i, x := range b.bits {
		if x != 0 {
			used[n] = uint8(i)
			n++
		}
	}
	most := 0.0 // the cosine's square, times b.n
	for i := range min(s.n, len(s.bags)) {
		o := &s.bags[i]
		both := 0
		for _, k := range used[:n] {
			both += bits.OnesCount64(b.bits[k%bagWords] & o.bits[k%bagWords])
		}
		if both > 0 {
			most = max(most, float64(both*both)/float64(o.n))
		}
	}
	return float32(math.Sqrt(most / float64(b.n)))
}

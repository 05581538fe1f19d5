package segment

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

// like is the cosine of two bags, 0 to 1.
func (b *bag) like(o *bag) float32 {
	if b.n == 0 || o.n == 0 {
		return 0
	}
	both := 0
	for i := range b.bits {
		both += bits.OnesCount64(b.bits[i] & o.bits[i])
	}
	return float32(float64(both) / math.Sqrt(float64(b.n*o.n)))
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

// nearest is the highest likeness of b to a bag on the shelf.
func (s *bagShelf) nearest(b *bag) (most float32) {
	for i := range min(s.n, len(s.bags)) {
		most = max(most, b.like(&s.bags[i]))
	}
	return most
}

package facets

import "math/bits"

// rowSet is a set of slots of facets: slot n is bit n%64 of word n/64.
type rowSet []uint64

func newRowSet(slots int) rowSet { return make(rowSet, (slots+63)/64) }

func (s rowSet) has(slot int32) bool {
	w := int(slot >> 6)
	return w < len(s) && s[w]>>(slot&63)&1 != 0
}

func (s rowSet) add(slot int32) { s[slot>>6] |= 1 << (slot & 63) }

func (s rowSet) drop(slot int32) { s[slot>>6] &^= 1 << (slot & 63) }

// grown returns the set with room for a number of slots.
func (s rowSet) grown(slots int) rowSet {
	for len(s)*64 < slots {
		s = append(s, 0)
	}
	return s
}

// and returns what is in both.
func (s rowSet) and(o rowSet) rowSet {
	out := make(rowSet, len(s))
	for w := range min(len(s), len(o)) {
		out[w] = s[w] & o[w]
	}
	return out
}

// minus returns what is in s and not in o.
func (s rowSet) minus(o rowSet) rowSet {
	out := make(rowSet, len(s))
	copy(out, s)
	for w := range min(len(s), len(o)) {
		out[w] &^= o[w]
	}
	return out
}

// unite adds what is in o, which has no slots after the last word of s.
func (s rowSet) unite(o rowSet) {
	for w := range o {
		s[w] |= o[w]
	}
}

func (s rowSet) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// each calls f for all slots in order.
func (s rowSet) each(f func(slot int32)) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			f(int32(w<<6 | bits.TrailingZeros64(word)))
		}
	}
}

// where returns the slots of s for which ok says so.
func (s rowSet) where(ok func(slot int32) bool) rowSet {
	out := make(rowSet, len(s))
	for w, word := range s {
		var got uint64
		for ; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			if ok(int32(w<<6 | b)) {
				got |= 1 << b
			}
		}
		out[w] = got
	}
	return out
}

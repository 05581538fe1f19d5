package similar

import (
	"cmp"
	"slices"
)

// Duplicate is the similarity from which on two texts are near duplicates.
const Duplicate = 0.7

// Index finds, of some signatures, those that others are similar to. It takes
// 640 bytes for each besides the signature.
type Index struct {
	sigs  []*Signature
	bands [bands][]entry // in the order of joinAlike
}

// NewIndex returns the index of signatures. Nil or zero ones are in none.
func NewIndex(sigs []*Signature) *Index {
	x := &Index{sigs: sigs}
	var entries []entry
	for i, s := range sigs {
		if s != nil && !s.IsZero() {
			entries = append(entries, entry{at: i})
		}
	}
	for band := range x.bands {
		list := slices.Clone(entries)
		for i := range list {
			list[i].key = sigs[list[i].at].band(band)
		}
		slices.SortFunc(list, func(a, b entry) int { return x.compare(band, a, b.key, sigs[b.at], b.at) })
		x.bands[band] = list
	}
	return x
}

// compare tells where an entry stands relative to a signature with a key.
func (x *Index) compare(band int, e entry, key uint64, s *Signature, at int) int {
	if c := cmp.Compare(e.key, key); c != 0 {
		return c
	}
	return cmp.Or(slices.Compare(x.sigs[e.at][band:], s[band:]), cmp.Compare(e.at, at))
}

// Each calls f for the indexes of signatures that are similar to s by at least
// threshold, s itself among them if it is there; for some more than once. Those
// that skip says are known are not compared. What it misses is what Clusters
// does.
func (x *Index) Each(s *Signature, threshold float64, skip func(i int) bool, f func(i int)) {
	if s.IsZero() {
		return
	}
	for band, list := range x.bands {
		key := s.band(band)
		at, _ := slices.BinarySearchFunc(list, key, func(e entry, key uint64) int { return x.compare(band, e, key, s, -1) })
		for i := at; i < min(len(list), at+near) && list[i].key == key; i++ {
			x.try(list[i].at, s, threshold, skip, f)
		}
		for i := at - 1; i >= max(0, at-near) && list[i].key == key; i-- {
			x.try(list[i].at, s, threshold, skip, f)
		}
	}
}

func (x *Index) try(i int, s *Signature, threshold float64, skip func(i int) bool, f func(i int)) {
	if !skip(i) && alike(x.sigs[i], s, threshold) {
		f(i)
	}
}

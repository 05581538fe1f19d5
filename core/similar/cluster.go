package similar

import (
	"cmp"
	"encoding/binary"
	"slices"
)

const (
	// Signatures that agree in a band, four entries from all over, are
	// compared. Of pairs with a similarity of 0.7, 40 bands miss 1 in 50,000;
	// of 0.6, 1 in 250.
	bands = 40
	rows  = 4
	apart = bins / rows // how far the entries of a band lie from each other

	// near is with how many others a signature is compared in each band at
	// most. Where thousands agree in a band, as texts do that were made from
	// one template, they are sorted, so that those which agree in most stand
	// beside each other. It bounds the time for texts that all resemble each
	// other a little; what is missed are pairs with that many others between
	// them in every band they share.
	near = 32
)

// Clusters returns the clusters of at least two signatures, as indexes: two are
// in one cluster if they are similar by at least threshold (0.5 to 1), or if a
// chain of such pairs joins them. Indexes rise within a cluster, clusters are
// ordered by their first index. A nil or zero signature is in none.
//
// What is compared is the estimate of Similarity. Pairs well above the
// threshold are found but for the few that bands tells.
func Clusters(sigs []*Signature, threshold float64) [][]int {
	sets := newSets(len(sigs))
	entries := make([]entry, 0, len(sigs))
	known := make(map[uint64]int, len(sigs))
	for i, s := range sigs {
		if s == nil || s.IsZero() {
			continue
		}
		// Equal ones are joined here: they would agree in every band.
		h := s.hash()
		if first, met := known[h]; met && *sigs[first] == *s {
			sets.join(first, i)
			continue
		}
		known[h] = i
		entries = append(entries, entry{at: i})
	}
	for band := range bands {
		for i := range entries {
			entries[i].key = sigs[entries[i].at].band(band)
		}
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
		})
		for rest := entries; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].key == rest[0].key {
				n++
			}
			sets.joinAlike(sigs, rest[:n], band, threshold)
			rest = rest[n:]
		}
	}
	return sets.list()
}

// entry is a signature in the order of a band.
type entry struct {
	key uint64
	at  int
}

func (s *Signature) hash() uint64 {
	h := uint64(0)
	for i := 0; i < bins; i += 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(s[i:]))
	}
	return h
}

// band hashes the entries of a band. In place of an empty entry stands the next
// one that is not, so that short texts meet as well as long ones: two texts
// agree in a place as likely as they are similar.
func (s *Signature) band(band int) uint64 {
	h := uint64(0)
	for r := range rows {
		i := r*apart + band
		for s[i] == 0 {
			i = (i + 1) % bins
		}
		h = mix(h ^ uint64(i)<<8 ^ uint64(s[i]))
	}
	return h
}

// joinAlike joins those that are similar among signatures that agree in a band.
func (s *sets) joinAlike(sigs []*Signature, agree []entry, band int, threshold float64) {
	if len(agree) > near {
		slices.SortFunc(agree, func(a, b entry) int {
			x, y := sigs[a.at], sigs[b.at]
			return cmp.Or(slices.Compare(x[band:], y[band:]), cmp.Compare(a.at, b.at))
		})
	}
	for i, e := range agree {
		for _, other := range agree[max(0, i-near):i] {
			if s.root(e.at) != s.root(other.at) && alike(sigs[e.at], sigs[other.at], threshold) {
				s.join(e.at, other.at)
			}
		}
	}
}

// sets are disjoint sets of indexes; the root of one is its smallest.
type sets struct{ parent []int32 }

func newSets(n int) *sets {
	s := &sets{parent: make([]int32, n)}
	for i := range s.parent {
		s.parent[i] = int32(i)
	}
	return s
}

func (s *sets) root(i int) int32 {
	at := int32(i)
	for s.parent[at] != at {
		s.parent[at] = s.parent[s.parent[at]]
		at = s.parent[at]
	}
	return at
}

func (s *sets) join(i, j int) {
	a, b := s.root(i), s.root(j)
	s.parent[max(a, b)] = min(a, b)
}

// list returns the sets of at least two.
func (s *sets) list() [][]int {
	var list [][]int
	place := map[int32]int{}
	for i := range s.parent {
		root := s.root(i)
		if int(root) == i {
			continue
		}
		at, begun := place[root]
		if !begun {
			at = len(list)
			place[root] = at
			list = append(list, []int{int(root)})
		}
		list[at] = append(list[at], i)
	}
	slices.SortFunc(list, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return list
}

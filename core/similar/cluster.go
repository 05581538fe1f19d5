package similar

import (
	"cmp"
	"encoding/binary"
	"slices"
)

const (
	// Signatures that agree in a band, a choice of four entries, are
	// compared. Of pairs with a similarity of 0.7, 40 bands miss 1 in 50,000;
	// of 0.6, 1 in 250.
	bands = 40
	rows  = 4

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
	sets := NewSets(len(sigs))
	entries := make([]entry, 0, len(sigs))
	known := make(map[uint64]int, len(sigs))
	for i, s := range sigs {
		if s == nil || s.IsZero() {
			continue
		}
		// Equal ones are joined here: they would agree in every band.
		h := s.hash()
		if first, met := known[h]; met && *sigs[first] == *s {
			sets.Join(first, i)
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
	return sets.List()
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

// band hashes the entries of a band. In place of an empty entry stands one that
// is not, looked for in an order of its own for each entry: so two short texts,
// which leave most entries empty, agree in a place as likely as they are
// similar, and as independently of other places as long ones.
func (s *Signature) band(band int) uint64 {
	h := uint64(0)
	for r := range rows {
		place := uint64(band*rows + r)
		i, step := place*placeStep%bins, mix(place)|1 // odd: it comes by all entries
		for s[i] == 0 {
			i = (i + step) % bins
		}
		h = mix(h ^ i<<8 ^ uint64(s[i]))
	}
	return h
}

// placeStep lies between the entries that bands begin with: odd, so that no
// two are the same, and far from any fraction of bins.
const placeStep = 197

// joinAlike joins those that are similar among signatures that agree in a band.
func (s *Sets) joinAlike(sigs []*Signature, agree []entry, band int, threshold float64) {
	if len(agree) > near {
		slices.SortFunc(agree, func(a, b entry) int {
			x, y := sigs[a.at], sigs[b.at]
			return cmp.Or(slices.Compare(x[band:], y[band:]), cmp.Compare(a.at, b.at))
		})
	}
	for i, e := range agree {
		for _, other := range agree[max(0, i-near):i] {
			if s.Root(e.at) != s.Root(other.at) && alike(sigs[e.at], sigs[other.at], threshold) {
				s.Join(e.at, other.at)
			}
		}
	}
}

package similar

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// What an index finds, for all signatures, makes the clusters that comparing all
// with all makes.
func TestIndexFindsWhatClustersDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	var sigs []*Signature
	for range 400 {
		words := ""
		theme := random.IntN(12)
		for w := range 60 {
			if random.IntN(12*(1+theme)) == 0 {
				words += fmt.Sprint("other", random.IntN(1000), " ")
			} else {
				words += fmt.Sprint("theme", theme, "word", w, " ")
			}
		}
		var signer Signer
		s := signer.Sign(words)
		sigs = append(sigs, &s)
	}
	sigs = append(sigs, nil, &Signature{}, sigs[7])
	want := Clusters(sigs, Duplicate)
	for _, batch := range []int{1, 50, len(sigs)} {
		sets := NewSets(0)
		sets.Grow(len(sigs))
		for from := 0; from < len(sigs); from += batch {
			fresh := sigs[from:min(from+batch, len(sigs))]
			x := NewIndex(fresh)
			for i, s := range sigs {
				if s == nil {
					continue
				}
				x.Each(s, Duplicate, func(at int) bool { return sets.Root(i) == sets.Root(from+at) }, func(at int) { sets.Join(i, from+at) })
			}
		}
		if got := sets.List(); fmt.Sprint(got) != fmt.Sprint(want) || len(want) < 3 {
			t.Errorf("in batches of %d: %v, want %v", batch, got, want)
		}
	}
}

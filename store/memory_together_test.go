package store

import (
	"fmt"
	"slices"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// Some rows with several words are found without searching for all that hold one
// of them, if enough have both in one place; else as always.
func TestWordsThatStandTogetherAreFoundSoon(t *testing.T) {
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range 12 {
		writes = append(writes, spoken(fmt.Sprintf("/s/%02d", i), "alpha beta gamma", "alpha", "beta", "beta and alpha"))
	}
	// Its passage is larger than its segments, of which each has one word.
	parted := spokenList("alpha")
	parted[1].Content = "beta"
	w := write("/parted", parted)
	w.Sessions[0].Segments = []review.SegmentWrite{seg(parted, 1, 1, 0), seg(parted, 2, 2, 1)}
	put(t, s, append([]hub.ImportWrite{w}, writes...)...)
	fillAll(t, s)
	for _, c := range []struct {
		filter string
		limit  int
		soon   bool
	}{
		{"alpha beta", 10, true},
		{"alpha beta status:pending messages=2", 10, true},
		{"alpha beta status:approved", 1, false},
		{"alpha beta", 30, false}, // there are 24
		{"alpha beta -gamma", 5, false},
		{`alpha "beta gamma"`, 5, false},
		{"alpha bet*", 5, false},
	} {
		spy := spyOn(s) // has found nothing yet
		if err := s.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := parsed(t, c.filter)
		p, err := s.Segments(t.Context(), review.Query{Filter: n, Hasty: true, Order: review.Natural, Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if searched := spy.searched != nil; searched && c.soon || c.soon && len(p.Segments) != c.limit {
			t.Errorf("%s: %d rows of %d, all were searched for: %v", c.filter, len(p.Segments), c.limit, searched)
		}
		all, err := s.IDs(t.Context(), review.Query{Filter: n})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Segments) != min(c.limit, len(all)) {
			t.Errorf("%s: %d rows of %d", c.filter, len(p.Segments), len(all))
		}
		for _, seg := range p.Segments {
			if !slices.Contains(all, seg.ID) {
				t.Errorf("%s: %s of %s does not pass", c.filter, seg.ID, seg.SessionFile)
			}
		}
	}
}

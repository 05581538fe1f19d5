package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/review"
)

// Hasty rows pass the whole filter, each once; all of them if they are few.
func TestHastyRowsPassTheFilter(t *testing.T) {
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range 40 {
		writes = append(writes, write(fmt.Sprintf("/h/%02d", i), talk(4+i%3*2, []string{"alpha", "beta", "alpha beta"}[i%3])))
	}
	ids := put(t, s, writes...)
	fillAll(t, s)
	judge(t, s, "ann", review.Approved, ids[:20]...)
	for _, text := range []string{"alpha", "beta status:approved", "alpha beta -status:approved", "beta or alpha", "-alpha", "gamma", "alpha messages>4"} {
		n := parsed(t, text)
		want, err := s.IDs(t.Context(), review.Query{Filter: n})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{3, 100} {
			p, err := s.Segments(t.Context(), review.Query{Filter: n, Hasty: true, Limit: limit, Order: review.MostTokens})
			if err != nil {
				t.Fatal(err)
			}
			got := idsOf(p.Segments)
			slices.Sort(got)
			if all := len(got); len(slices.Compact(got)) != all || all != min(limit, len(want)) || p.More != (all < len(want)) {
				t.Errorf("%s: %d rows of %d, more %v", text, all, len(want), p.More)
			}
			for _, id := range got {
				if !slices.Contains(want, id) {
					t.Errorf("%s: %s does not pass", text, id)
				}
			}
		}
	}
}

// A hasty search that cannot be made says so, as any other.
func TestHastySearchFails(t *testing.T) {
	s := openTemp(t)
	four(t, s)
	_, err := s.Segments(t.Context(), review.Query{Filter: filter.Text{Value: "…"}, Hasty: true, Limit: 3})
	if err == nil || errors.Is(err, errEnough) {
		t.Errorf("%v", err)
	}
}

package store

import (
	"errors"
	"testing"

	"winnow/core/review"
	"winnow/core/runs"
)

func TestCutsOfSeveralSessionsAreOneTransaction(t *testing.T) {
	s := openTemp(t)
	a, b := recorded(t, s, "/a", talk(6, "x"), 0), recorded(t, s, "/b", talk(8, "y"), 0)
	before := dump(t, s, a.id)
	writes := []*runs.CutWrite{
		cutWrite(t, s, a, review.CutOffline, ends(2, 6)),
		cutWrite(t, s, b, review.CutOffline, ends(4, 8)),
	}
	writes[1].Messages--
	if err := s.WriteAllCuts(t.Context(), writes); !errors.Is(err, review.ErrConflict) {
		t.Fatalf("one of them changed since: %v", err)
	}
	if got := dump(t, s, a.id); got != before || writes[0].Segments[0].ID != "" {
		t.Errorf("the other one was written:\n%s\nwant\n%s", got, before)
	}
	writes[1].Messages++
	if err := s.WriteAllCuts(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	for _, w := range writes {
		for i := range w.Segments {
			if w.Segments[i].ID == "" {
				t.Errorf("segment %d of %s has no id", i, w.Session)
			}
		}
	}
	if got := spans(segmentsOf(t, s, a)) + ", " + spans(segmentsOf(t, s, b)); got != "1-2 3-6, 1-4 5-8" {
		t.Error(got)
	}
	writes[0].Curator, writes[0].Action = "ann", review.ActCut
	if err := s.WriteAllCuts(t.Context(), writes[:1]); err == nil || errors.Is(err, review.ErrConflict) {
		t.Errorf("a curator's cut: %v", err)
	}
}

package store

import (
	"strings"
	"testing"

	"winnow/core/review"
)

func TestAnswersAreKeptBesideTheVerdicts(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids...)
	seen, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []review.Recheck{
		{Run: "1", Segment: ids[0], Answer: review.Approved},
		{Run: "1", Segment: ids[1], Answer: review.Approved},
		{Run: "1", Segment: ids[2], Answer: review.Unsure},
		{Run: "1", Segment: ids[1], Answer: review.Rejected}, // another mind
		{Run: "1", Segment: ids[2]},                          // taken back
		{Run: "2", Segment: ids[0], Answer: review.Unsure},
	} {
		r.Curator, r.Was, r.WasBy = "ann", review.Approved, "ann"
		if err := s.Answer(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Rechecks(t.Context(), "ann", "1")
	if err != nil || len(list) != 2 || !list[0].Agreed() || list[1].Segment != ids[1] || list[1].Answer != review.Rejected || list[1].At.IsZero() {
		t.Errorf("%+v %v", list, err)
	}
	if all, err := s.Rechecks(t.Context(), "ann", ""); err != nil || len(all) != 3 {
		t.Errorf("%+v %v", all, err)
	}
	if none, err := s.Rechecks(t.Context(), "ben", ""); err != nil || len(none) != 0 {
		t.Errorf("%+v %v", none, err)
	}
	if got := verdicts(t, s, ids); got != "aaaa" {
		t.Errorf("verdicts %s", got)
	}
	if v, err := s.Version(t.Context()); err != nil || v != seen {
		t.Errorf("version %d of %d %v", v, seen, err)
	}
	if err := s.Answer(t.Context(), review.Recheck{Run: "3", Curator: "ann", Segment: ids[0], Was: review.Approved, Answer: "perhaps"}); err == nil {
		t.Error("an answer that is none was kept")
	}
	if steps := planOf(t, s, rechecksSQL, "ann", "", ""); !strings.Contains(steps, "USING INDEX rechecks_curator") || strings.Contains(steps, "B-TREE") {
		t.Error(steps)
	}
	clean(t, s)
}

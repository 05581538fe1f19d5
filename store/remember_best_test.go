package store

import (
	"fmt"
	"testing"

	"winnow/core/memory"
)

// TestTheBestOfMemories: one is approved and the others are rejected as one entry, which
// one undo takes back; what the best corrects is rejected if it is among them, and
// archived if it is not.
func TestTheBestOfMemories(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0])
	extract(t, s, extractionOf(t, s, ids[0], "old", "other"))
	old := allMemories(t, s)["old"]
	x := extractionOf(t, s, ids[0], "best", "double")
	x.Sifted.Kept[0].Supersedes = old.ID
	x.Sifted.Kept[1].Supersedes = allMemories(t, s)["other"].ID // which stays, as this is rejected
	extract(t, s, x)
	all := allMemories(t, s)
	best, double := all["best"], all["double"]
	choose := func(of ...memory.Memory) (made string, err error) {
		t.Helper()
		j := memory.Judgement{Curator: "bob", Status: memory.Rejected, Best: best.ID, Bulk: true}
		for i := range of {
			j.IDs = append(j.IDs, of[i].ID)
		}
		e, flagged, err := s.JudgeMemories(t.Context(), j)
		done, replaced := j.Made(e.Memories)
		return fmt.Sprint(done, replaced, len(flagged)), err
	}
	open := map[string]string{"old": "proposed", "double": "proposed", "best": "proposed", "other": "proposed"}
	for _, c := range []struct {
		of   []memory.Memory
		want map[string]string
		made string // judged, replaced, left for flags
	}{
		{[]memory.Memory{best, old, double}, map[string]string{"old": "rejected", "double": "rejected", "best": "approved", "other": "proposed"}, "3 0 0"},
		{[]memory.Memory{double, best}, map[string]string{"old": "archived: replaced by " + best.Short(), "double": "rejected", "best": "approved", "other": "proposed"}, "2 1 0"},
	} {
		if made, err := choose(c.of...); err != nil || made != c.made {
			t.Fatal(made, err)
		}
		wantFates(t, s, "chosen", c.want)
		undo(t, s, "bob")
		wantFates(t, s, "undone", open)
	}
	if _, err := choose(old, double); err == nil {
		t.Error("the best is none of them")
	}
	wantFates(t, s, "refused", open)
	clean(t, s)
}

// TestTheBestHasNoFlags: nothing is rejected for one that is not approved.
func TestTheBestHasNoFlags(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0])
	x := extractionOf(t, s, ids[0], "best", "double")
	x.Sifted.Kept[0].Flags = []memory.Flag{memory.Link}
	extract(t, s, x)
	all := allMemories(t, s)
	best, double := all["best"], all["double"]
	j := memory.Judgement{Curator: "bob", Status: memory.Rejected, Best: best.ID, IDs: []string{double.ID, best.ID}}
	if e, flagged, err := s.JudgeMemories(t.Context(), j); err != nil || e.ID != 0 || len(flagged) != 1 {
		t.Error(e.ID, flagged, err)
	}
	wantFates(t, s, "with flags", map[string]string{"best": "proposed", "double": "proposed"})
	judgeMemories(t, s, memory.Approved, best)
	if e, flagged, err := s.JudgeMemories(t.Context(), j); err != nil || len(e.Memories) != 1 || len(flagged) > 0 {
		t.Error(e.Memories, flagged, err)
	}
	wantFates(t, s, "approved before", map[string]string{"best": "approved", "double": "rejected"})
	clean(t, s)
}

package store

import (
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
)

// TestMemoriesWithoutWhatAFilterAsks: of each field, what a term lets through and what its
// negation does are all there are.
func TestMemoriesWithoutWhatAFilterAsks(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0], ids[1])
	x := extractionOf(t, s, ids[0], "one of the words", "two")
	x.Sifted.Kept[0].Flags, x.Sifted.Kept[0].Grade, x.Sifted.Kept[0].Model = []memory.Flag{memory.Link}, 0.9, "tiny"
	x.Sifted.Kept[1].Kind, x.Sifted.Kept[1].Tags, x.Sifted.Kept[1].Topic = memory.Fact, nil, "other"
	extract(t, s, x)
	extract(t, s, extractionOf(t, s, ids[1], "three"))
	judgeMemories(t, s, memory.Approved, allMemories(t, s)["three"])
	now := s.now()
	for _, text := range []string{
		"words", "kind:rule", "kind:rule,fact", "agent:default", "status:proposed", "status:approved,stale", "topic:other", "model:tiny", "session:a", "segment:" + ids[0][:8],
		"flag:link", "flag:any", "tag:go", "tag:trajectory", "tag:segment:" + ids[0][:8], "tag:type:code", "tag:topic:other", "tag:agent:default",
		"grade:0.9", "grade>0.5", "grade<=0.5", "created:" + now.Format(time.DateOnly), "created:2001-05-01", "created>2001-05-01", "created<2001-05-01", "created<=7d",
	} {
		count := func(text string) int {
			f, err := memory.ParseFilter(text, filter.Options{Now: now})
			if err != nil {
				t.Fatal(text, err)
			}
			n, err := s.MemoryNumber(t.Context(), f)
			if err != nil {
				t.Fatal(text, err)
			}
			return n
		}
		all := count("status:proposed,approved,stale,rejected,archived")
		with, without := count("status:proposed,approved,stale,rejected,archived "+text), count("status:proposed,approved,stale,rejected,archived -"+text)
		if all != 3 || with+without != all {
			t.Errorf("%s: %d with it, %d without, %d in all", text, with, without, all)
		}
	}
}

// TestStaleMemoriesWithFlagsAreApprovedAlone: what is stale leaves winnow again only by a
// yes, which nobody gives to many if there are flags.
func TestStaleMemoriesWithFlagsAreApprovedAlone(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	approve(t, s, ids[0])
	x := extractionOf(t, s, ids[0], "flagged")
	x.Sifted.Kept[0].Flags = []memory.Flag{memory.Directive}
	extract(t, s, x)
	m := allMemories(t, s)["flagged"]
	judgeMemories(t, s, memory.Approved, m)
	bulk := memory.Judgement{Curator: "bob", IDs: []string{m.ID}, Status: memory.Approved, Bulk: true}
	if e, flagged, err := s.JudgeMemories(t.Context(), bulk); err != nil || len(flagged) != 0 || e.ID != 0 {
		t.Errorf("one that stands: %v %v %v", e.ID, flagged, err)
	}
	verdict(t, s, "rejected", ids[0])
	if _, flagged, err := s.JudgeMemories(t.Context(), bulk); err != nil || len(flagged) != 1 {
		t.Errorf("flagged %v, %v", flagged, err)
	}
	if m := allMemories(t, s)["flagged"]; !m.Stale {
		t.Errorf("it is %s", fate(m))
	}
	judgeMemories(t, s, memory.Approved, m)
	if m := allMemories(t, s)["flagged"]; m.Stale {
		t.Errorf("approved by itself it is %s", fate(m))
	}
	if _, flagged, err := s.JudgeMemories(t.Context(), bulk); err != nil || len(flagged) != 0 {
		t.Errorf("one that stands alone: flagged %v, %v", flagged, err)
	}
}

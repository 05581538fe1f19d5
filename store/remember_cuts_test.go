package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/review"
)

// TestMemoriesOutliveCuts: a segment that a cut leaves as it is keeps what was learned in
// it, wherever it stands by then; of one that a cut takes apart, or joins with others, a
// proposed memory is archived and an approved one stale. Undo brings back all of it, and so
// does a cut that makes the same segments again, once they are approved.
func TestMemoriesOutliveCuts(t *testing.T) {
	const gone = "source left: its messages are cut otherwise, or gone"
	for _, c := range []struct {
		what  string
		from  []int // ends of segments
		to    []int
		stays []int // those of from whose memories stay
	}{
		{"the first one in two", []int{4, 6}, []int{2, 4, 6}, []int{1}},
		{"all of them in one", []int{2, 4, 6}, []int{6}, nil},
		{"the last two in one", []int{2, 4, 6}, []int{2, 6}, []int{0}},
		{"the last one in two", []int{2, 6}, []int{2, 4, 6}, []int{0}},
		{"as they are", []int{2, 4, 6}, []int{2, 4, 6}, []int{0, 1, 2}},
	} {
		s := openTemp(t)
		session := recorded(t, s, "/s/cut", talk(6, "x"), 0, c.from[:len(c.from)-1]...)
		begin, want := map[string]string{}, map[string]string{}
		for i, g := range segmentsOf(t, s, session) {
			approve(t, s, g.ID)
			one, other := fmt.Sprint("proposed ", i), fmt.Sprint("approved ", i)
			extract(t, s, extractionOf(t, s, g.ID, one, other))
			judgeMemories(t, s, memory.Approved, allMemories(t, s)[other])
			begin[one], begin[other] = "proposed", "approved"
			want[one], want[other] = "proposed", "approved"
			if !slices.Contains(c.stays, i) {
				want[one], want[other] = "archived: "+gone, "stale: "+gone
			}
		}
		wantFates(t, s, c.what+", before", begin)
		w := cutWrite(t, s, session, review.CutCurator, ends(c.to...))
		w.Curator, w.Action = "ann", review.ActSplit
		e, err := s.WriteCuts(t.Context(), w)
		if err != nil {
			t.Fatal(c.what, err)
		}
		wantFates(t, s, c.what, want)
		for _, m := range allMemories(t, s) {
			for _, o := range m.Sources {
				if o.Live && !slices.ContainsFunc(segmentsOf(t, s, session), func(g review.Segment) bool { return g.ID == o.Segment && g.Start == o.Start && g.End == o.End }) {
					t.Errorf("%s: %q is of segment %s, which is not there", c.what, m.Content, o.Segment)
				}
			}
			if n := strings.Count(strings.Join(m.Tags, " "), "segment:"); n > 1 {
				t.Errorf("%s: %q has tags %q", c.what, m.Content, m.Tags)
			}
		}
		if e.ID > 0 {
			undo(t, s, "ann")
			wantFates(t, s, c.what+" and undone", begin)
			redo(t, s, "ann")
			wantFates(t, s, c.what+" again", want)
		}
		// Cut as before, the segments are other ones with the same content.
		w = cutWrite(t, s, session, review.CutCurator, ends(c.from...))
		w.Curator, w.Action = "ann", review.ActMerge
		if _, err := s.WriteCuts(t.Context(), w); err != nil {
			t.Fatal(c.what, err)
		}
		for _, g := range segmentsOf(t, s, session) {
			approve(t, s, g.ID)
		}
		wantFates(t, s, c.what+" and as before", begin)
		clean(t, s)
	}
}

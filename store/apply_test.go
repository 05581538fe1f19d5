package store

import (
	"fmt"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// A bulk verdict marks stale and fresh, scored and unscored segments in a few
// statements; the counts and the way back are those of single verdicts.
func TestABulkVerdictKeepsTheCounts(t *testing.T) {
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range bulk + 50 {
		w := write(fmt.Sprint("/", i), talk(2+i%3, "x"))
		g := &w.Sessions[0].Segments[0]
		if i%3 == 0 {
			scoredAs(&g.Segment, float64(i%101)/100)
		}
		if i%7 == 0 {
			g.Stale, g.Was, g.WasBy = true, review.Approved, "bob"
		}
		writes = append(writes, w)
	}
	ids := put(t, s, writes...)
	judge(t, s, "bob", review.Unsure, ids[:20]...)
	before, err := s.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	judge(t, s, "ann", review.Approved, ids...)
	after, err := s.Totals(t.Context())
	if err != nil || after.ByVerdict[review.Approved] != len(ids) || after.Stale != 0 || after.ScoreSum != before.ScoreSum || after.Histogram != before.Histogram {
		t.Errorf("%+v %v, was %+v", after, err, before)
	}
	clean(t, s)
	undo(t, s, "ann")
	again, err := s.Totals(t.Context())
	if again.ByVerdict[review.Approved] == 0 {
		delete(again.ByVerdict, review.Approved) // before, none had been counted ever
	}
	if err != nil || fmt.Sprint(again) != fmt.Sprint(before) {
		t.Errorf("undone to %+v %v, was %+v", again, err, before)
	}
	clean(t, s)
	s.background.Wait()
	var pages int
	if err := s.curator.conn.QueryRowContext(t.Context(), "PRAGMA cache_size").Scan(&pages); err != nil || "cache_size("+fmt.Sprint(pages)+")" != curatorCache {
		t.Errorf("the page cache stays at %d %v", pages, err)
	}
}

package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// A bulk verdict marks stale and fresh, scored and unscored segments in a few
// statements; the counts and the way back are those of single verdicts.
func TestABulkVerdictKeepsTheCounts(t *testing.T) {
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range 1050 {
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
	s.db.Wait()
	var pages int
	err = s.db.Write(t.Context(), sqlite.Curator, func(tx *sqlite.Tx) error { return tx.Rows("PRAGMA cache_size").One(&pages) })
	if err != nil || pages != -16384 {
		t.Errorf("the page cache stays at %d %v", pages, err)
	}
}

// What a filter lets through is judged as one, and one undo takes it back: also
// by another process, after the first one ended.
func TestWhatAFilterLetsThroughIsJudgedAsOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	s := openAt(t, path)
	odd(t, s, 30)
	n := parsed(t, "tokens>0 -status:rejected")
	ids, err := s.IDs(t.Context(), review.Query{Filter: n, Order: review.Longest})
	if err != nil || len(ids) < 10 {
		t.Fatal(len(ids), err)
	}
	before, err := s.Segments(t.Context(), review.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	judge(t, s, "ann", review.Rejected, ids...)
	if left, err := s.IDs(t.Context(), review.Query{Filter: n}); err != nil || len(left) != 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, path)
	undo(t, again, "ann")
	after, err := again.Segments(t.Context(), review.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for i := range after.Segments {
		got, want := &after.Segments[i], &before.Segments[i]
		if got.ID != want.ID || fmt.Sprint(markOf(got)) != fmt.Sprint(markOf(want)) {
			t.Errorf("%s: %+v, was %+v", got.Short(), markOf(got), markOf(want))
		}
	}
}

// An expression in an index, or a generated column that must not be null, makes
// SQLite save a copy of each page that a bulk verdict changes.
func TestNoIndexMakesBulkVerdictsSlow(t *testing.T) {
	s := openTemp(t)
	var indexes string
	const text = `SELECT coalesce(group_concat(i.name), '') FROM pragma_index_list('task_segments') i, pragma_index_xinfo(i.name) c
		WHERE c.cid = -2 AND i.name <> 'task_segments_short'`
	if err := s.db.Rows(t.Context(), text).One(&indexes); err != nil || indexes != "" {
		t.Errorf("%s %v", indexes, err)
	}
	// Only facets has what a verdict changes.
	const moved = `SELECT coalesce(group_concat(DISTINCT i.name), '') FROM pragma_index_list('task_segments') i, pragma_index_xinfo(i.name) c
		WHERE c.name IN ('verdict', 'note', 'reviewer', 'reviewed_at', 'updated_at') AND c.key`
	if err := s.db.Rows(t.Context(), moved).One(&indexes); err != nil || indexes != "task_segments_facets" {
		t.Errorf("%s %v", indexes, err)
	}
}

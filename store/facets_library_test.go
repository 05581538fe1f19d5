package store

import (
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/sqlite"
)

// forgetChanges leaves the newest change only.
func forgetChanges(t *testing.T, s *Store) {
	t.Helper()
	err := s.write(t.Context(), sqlite.Curator, "forget", func(tx *tx) error {
		_, err := tx.Exec("DELETE FROM segment_changes WHERE seq < (SELECT max(seq) FROM segment_changes)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLoadingAgainReadsWhatIsNotKept(t *testing.T) {
	s := warm(t, 40)
	directly(t, s, 8)
	forgetChanges(t, s)
	if err := s.Warm(t.Context()); err != nil || !s.library.loaded() {
		t.Fatal("nothing is loaded", err)
	}
	if ok, err := s.upToDate(t.Context()); !ok || err != nil || s.library.facets.live.len() != 48 {
		t.Errorf("%d segments are loaded, %v", s.library.facets.live.len(), err)
	}
}

// A slot that another segment has by now is no hit of a search that was made
// before.
func TestWhatASearchFoundHoldsWhileSlotsStandForIt(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/a", talk(4, "old")))[0]
	put(t, s, write("/b", talk(4, "new")))
	fillAll(t, s)
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := func() textSets {
		t.Helper()
		sets, ok, err := s.textSets(t.Context(), filter.Text{Value: "old"})
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		return sets
	}
	follow := func() {
		t.Helper()
		if ok, err := s.upToDate(t.Context()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	sets := found()
	judge(t, s, "ann", review.Approved, id)
	if follow(); !s.library.texts.hold(sets) {
		t.Error("a verdict has moved what was found")
	}
	rewrite(t, s, talk(4, "other"), id)
	if follow(); s.library.texts.hold(sets) {
		t.Error("what was found is said to be there, when another segment has its place")
	}
	sets = found()
	s.library.forget()
	if err := s.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.library.texts.hold(sets) {
		t.Error("slots are said to be the same after all was loaded anew")
	}
}

func TestAProcessThatWritesOnceForgetsOldChanges(t *testing.T) {
	s := openTemp(t)
	err := s.write(t.Context(), sqlite.Curator, "change", func(tx *tx) error {
		const text = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO segment_changes (row) SELECT 1 FROM n`
		_, err := tx.Exec(text, keptChanges+2*trimStep)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, write("/a", talk(2, "x")))
	s.background.Wait()
	first, last, err := s.changesKept(t.Context())
	if err != nil || last-first >= keptChanges+trimStep || last-first < keptChanges-1 {
		t.Fatal(first, last, err)
	}
}

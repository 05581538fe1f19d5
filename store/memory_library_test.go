package store

import (
	"testing"

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
	if err := s.Warm(t.Context()); err != nil || !s.facets.Loaded() {
		t.Fatal("nothing is loaded", err)
	}
	if ok, err := s.facets.Ready(t.Context()); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if c, ok, err := s.facets.Count(t.Context(), nil); !ok || c.Segments != 48 {
		t.Errorf("%d segments are loaded, %v", c.Segments, err)
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
	first, last, err := feed{s}.Kept(t.Context())
	if err != nil || last-first >= keptChanges+trimStep || last-first < keptChanges-1 {
		t.Fatal(first, last, err)
	}
}

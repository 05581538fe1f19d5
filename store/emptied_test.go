package store

import (
	"errors"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// TestASessionWhoseSegmentsWentElsewhereLeaves although others are copies of it:
// those are read again.
func TestASessionWhoseSegmentsWentElsewhereLeaves(t *testing.T) {
	s := openTemp(t)
	main, branch := talk(4, "main"), talk(4, "branch")
	put(t, s, write("/a", main))
	moved := put(t, s, write("/a#b=x", branch))[0]
	put(t, s, write("/other", talk(2, "other")))
	change(t, s.Path(), "INSERT INTO copies SELECT (SELECT id FROM sources WHERE path = '/other'), 'k', id, 4 FROM trajectory_records WHERE session_file = '/a#b=x'")
	change(t, s.Path(), "UPDATE sources SET copies = 1 WHERE path = '/other'")
	from, err := s.LoadSession(t.Context(), "default", "/a#b=x")
	if err != nil {
		t.Fatal(err)
	}

	all := append(main, branch...)
	for i := range all {
		all[i].N = i + 1
	}
	last := seg(all, 5, 8, 1)
	last.ID = moved
	w := grow(t, s, "/a", all, last)
	w.Leave = []string{from.ID}
	put(t, s, w)
	if _, err := s.SessionByID(t.Context(), from.ID); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("a session without segments is there: %v", err)
	}
	if got := segment(t, s, moved); got.SessionFile != "/a" || got.Start != 5 {
		t.Errorf("%+v", got)
	}
	sources, err := s.Sources(t.Context(), "default")
	if err != nil || sources["/other"].Proof != (hub.Proof{}) || sources["/other"].Copies != 0 {
		t.Errorf("the copy is not read again: %+v, %v", sources["/other"], err)
	}
	s.background.Wait()
	clean(t, s)
}

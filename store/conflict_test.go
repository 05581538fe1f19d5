package store

import (
	"errors"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// TestWriteFromAnotherBaseIsAConflict: an import that goes on from a place
// where its source no longer is stores nothing.
func TestWriteFromAnotherBaseIsAConflict(t *testing.T) {
	s := openTemp(t)
	first := write("/a", talk(4, "x"))
	first.Base = &hub.Base{} // no stored source
	put(t, s, first)
	// Without sessions nothing else can be in conflict.
	again, elsewhere := write("/a", talk(1, "y")), write("/a", talk(1, "y"))
	again.Sessions, elsewhere.Sessions = nil, nil
	again.Base = &hub.Base{}
	other := hub.BaseOf(&first.Source.State)
	other.Offset++
	elsewhere.Base = &other
	beside := write("/b", talk(2, "z"))
	for _, w := range []hub.ImportWrite{again, elsewhere} {
		if _, err := s.WriteImport(t.Context(), []hub.ImportWrite{beside, w}); !errors.Is(err, review.ErrConflict) {
			t.Fatalf("error %v", err)
		}
	}
	if list, err := s.SourceList(t.Context(), "", 10); err != nil || len(list) != 1 {
		t.Errorf("%d sources, %v: a refused transaction left something", len(list), err)
	}
	from := hub.BaseOf(&first.Source.State)
	again.Base = &from
	put(t, s, again)
	clean(t, s)
}

// TestWriteOverANewVerdictIsAConflict: what a curator has judged since the
// import read it is neither changed nor retired.
func TestWriteOverANewVerdictIsAConflict(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/a", talk(4, "x")))[0]
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved}); err != nil {
		t.Fatal(err)
	}
	w := write("/a", talk(4, "y"))
	sw := &w.Sessions[0]
	sw.NewBody, sw.Retire = true, []string{id}
	sw.Verdicts = map[string]review.Verdict{id: review.Pending}
	if _, err := s.WriteImport(t.Context(), []hub.ImportWrite{w}); !errors.Is(err, review.ErrConflict) {
		t.Fatalf("error %v", err)
	}
	if got := segment(t, s, id); got.Verdict != review.Approved || got.Stale {
		t.Errorf("%s, stale %v", got.Verdict, got.Stale)
	}
	sw.Verdicts[id] = review.Approved // the writer has looked again
	put(t, s, w)
	clean(t, s)
}

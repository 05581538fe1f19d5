package store

import (
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// TestAnImportOfNoMessageLeavesCutsAlone: an import that read a session before
// it was cut may write its title afterwards. What it knows of the segments is
// outdated by then, how much of the last one may still change above all.
func TestAnImportOfNoMessageLeavesCutsAlone(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(8, "x"), 3)
	before, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	row := before.Session
	row.Title = "a title"
	late := hub.ImportWrite{
		Source:   hub.Source{AgentID: row.AgentID, Path: "/a", Sessions: 1},
		Sessions: []hub.SessionWrite{{Session: row, Trail: before.Trail, KeepTo: row.Messages}},
	}
	for _, cut := range []func(){
		func() { byHand(t, s, c, "ann", review.ActSplit, ends(7, 8)) },
		func() { undo(t, s, "ann"); byMachine(t, s, c, ends(7, 8)) },
	} {
		cut()
		want, err := s.SessionByID(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, late)
		got, err := s.SessionByID(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		if got.Held != 1 || got.Trail != want.Trail || got.Segmented != want.Segmented || got.Title != "a title" {
			t.Errorf("%d held, %+v, cut %t, title %q; was %+v, cut %t", got.Held, got.Trail, got.Segmented, got.Title, want.Trail, want.Segmented)
		}
		clean(t, s)
	}
}

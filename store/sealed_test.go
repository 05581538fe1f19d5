package store

import (
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
)

func TestSealed(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	seals := func(want ...*chat.Message) {
		t.Helper()
		got, err := s.Sealed(t.Context())
		if err != nil || len(got) != len(want) {
			t.Errorf("%d are sealed, want %d: %v", len(got), len(want), err)
		}
		for _, m := range want {
			if !got[graph.SayingOf(m)] {
				t.Errorf("%q is not sealed", m.Content)
			}
		}
	}
	first := nowAt(t, s, session, 1)
	amend(t, s, "ann", says(t, s, session, 1, "I am Ann", edit.Fix))
	fixed := nowAt(t, s, session, 1)
	seals()
	amend(t, s, "ann", says(t, s, session, 1, "I am [name]", edit.Redact))
	seals(&first, &fixed)
	amend(t, s, "ann", says(t, s, session, 1, "I am somebody", edit.Fix)) // what was taken out stays so
	seals(&first, &fixed)
	amend(t, s, "ann", says(t, s, session, 5, "[gone]", edit.Redact))
	undo(t, s, "ann")
	undo(t, s, "ann")
	undo(t, s, "ann")
	seals()
	redo(t, s, "ann")
	seals(&first, &fixed)
	clean(t, s)
}

package store

import (
	"errors"
	"testing"

	"winnow/core/edit"
	"winnow/core/review"
)

// TestARevertIsForWhatWasSeen: what another curator changes after the changes were
// found out is not overwritten.
func TestARevertIsForWhatWasSeen(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	e := amend(t, s, "ann", says(t, s, session, 2, "two", edit.Fix), drops(session, 3, edit.Fix), says(t, s, session, 4, "four", edit.Fix))
	amend(t, s, "ann", says(t, s, session, 2, "zwei", edit.Fix), review.EditChange{Session: session, N: 3}, drops(session, 4, edit.Fix))
	for name, theirs := range map[string]review.EditChange{
		"edited":      says(t, s, session, 2, "deux", edit.Fix),
		"as recorded": says(t, s, session, 3, "trois", edit.Fix),
		"dropped":     {Session: session, N: 4},
	} {
		changes, err := s.RevertTo(t.Context(), session, e.ID)
		if err != nil || len(changes) != 3 {
			t.Fatal(changes, err)
		}
		amend(t, s, "ben", theirs)
		if _, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: changes}); !errors.Is(err, review.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
		undo(t, s, "ben")
	}
	changes, err := s.RevertTo(t.Context(), session, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	amend(t, s, "ann", changes...)
	clean(t, s)
}

package store

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
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

func TestTakenOut(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, put(t, s, write("/numbers", talk(6, "my number is 5550")))[0])
	taken := func(want ...string) {
		t.Helper()
		for range 2 { // what is remembered is the same
			replaced, dropped, err := s.TakenOut(t.Context())
			got := slices.Concat(replaced, dropped)
			if slices.Sort(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("taken out %q, want %q: %v", got, want, err)
			}
		}
	}
	was := nowAt(t, s, session, 1).Content
	taken()
	amend(t, s, "ann", says(t, s, session, 1, "[gone]", edit.Redact), says(t, s, session, 2, "another text", edit.Fix))
	taken(was)
	dropped := nowAt(t, s, session, 5).Content
	amend(t, s, "ann", drops(session, 5, edit.Redact))
	taken(was, dropped)
	undo(t, s, "ann")
	undo(t, s, "ann")
	taken()
	redo(t, s, "ann")
	taken(was)
	amend(t, s, "ann", says(t, s, session, 1, was+" [more]", edit.Redact)) // nothing of it is gone
	taken()
	text := planOf(t, s, takenSQL)
	if !strings.Contains(text, "edits_redacted") || strings.Contains(text, "TEMP B-TREE") {
		t.Errorf("plan %s", text)
	}
}

// TestTakenOutOfWhatWasFixed: what a curator mended is not what a redaction took out
// after it, nor is what is written over it later; what was recorded again is no more.
func TestTakenOutOfWhatWasFixed(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, put(t, s, write("/numbers", talk(6, "your order is on its way to")))[0])
	taken := func(want ...string) {
		t.Helper()
		got, _, err := s.TakenOut(t.Context())
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("taken out %q, want %q: %v", got, want, err)
		}
	}
	amend(t, s, "ann", says(t, s, session, 1, "it goes to Zebulon99 now", edit.Fix))
	taken()
	amend(t, s, "ann", says(t, s, session, 1, "it goes to [name] now", edit.Redact))
	taken("Zebulon99")
	amend(t, s, "ann", says(t, s, session, 1, "quite another and longer text", edit.Fix))
	taken("Zebulon99")
	amend(t, s, "ann", says(t, s, session, 1, "Zebulon99 after all", edit.Fix)) // put back
	taken()
	amend(t, s, "ann", review.EditChange{Session: session, N: 1})
	taken()
	amend(t, s, "ann", says(t, s, session, 2, "ask Zebulon99, or Zebulon99", edit.Fix))
	amend(t, s, "ann", says(t, s, session, 2, "ask [name], or Zebulon99", edit.Redact)) // the other one still says it
	taken("Zebulon99")
	if text := planOf(t, s, takenStepsSQL, 1, 1); !strings.Contains(text, "journal_edits_place") {
		t.Errorf("plan %s", text)
	}
}

package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
)

// textsAt are the contents of a session as it was after an entry.
func textsAt(t testing.TB, s *Store, session string, entry int64) (list []string) {
	t.Helper()
	err := s.EachAt(t.Context(), session, entry, 1, maxMessages, func(m *chat.Message) error {
		list = append(list, fmt.Sprintf("%d.%d %s", m.N, m.Part, m.Content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func textsNow(t testing.TB, s *Store, session string) (list []string) {
	t.Helper()
	st, err := s.Session(t.Context(), session)
	if err == nil {
		err = s.EachMessage(t.Context(), st.Body, 1, maxMessages, func(m *chat.Message) error {
			list = append(list, fmt.Sprintf("%d.%d %s", m.N, m.Part, m.Content))
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestVersionsAreWhatWasThere edits, undoes and redoes at random: the session at an
// entry is what was seen after it, and a revert leads there.
func TestVersionsAreWhatWasThere(t *testing.T) {
	for seed := range uint64(40 / slower) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := openTemp(t)
		session := sessionOf(t, s, four(t, s)[0])
		seen := map[int64][]string{0: textsNow(t, s, session)}
		for i := range 14 {
			who := []string{"ann", "ben"}[r.IntN(2)]
			var e review.Entry
			var err error
			switch r.IntN(5) {
			case 0:
				e, err = s.Undo(t.Context(), who)
			case 1:
				e, err = s.Redo(t.Context(), who)
			default:
				e, err = s.Edit(t.Context(), review.Editing{Curator: who, Changes: someChanges(r, session, i)})
			}
			for _, fine := range []error{review.ErrNothing, review.ErrConflict, review.ErrNotFound} {
				if errors.Is(err, fine) {
					err, e.ID = nil, 0
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.ID != 0 {
				seen[e.ID] = textsNow(t, s, session)
			}
		}
		list, recorded, err := s.Versions(t.Context(), session)
		if err != nil || recorded.Answers != 8 || recorded.Sampled != 8 {
			t.Fatal(recorded, err)
		}
		if len(list) != len(seen)-1 {
			t.Fatalf("%d versions, want %d", len(list), len(seen)-1)
		}
		ids := []int64{0}
		for _, v := range list {
			ids = append(ids, v.Entry)
			if v.Lost != "" || v.By == "" || v.At.IsZero() {
				t.Fatalf("%+v", v)
			}
		}
		for _, id := range ids {
			if got := textsAt(t, s, session, id); !slices.Equal(got, seen[id]) {
				t.Fatalf("seed %d: @%d is %q, want %q", seed, id, got, seen[id])
			}
		}
		id := ids[r.IntN(len(ids))]
		changes, err := s.RevertTo(t.Context(), session, id)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) > 0 {
			amend(t, s, "cyn", changes...)
		}
		if got := textsNow(t, s, session); !slices.Equal(got, seen[id]) {
			t.Fatalf("seed %d: reverted to @%d %q, want %q", seed, id, got, seen[id])
		}
		if again, err := s.RevertTo(t.Context(), session, id); err != nil || len(again) > 0 {
			t.Fatalf("seed %d: reverted twice: %v, %v", seed, again, err)
		}
	}
}

// someChanges are some at once.
func someChanges(r *rand.Rand, session string, i int) (list []review.EditChange) {
	for _, n := range r.Perm(16)[:1+r.IntN(3)] {
		c := review.EditChange{Session: session, N: n + 1, Op: edit.Set, Why: edit.Fix}
		c.Message = chat.Message{Role: []chat.Role{chat.User, chat.Assistant}[n%2], Content: fmt.Sprint("edit ", i, n)}
		switch r.IntN(8) {
		case 0:
			c.Op, c.Message = "", chat.Message{}
		case 1:
			c.Op, c.Message = edit.Drop, chat.Message{}
		case 2:
			c.Op = edit.Add
		case 3:
			c.Why = edit.Redact
		}
		list = append(list, c)
	}
	return list
}

// TestVersionsOfWhatAnImportWrote: entries about former messages are told, and refuse.
func TestVersionsOfWhatAnImportWrote(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", entry("1", "", "user", "one"), entry("2", "1", "assistant", "two"), entry("3", "2", "user", "three"))
	f.load()
	session := f.sessions()["a.jsonl"].ID
	first := amend(t, f.s, "ann", says(t, f.s, session, 1, "mine", edit.Fix))
	f.save("a.jsonl", entry("0", "", "user", "zero"), entry("1", "0", "user", "one"), entry("2", "1", "assistant", "two"), entry("3", "2", "user", "three"))
	f.load()
	if now, _ := texts(t, f.s, session); !slices.Equal(now, []string{"zero", "mine", "two", "three"}) {
		t.Fatalf("%q", now)
	}
	second := amend(t, f.s, "ann", says(t, f.s, session, 3, "yours", edit.Fix))
	list, _, err := f.s.Versions(t.Context(), session)
	if err != nil || len(list) != 2 || list[0].Lost == "" || list[1].Lost != "" {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := f.s.RevertTo(t.Context(), session, first.ID); err == nil || !strings.Contains(err.Error(), "wrote the session anew since") {
		t.Errorf("%v", err)
	}
	if got := textsAt(t, f.s, session, second.ID); !slices.Equal(got, textsNow(t, f.s, session)) {
		t.Errorf("%q", got)
	}
	if got := textsAt(t, f.s, session, 0); got[1] != "2.0 one" {
		t.Errorf("%q", got)
	}
	changes, err := f.s.RevertTo(t.Context(), session, 0, 3)
	if err != nil || len(changes) != 1 || changes[0].N != 3 || changes[0].Op != "" {
		t.Errorf("%+v, %v", changes, err)
	}
}

// Versions and what begins alike are found by indexes.
func TestVersionsUseIndexes(t *testing.T) {
	s := openTemp(t)
	mixed(t, s, 20)
	for text, args := range map[string][]any{stepsSQL: {"x", 1}, sessionEditsSQL: {"x", 1}, sameOpeningSQL: {5, "x", 9}} {
		steps := planOf(t, s, text, args...)
		for step := range strings.Lines(steps) {
			if strings.Contains(step, "SCAN j") || strings.Contains(step, "SCAN t") {
				t.Errorf("%s:\n%s", text, steps)
			}
		}
	}
}

func TestSameOpening(t *testing.T) {
	f := newFolder(t)
	f.save("a.jsonl", entry("1", "", "user", "one"), entry("2", "1", "assistant", "two"))
	f.save("b.jsonl", strings.Replace(entry("7", "", "user", "one"), `"sessionId":"s"`, `"sessionId":"t"`, 1), strings.Replace(entry("8", "7", "assistant", "else"), `"sessionId":"s"`, `"sessionId":"t"`, 1))
	f.load()
	all := f.sessions()
	of := all["a.jsonl"]
	list, err := f.s.SameOpening(context.Background(), &of, 5)
	if err != nil || len(list) != 1 || list[0].ID != all["b.jsonl"].ID {
		t.Errorf("%d, %v, of %d", len(list), err, len(all))
	}
}

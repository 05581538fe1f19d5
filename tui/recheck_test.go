package tui

import (
	"context"
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screens/recheck"
)

// fakeRechecks keep answers by segment.
type fakeRechecks map[string]review.Verdict

func (f fakeRechecks) Answer(_ context.Context, s *review.Segment, v review.Verdict) error {
	if v == "" {
		delete(f, s.ID)
	} else {
		f[s.ID] = v
	}
	return nil
}

// recheckOf starts a recheck of the judged segments of a library among others.
func recheckOf(t *testing.T, lib *fakeLibrary, w, h int) (*harness, fakeRechecks) {
	t.Helper()
	kept := fakeRechecks{}
	r := &recheck.Sample{Answer: kept.Answer, Seed: 7}
	for _, s := range lib.segments {
		if s.Verdict.Judged() {
			r.Decided = append(r.Decided, s)
		} else {
			r.Pending = append(r.Pending, s.ID)
		}
	}
	return start(t, lib, w, h, func(o *Options) { o.Recheck = r }), kept
}

// decidedLibrary has six segments, four of them judged, with notes and tags.
func decidedLibrary() *fakeLibrary {
	lib := small(6)
	for i, v := range []review.Verdict{review.Approved, review.Rejected, review.Approved, review.Unsure} {
		s := &lib.segments[i]
		s.Verdict, s.Reviewer, s.ReviewedAt, s.Note, s.Tags = v, "ann", someday, "secret note", []string{"secret-tag"}
		s.Topic = "Decided " + string(rune('A'+i))
	}
	return lib
}

// answer judges the selected segment: as it was if its letter is in same, else
// otherwise.
func (x *harness) answer(same string) {
	x.t.Helper()
	s := x.app.List.Selected()
	old := x.lib.find(s.ID).Verdict
	key := "a"
	if letter, ok := strings.CutPrefix(s.Topic, "Decided "); ok {
		keys := map[review.Verdict]string{review.Approved: "a", review.Rejected: "r", review.Unsure: "f"}
		if key = keys[old]; !strings.Contains(same, letter) {
			key = map[string]string{"a": "r", "r": "a", "f": "r"}[key]
		}
	}
	x.press(key)
}

func TestRecheckHidesWhatWasDecided(t *testing.T) {
	lib := decidedLibrary()
	x, kept := recheckOf(t, lib, 200, 24)
	for _, keys := range []string{"j", "j", "j", "j", "j", "g", "tab", "tab", "n", "t", "S", "e", "b", "/", "1", "W", "]", "s", "H", "L", "u", "A", "Z", ":"} {
		x.press(keys)
		if got := x.screen(); strings.Contains(got, "secret") || strings.Contains(got, "by ann") || !strings.Contains(got, "0 approved") || !strings.Contains(got, "0% done") {
			t.Fatalf("%s tells:\n%s", keys, got)
		}
	}
	if x.app.Context()&keys.InSegment == 0 {
		t.Fatalf("in %b", x.app.Context())
	}
	x.press("g")
	for range 6 {
		x.answer("ABCD")
	}
	if len(kept) != 4 || len(lib.journal) != 2 {
		t.Errorf("%d answers, %d entries", len(kept), len(lib.journal))
	}
	x.wants("Agreed on 4 of 4 (100%), kappa 1.00", "approved: 2 of 2")
	x.press("a")
	x.wants("every answer agrees with its verdict")
	x.press("q")
	if !x.quit {
		t.Error("it stays")
	}
}

func TestRecheckTellsWhereOneSaysSomethingElse(t *testing.T) {
	lib := decidedLibrary()
	x, _ := recheckOf(t, lib, 100, 24)
	for range 6 {
		x.answer("A")
	}
	x.wants("Agreed on 1 of 4 (25%)", "approved: 1 of 2, 1 rejected", "✗ → ✓", "✓ → ✗", "◐ → ✗", "was rejected by ann", "secret note")
	if got := []review.Verdict{lib.verdictOf(1), lib.verdictOf(2), lib.verdictOf(3)}; got[0] != review.Rejected || got[1] != review.Approved || got[2] != review.Unsure {
		t.Errorf("answers changed verdicts: %v", got)
	}
	x.press("a j enter")
	x.wants("approved taken", "rejected taken", "approved stays")
	if lib.verdictOf(1) != review.Approved || lib.verdictOf(3) != review.Rejected {
		t.Errorf("taken: %v %v", lib.verdictOf(1), lib.verdictOf(3))
	}
	x.press("u")
	if lib.verdictOf(3) != review.Unsure || strings.Contains(x.screen(), "rejected taken") {
		t.Errorf("undone: %v\n%s", lib.verdictOf(3), x.screen())
	}
}

func TestAnswersAreUndoneInTheirTurn(t *testing.T) {
	lib := decidedLibrary()
	x, kept := recheckOf(t, lib, 120, 24)
	x.press("u")
	x.wants("nothing to undo")
	lib.journal = append(lib.journal, review.Entry{Changes: []review.Change{{Segment: lib.segments[0].ID}}}) // of another run
	var order []string
	for range 4 {
		order = append(order, x.selected())
		x.press("r")
	}
	for i := 3; i >= 0; i-- {
		x.press("u")
		if got := x.selected(); got != order[i] {
			t.Errorf("undo goes to %s, not to %s", got, order[i])
		}
		x.wants("rejection undone: pending again")
	}
	x.wants("0 rejected")
	x.press("u")
	x.wants("nothing to undo")
	if len(kept) != 0 || len(lib.journal) != 1 {
		t.Errorf("%v, %d entries", kept, len(lib.journal))
	}
	x.press("U U U U U")
	x.wants("4 rejected", "nothing to redo")
}

func TestLeavingARecheckTellsWhatThereIs(t *testing.T) {
	x, _ := recheckOf(t, decidedLibrary(), 120, 24)
	for x.app.List.Selected() != nil && !strings.HasPrefix(x.app.List.Selected().Topic, "Decided") {
		x.press("a")
	}
	x.press("a q")
	x.wants("of 1 (", "3 segments not answered")
	x.press("ctrl+c")
	if !x.quit {
		t.Error("it stays")
	}
	y, _ := recheckOf(t, decidedLibrary(), 120, 24)
	y.press("q")
	if !y.quit {
		t.Error("nothing was answered, and it stays")
	}
}

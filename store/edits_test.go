package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/store/sqlite"
	"winnow/store/stamp"
)

// says is a change of one message of a session to another text of the same role.
func says(t testing.TB, s *Store, session string, n int, text string, why edit.Why) review.EditChange {
	t.Helper()
	m := nowAt(t, s, session, n)
	seen := chat.SumOf(&m)
	m.Content = text
	return review.EditChange{Session: session, N: n, Op: edit.Set, Why: why, Message: m, Seen: &seen}
}

// nowAt is a message as it is now.
func nowAt(t testing.TB, s *Store, session string, n int) chat.Message {
	t.Helper()
	st, err := s.SessionByID(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Messages(t.Context(), st.Body, n, n)
	list = slices.DeleteFunc(list, func(m chat.Message) bool { return m.N != n || m.Part > 0 })
	if err != nil || len(list) != 1 {
		t.Fatalf("message %d: %d, %v", n, len(list), err)
	}
	return list[0]
}

func amend(t testing.TB, s *Store, curator string, changes ...review.EditChange) review.Entry {
	t.Helper()
	e, err := s.Edit(t.Context(), review.Editing{Curator: curator, Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// texts are the contents of a session, as they are now and as they were recorded.
func texts(t testing.TB, s *Store, session string) (now, recorded []string) {
	t.Helper()
	st, err := s.SessionByID(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	err = s.EachMessage(t.Context(), st.Body, 1, st.Messages, func(m *chat.Message) error { now = append(now, m.Content); return nil })
	if err == nil {
		err = s.EachRecorded(t.Context(), st.Body, 1, st.Messages, func(m *chat.Message) error { recorded = append(recorded, m.Content); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	return now, recorded
}

func sessionOf(t testing.TB, s *Store, id string) string {
	t.Helper()
	return segment(t, s, id).SessionID
}

func TestAnEditIsSeenAndTheRecordedMessageStays(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	before := segment(t, s, ids[1])
	e := amend(t, s, "ann", says(t, s, session, 6, "mended", edit.Fix))
	if e.ID == 0 || e.Action != review.ActEdit || len(e.Changes) != 1 || e.Changes[0].Segment != ids[1] || len(e.Edits) != 1 {
		t.Errorf("entry %+v", e)
	}
	now, recorded := texts(t, s, session)
	if now[5] != "mended" || recorded[5] != "x 6" || now[4] != recorded[4] {
		t.Errorf("now %q, recorded %q", now, recorded)
	}
	m := nowAt(t, s, session, 6)
	if m.SourceLine != 6 || m.Reasoning != "because" || len(m.ToolCalls) != 1 {
		t.Errorf("message %+v", m)
	}
	after := segment(t, s, ids[1])
	if after.Edited == "" || after.Fingerprint != before.Fingerprint || after.Detail != before.Detail {
		t.Errorf("digest %+v, was %+v", after.Digest, before.Digest)
	}
	heads, err := s.Heads(t.Context(), after.Body, 5, 7)
	if err != nil || len(heads) != 3 || heads[1].ContentLen != len("mended") || heads[1].SourceLine != 6 || heads[2].ContentLen != len("x 7")+len("error: no such file")-len("x 7") {
		t.Errorf("heads %+v %v", heads, err)
	}
	clean(t, s)
	undo(t, s, "ann")
	if got := segment(t, s, ids[1]); got.Digest != before.Digest {
		t.Errorf("digest %+v, was %+v", got.Digest, before.Digest)
	}
	if now, recorded := texts(t, s, session); !slices.Equal(now, recorded) {
		t.Errorf("now %q", now)
	}
	clean(t, s)
	redo(t, s, "ann")
	if got := segment(t, s, ids[1]); got.Digest != after.Digest {
		t.Errorf("digest %+v, was %+v", got.Digest, after.Digest)
	}
	clean(t, s)
}

func TestAFixMakesAVerdictStaleAndARedactionDoesNot(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	judge(t, s, "bob", review.Approved, ids[0], ids[1])
	amend(t, s, "ann", says(t, s, session, 2, "fixed", edit.Fix), says(t, s, session, 5, "[name]", edit.Redact))
	fixed, redacted := segment(t, s, ids[0]), segment(t, s, ids[1])
	if fixed.Verdict != review.Pending || !fixed.Stale || fixed.Was != review.Approved || fixed.WasBy != "bob" {
		t.Errorf("fixed %+v", fixed)
	}
	if redacted.Verdict != review.Approved || redacted.Stale || redacted.Edited == "" {
		t.Errorf("redacted %+v", redacted)
	}
	clean(t, s)
	judge(t, s, "ann", fixed.Was, ids[0]) // as = does
	if got := segment(t, s, ids[0]); got.Verdict != review.Approved || got.Stale || got.Edited != fixed.Edited {
		t.Errorf("given again %+v", got)
	}
	clean(t, s)
	undo(t, s, "ann")
	undo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "aapp" {
		t.Errorf("verdicts %s", got)
	}
	if got := segment(t, s, ids[0]); got.Reviewer != "bob" || got.Stale || got.Edited != "" {
		t.Errorf("taken back %+v", got)
	}
	clean(t, s)
	redo(t, s, "ann")
	redo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "aapp" || segment(t, s, ids[0]).Reviewer != "ann" {
		t.Errorf("verdicts %s", got)
	}
	clean(t, s)
}

func TestAVerdictIsForTheTextThatWasSeen(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	seen := segment(t, s, ids[0]).Digest
	amend(t, s, "ann", says(t, s, session, 2, "fixed", edit.Fix))
	_, err := s.Judge(t.Context(), review.Judgement{Curator: "bob", IDs: ids[:1], Verdict: review.Approved, Seen: map[string]chat.Digest{ids[0]: seen}})
	refused(t, err, "segment "+review.Short(ids[0])+" changed while you were reading it: look again")
}

func TestAnUndoOfAnEditGivesNoVerdictOntoAnotherText(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	judge(t, s, "ann", review.Approved, ids[0])
	amend(t, s, "ann", says(t, s, session, 2, "fixed", edit.Fix))
	e := amend(t, s, "bob", says(t, s, session, 4, "and this", edit.Fix))
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(ids[0])+" got other messages since")
	undo(t, s, "bob")
	if got := segment(t, s, ids[0]); !got.Stale || got.Edited == "" {
		t.Errorf("%+v", got)
	}
	amend(t, s, "bob", says(t, s, session, 2, "better", edit.Fix))
	if _, err = s.UndoEntry(t.Context(), "bob", e.ID); !errors.Is(err, review.ErrConflict) {
		t.Errorf("undone twice: %v", err)
	}
	clean(t, s)
}

func TestAnEditOnTopIsNamed(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	first := amend(t, s, "ann", says(t, s, session, 2, "fixed", edit.Fix))
	top := amend(t, s, "bob", says(t, s, session, 2, "better", edit.Fix))
	_, err := s.UndoEntry(t.Context(), "ann", first.ID)
	refused(t, err, fmt.Sprintf("message 2 was edited by bob since, with entry %[1]d: entry %[1]d by bob changed it since", top.ID))
	_, err = s.Undo(t.Context(), "ann")
	refused(t, err, fmt.Sprintf("message 2 was edited by bob since, with entry %d", top.ID))
	undo(t, s, "bob")
	if now, _ := texts(t, s, session); now[1] != "fixed" {
		t.Errorf("now %q", now)
	}
	clean(t, s)
}

func TestTwoCuratorsOnOneMessage(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	mine, theirs := says(t, s, session, 2, "mine", edit.Fix), says(t, s, session, 2, "theirs", edit.Fix)
	amend(t, s, "bob", theirs)
	_, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: []review.EditChange{says(t, s, session, 1, "first", edit.Fix), mine}})
	refused(t, err, "message 2: it was changed while you were editing it: look again")
	if now, _ := texts(t, s, session); now[0] != "x 1" || now[1] != "theirs" {
		t.Errorf("now %q", now)
	}
}

func TestWhatChangesNothingIsNoEdit(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	session := sessionOf(t, s, ids[0])
	judge(t, s, "ann", review.Approved, ids[0])
	if e := amend(t, s, "ann", says(t, s, session, 2, "x 2", edit.Fix)); e.ID != 0 {
		t.Errorf("entry %+v", e)
	}
	if e := amend(t, s, "ann", review.EditChange{Session: session, N: 2}); e.ID != 0 {
		t.Errorf("entry %+v", e)
	}
	amend(t, s, "ann", says(t, s, session, 2, "y", edit.Fix))
	if e := amend(t, s, "ann", says(t, s, session, 2, "y", edit.Fix)); e.ID != 0 {
		t.Errorf("entry %+v", e)
	}
	amend(t, s, "ann", says(t, s, session, 2, "x 2", edit.Fix)) // typed back
	if list, err := s.Edits(t.Context(), segment(t, s, ids[0]).Body, 1, 99); err != nil || len(list) > 0 {
		t.Errorf("%d edits, %v", len(list), err)
	}
	if got := segment(t, s, ids[0]); got.Edited != "" || !got.Stale {
		t.Errorf("%+v", got)
	}
	undo(t, s, "ann")
	undo(t, s, "ann")
	if got := segment(t, s, ids[0]); got.Edited != "" || got.Verdict != review.Approved {
		t.Errorf("%+v", got)
	}
	clean(t, s)
}

func TestEditRefuses(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	ok := says(t, s, session, 2, "fixed", edit.Fix)
	bad := func(f func(c *review.EditChange)) review.EditChange { c := ok; f(&c); return c }
	for want, list := range map[string][]review.EditChange{
		"edit: an edit of nothing": nil,
		"message 17: not found: session " + review.Short(session) + " has 16": {bad(func(c *review.EditChange) { c.N = 17 })},
		`session "none": not found`:                                                       {bad(func(c *review.EditChange) { c.Session = "none" })},
		"edit: message 2 is to be changed twice at once":                                  {ok, ok},
		`edit: message 2: "robot" is no role; there are system, user, assistant and tool`: {bad(func(c *review.EditChange) { c.Message.Role = "robot" })},
	} {
		_, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Changes: list})
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := s.Edit(t.Context(), review.Editing{Changes: []review.EditChange{ok}}); err == nil {
		t.Error("an edit by nobody")
	}
	clean(t, s)
}

func TestEditsOfAnEntry(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	e := amend(t, s, "ann", says(t, s, session, 2, "fixed", edit.Fix), says(t, s, session, 9, "[name]", edit.Redact))
	got, err := s.EditsOf(t.Context(), &e)
	if err != nil || !reflect.DeepEqual(got, e.Edits) || len(got) != 2 || got[0].After.Message.Content != "fixed" || got[0].Before != nil {
		t.Errorf("%+v %v, want %+v", got, err, e.Edits)
	}
	back, err := s.Undo(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if got, err = s.EditsOf(t.Context(), &back); err != nil || !reflect.DeepEqual(got, back.Edits) || got[0].Before == nil || got[0].After != nil {
		t.Errorf("%+v %v, want %+v", got, err, back.Edits)
	}
}

func TestWhoEditedWhenAndWhatFor(t *testing.T) {
	s := openTemp(t)
	session := sessionOf(t, s, four(t, s)[0])
	st, err := s.SessionByID(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	amend(t, s, "ben", says(t, s, session, 2, "b", edit.Fix))
	const note = "the sum\x1b[2J was wrong"
	e, err := s.Edit(t.Context(), review.Editing{Curator: "ann", Note: note, Changes: []review.EditChange{says(t, s, session, 5, "a", edit.Redact)}})
	if err != nil || e.Note != note {
		t.Fatalf("%+v, %v", e, err)
	}
	by, err := s.EditedBy(t.Context(), st.Body, 1, st.Messages)
	want := review.EditedBy{N: 5, Op: edit.Set, Why: edit.Redact, By: "ann", At: e.At, Entry: e.ID}
	if err != nil || len(by) != 2 || by[1] != want || by[0].Entry != e.ID-1 {
		t.Errorf("edited by %+v, want %+v as the last (%v)", by, want, err)
	}
	undo(t, s, "ann")
	page, err := s.JournalPage(t.Context(), review.JournalQuery{Limit: 9})
	var notes []string
	for _, e := range page.Entries {
		notes = append(notes, e.Note)
	}
	if err != nil || !slices.Equal(notes, []string{"", note, ""}) {
		t.Errorf("notes %q, %v", notes, err)
	}
}

func TestBoundariesOfWhatIsEdited(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(12, "x"), 1, 4)
	rows, err := s.SegmentsOf(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	judge(t, s, "ann", review.Approved, rows[1].ID)
	amend(t, s, "ann", says(t, s, c.id, 10, "mended", edit.Fix), says(t, s, c.id, 2, "[name]", edit.Redact))
	judge(t, s, "ann", review.Approved, rows[1].ID)
	before := dump(t, s, c.id)
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 8, 12))
	if rows, err = s.SegmentsOf(t.Context(), c.id); err != nil || len(rows) != 3 || rows[0].Edited == "" || rows[1].Edited != "" || rows[2].Edited == "" {
		t.Errorf("%+v %v", rows, err)
	}
	clean(t, s)
	undo(t, s, "ann")
	if after := dump(t, s, c.id); after != before {
		t.Errorf("taken back\n%s\nwas\n%s", after, before)
	}
	clean(t, s)
	redo(t, s, "ann")
	clean(t, s)
	undo(t, s, "ann")
	undo(t, s, "ann")
	undo(t, s, "ann")
	if rows, err = s.SegmentsOf(t.Context(), c.id); err != nil || rows[1].Edited != "" || rows[1].Verdict != review.Approved {
		t.Errorf("%+v %v", rows, err)
	}
	clean(t, s)
}

// TestEditedSegmentsAreListed: has:edit finds what holds changed messages, in SQL and
// in memory, from the edit to its undo.
func TestEditedSegmentsAreListed(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	listed := func(when string, want ...string) {
		t.Helper()
		for _, warm := range []bool{false, true} {
			page, err := s.Segments(t.Context(), review.Query{Filter: review.Has("edit"), Limit: 9})
			var got []string
			for i := range page.Segments {
				got = append(got, page.Segments[i].ID)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, warm %v: %q, want %q, %v", when, warm, got, want, err)
			}
			if err := s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	listed("at first")
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 6, "mended", edit.Fix))
	listed("edited", ids[1])
	if _, err := s.Undo(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	listed("undone")
}

// TestSegmentsAreListedByWhatEditsAreFor: edit: finds them in SQL and in memory, from
// the edit to its undo, and an edit that waits as a clash alone.
func TestSegmentsAreListedByWhatEditsAreFor(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	listed := func(when string, want map[string]string) {
		t.Helper()
		for _, warm := range []bool{false, true} {
			for _, value := range []string{"fix", "redact", "squash", "clash"} {
				page, err := s.Segments(t.Context(), review.Query{Filter: parsed(t, "edit:"+value), Limit: 9})
				got := ""
				for i := range page.Segments {
					got += page.Segments[i].ID
				}
				if err != nil || got != want[value] {
					t.Errorf("%s, warm %v: %s lists %q, want %q, %v", when, warm, value, got, want[value], err)
				}
			}
			if err := s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	listed("at first", nil)
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 6, "mended", edit.Fix))
	amend(t, s, "ann", says(t, s, sessionOf(t, s, ids[0]), 10, "left out", edit.Redact))
	listed("edited", map[string]string{"fix": ids[1], "redact": ids[2]})
	change(t, s.Path(), "UPDATE edits SET base = zeroblob(16) WHERE n = 6")
	if err := s.write(t.Context(), sqlite.Machine, "test", func(tx *tx) error { return tx.refreshEdits(1, stamp.Of(time.Now())) }); err != nil {
		t.Fatal(err)
	}
	listed("clashed", map[string]string{"clash": ids[1], "redact": ids[2]})
	if _, err := s.Undo(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	listed("undone", map[string]string{"clash": ids[1]})
}

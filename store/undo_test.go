package store

import (
	"errors"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// refused checks that an action was refused with a message.
func refused(t testing.TB, err error, want string) {
	t.Helper()
	if !errors.Is(err, review.ErrConflict) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// longer imports more messages of /a, which extend the segment id.
func longer(t *testing.T, s *Store, list []chat.Message, id string) {
	t.Helper()
	w := seg(list, 1, len(list), 0)
	w.ID = id
	put(t, s, grow(t, s, "/a", list, w))
}

func TestUndoRefusesWhatSomebodyChangedSince(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Unsure, ids[3])
	judge(t, s, "ann", review.Approved, ids[:3]...)
	judge(t, s, "bob", review.Rejected, ids[2])
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(ids[2])+" was rejected by bob since")
	if got := verdicts(t, s, ids); got != "aaru" {
		t.Errorf("a refused undo changed something: %s", got)
	}
	undo(t, s, "bob")
	undo(t, s, "ann") // what was refused is passed by
	if got := verdicts(t, s, ids); got != "aaap" {
		t.Errorf("verdicts %s", got)
	}
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrNothing) {
		t.Errorf("undo of what was refused before: %v", err)
	}
	redo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "aaau" {
		t.Errorf("verdicts %s", got)
	}
	log, err := s.Journal(t.Context(), 0, 100)
	if err != nil || len(log) != 7 {
		t.Fatal(len(log), err)
	}
	note, entry := log[3], log[5]
	if note.Action != review.ActAside || note.Target != entry.ID || note.Curator != "ann" || len(note.Changes) != 0 {
		t.Errorf("the refusal is kept as %+v", note)
	}
	if entry.Undone || len(entry.Changes) != 3 {
		t.Errorf("the entry set aside %+v", entry)
	}
	clean(t, s)
}

func TestUndoReachesWhatLiesBehindASegmentThatLeft(t *testing.T) {
	s := openTemp(t)
	ids := put(t, s, write("/a", talk(4, "a")), write("/b", talk(4, "b")))
	judge(t, s, "ann", review.Approved, ids[0])
	judge(t, s, "ann", review.Approved, ids[1])
	w := write("/b", talk(4, "other"))
	w.Sessions[0].NewBody, w.Sessions[0].Retire = true, ids[1:]
	put(t, s, w)
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(ids[1])+" was replaced since")
	undo(t, s, "ann")
	if v := verdictOf(t, s, ids[0]); v != review.Pending {
		t.Errorf("verdict %s", v)
	}
	clean(t, s)
}

func TestRedoNeverGivesAVerdictOntoOtherContent(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "x")
	id := put(t, s, write("/a", list[:4]))[0]
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Note: ptr("hm")}); err != nil {
		t.Fatal(err)
	}
	judge(t, s, "ann", review.Approved, id)
	undo(t, s, "ann")
	undo(t, s, "ann")
	longer(t, s, list, id)
	redo(t, s, "ann") // a note is no verdict
	_, err := s.Redo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(id)+" got other messages since")
	if got := segment(t, s, id); got.Verdict != review.Pending || got.Note != "hm" {
		t.Errorf("%s on messages nobody saw, note %q", got.Verdict, got.Note)
	}
	if _, err := s.Redo(t.Context(), "ann"); !errors.Is(err, review.ErrNothing) {
		t.Errorf("the refused one again: %v", err)
	}
	clean(t, s)
	undo(t, s, "ann")
	clean(t, s)
}

// reset imports a segment that was approved and set back, and then grew.
func reset(t *testing.T, s *Store) (id string) {
	t.Helper()
	list := talk(8, "x")
	id = put(t, s, write("/a", list[:4]))[0]
	judge(t, s, "ann", review.Approved, id)
	judge(t, s, "ann", review.Pending, id)
	longer(t, s, list, id)
	return id
}

func TestUndoOfAResetNeverGivesAVerdictOntoOtherContent(t *testing.T) {
	s := openTemp(t)
	id := reset(t, s)
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(id)+" got other messages since")
	if v := verdictOf(t, s, id); v != review.Pending {
		t.Errorf("%s on messages nobody saw", v)
	}
}

func TestUndoTrustsEntriesThatKnowNoContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	id := reset(t, s)
	change(t, path, "UPDATE journal_changes SET fingerprint = '', detail = ''")
	undo(t, s, "ann")
	if v := verdictOf(t, s, id); v != review.Approved {
		t.Errorf("verdict %s", v)
	}
}

func TestAVerdictIsForWhatWasSeen(t *testing.T) {
	s := openTemp(t)
	list := talk(8, "x")
	id := put(t, s, write("/a", list[:4]), write("/b", talk(4, "b")))[0]
	read := segment(t, s, id)
	longer(t, s, list, id)
	j := review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Approved, Seen: map[string]chat.Digest{id: read.Digest}}
	_, err := s.Judge(t.Context(), j)
	refused(t, err, "segment "+review.Short(id)+" changed while you were reading it: look again")
	if v := verdictOf(t, s, id); v != review.Pending {
		t.Errorf("%s on messages nobody saw", v)
	}
	j.Seen[id] = segment(t, s, id).Digest
	if e, err := s.Judge(t.Context(), j); err != nil || len(e.Changes) != 1 {
		t.Errorf("%+v %v", e, err)
	}
	j.Verdict, j.Seen = review.Rejected, map[string]chat.Digest{"other": {}}
	if e, err := s.Judge(t.Context(), j); err != nil || len(e.Changes) != 1 {
		t.Errorf("not looked at: %+v %v", e, err)
	}
}

package store

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/review"
)

// splitByAnn is a session of four segments, the second of which, approved by
// ann, ann splits: 1–4 5–6 7–8 9–12 13–16.
func splitByAnn(t *testing.T, s *Store) (c talked, ids []string) {
	t.Helper()
	c = recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
	judge(t, s, "ann", review.Approved, idsOf(segmentsOf(t, s, c))[1])
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 6, 8, 12, 16))
	return c, idsOf(segmentsOf(t, s, c))
}

func TestUndoOfACutRefusesWhatSomebodyChangedSince(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Store, talked, []string)
		want   string
	}{
		"judged": {func(s *Store, c talked, ids []string) { judge(t, s, "bob", review.Rejected, ids[2]) }, "was rejected by bob"},
		"note": {func(s *Store, c talked, ids []string) {
			if _, err := s.Judge(t.Context(), review.Judgement{Curator: "bob", IDs: ids[2:3], Note: ptr("hm")}); err != nil {
				t.Fatal(err)
			}
		}, "got another note by bob"},
		"renamed": {func(s *Store, c talked, ids []string) {
			byHand(t, s, c, "bob", review.ActTopic, []piece{{4, ""}, {6, ""}, {8, "other"}, {12, ""}, {16, ""}})
		}, "got another topic by bob"},
		"cut by hand":      {func(s *Store, c talked, ids []string) { byHand(t, s, c, "bob", review.ActMerge, ends(4, 6, 12, 16)) }, "was replaced by bob"},
		"cut by a machine": {func(s *Store, c talked, ids []string) { byMachine(t, s, c, ends(4, 6, 7, 12, 16)) }, "was replaced"},
		"tags":             {func(s *Store, c talked, ids []string) { tag(t, s, "bob", []string{"t"}, nil, ids[2]) }, "got other tags by bob"},
		"tags of no entry": {func(s *Store, c talked, ids []string) {
			change(t, s.Path(), `UPDATE task_segments SET tags = '["t"]' WHERE id = ?`, ids[2])
		}, "got other tags"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTemp(t)
			session, ids := splitByAnn(t, s)
			c.change(s, session, ids)
			before := dump(t, s, session.id)
			_, err := s.Undo(t.Context(), "ann")
			refused(t, err, "segment "+review.Short(ids[2])+" "+c.want+" since")
			if dump(t, s, session.id) != before {
				t.Error("a refused undo changed something")
			}
			if log, err := s.Journal(t.Context(), 0, 1); err != nil || log[0].Action != review.ActAside || log[0].Recut != nil {
				t.Errorf("the refusal is kept as %+v %v", log, err)
			}
			if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) {
				t.Errorf("the verdict before it, on a segment that left: %v", err)
			}
			clean(t, s)
		})
	}
}

func TestUndoOfACutLeavesOtherCutsAlone(t *testing.T) {
	s := openTemp(t)
	c, ids := splitByAnn(t, s)
	byHand(t, s, c, "bob", review.ActSplit, ends(2, 4, 6, 8, 12, 16))
	byHand(t, s, c, "bob", review.ActMerge, ends(2, 4, 6, 8, 16))
	undo(t, s, "ann")
	now := segmentsOf(t, s, c)
	if spans(now) != "1-2 3-4 5-8 9-16" || now[2].Verdict != review.Approved || now[2].Index != 2 {
		t.Errorf("%s %+v", spans(now), now[2])
	}
	redo(t, s, "ann")
	undo(t, s, "bob")
	undo(t, s, "bob")
	if got := idsOf(segmentsOf(t, s, c)); spans(segmentsOf(t, s, c)) != "1-4 5-6 7-8 9-12 13-16" || got[1] != ids[1] || got[0] != ids[0] {
		t.Errorf("%v, want %v", got, ids)
	}
	clean(t, s)
}

func TestWhatWasScoredSinceKeepsItsScore(t *testing.T) {
	s := openTemp(t)
	c, ids := splitByAnn(t, s)
	score(t, s)
	for _, id := range ids[:2] { // nothing is found in them, which is known, too
		extract(t, s, extractionOf(t, s, id))
	}
	scored := dump(t, s, c.id)
	undo(t, s, "ann")
	if got := segment(t, s, ids[0]); got.Score == nil {
		t.Error("a segment outside of the cut lost its score")
	}
	redo(t, s, "ann")
	if got := dump(t, s, c.id); got != scored {
		t.Errorf("%s\nwant\n%s", got, scored)
	}
	clean(t, s)
}

func TestACutComesBackAfterTheSessionGrew(t *testing.T) {
	s := openTemp(t)
	random := rand.New(rand.NewPCG(1, 1))
	c := recorded(t, s, "/a", talk(16, "x"), 2, 4, 8, 12)
	old := idsOf(segmentsOf(t, s, c))
	e := byHand(t, s, c, "ann", review.ActSplit, ends(4, 8, 12, 15, 16))
	if st, err := s.SessionByID(t.Context(), c.id); err != nil || st.Held != 1 || !st.Segmented || e.ID == 0 {
		t.Fatalf("%+v %v", st, err)
	}
	clean(t, s)
	c.list = longerBy(t, s, c, random)
	held, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	undo(t, s, "ann")
	now := segmentsOf(t, s, c)
	st, err := s.SessionByID(t.Context(), c.id)
	if err != nil || now[3].ID != old[3] || now[3].End != 16 || len(now) != 5 || st.Trail != held.Trail || st.Segmented {
		t.Errorf("%s %+v %v", spans(now), st, err)
	}
	clean(t, s)
	redo(t, s, "ann")
	clean(t, s)
}

// retold imports a session once more, with all its segments: as much of its end
// may still change as held says.
func retold(t *testing.T, s *Store, c talked, held int, newBody bool) {
	t.Helper()
	st, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	w := write(c.file, c.list)
	sw := &w.Sessions[0]
	sw.Session, sw.Trail, sw.Segments = st.Session, trailOf(c.list, held), st.Segments
	if sw.NewBody = newBody; !newBody {
		sw.KeepTo, sw.Chunks = len(c.list), nil
	}
	numbered(c.list, held, sw.Segments)
	put(t, s, w)
	clean(t, s)
}

// The last messages were read once more and nothing of them changed: what was
// kept of the segment's end is of no use.
func TestACutComesBackAfterItsEndWasReadAgain(t *testing.T) {
	for _, newBody := range []bool{false, true} {
		for held := range 3 {
			s := openTemp(t)
			c := recorded(t, s, "/a", talk(16, "x"), 2, 4, 8, 12)
			byHand(t, s, c, "ann", review.ActSplit, ends(4, 8, 12, 14, 16))
			if newBody { // a time is no content
				c.list[14].Timestamp = "2026-05-04T10:00:00Z"
			}
			retold(t, s, c, held, newBody)
			undo(t, s, "ann")
			if got := spans(segmentsOf(t, s, c)); got != "1-4 5-8 9-12 13-16" {
				t.Error(got)
			}
			clean(t, s)
			redo(t, s, "ann")
			clean(t, s)
		}
	}
}

func TestUndoOfACutRefusesASegmentShorterThanWhatMayChange(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 14)
	byHand(t, s, c, "ann", review.ActMerge, ends(4, 8, 16))
	retold(t, s, c, 3, false)
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "the last messages were read again since")
	clean(t, s)
}

func TestUndoOfACutAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	c, _ := splitByAnn(t, s)
	end := dump(t, s, c.id)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, other := openAt(t, path), openAt(t, path)
	undo(t, s, "ann")
	clean(t, other)
	redo(t, other, "ann")
	if got := dump(t, s, c.id); got != end {
		t.Errorf("%s\nwant\n%s", got, end)
	}
	undo(t, s, "ann")
	undo(t, other, "ann")
	if got := segmentsOf(t, s, c); spans(got) != "1-4 5-8 9-12 13-16" || got[1].Verdict != review.Pending {
		t.Errorf("%s %s", spans(got), got[1].Verdict)
	}
}

// A cut is undone although other segments with the same content came or went:
// they are numbered anew, each by the order in which it stands.
func TestSegmentsOfEqualContentAreNumberedAnew(t *testing.T) {
	s := openTemp(t)
	list := talk(12, "x")
	for i := range list { // three times the same four messages
		n, at, line := list[i].N, list[i].SourceOffset, list[i].SourceLine
		list[i] = list[i%4]
		list[i].N, list[i].SourceOffset, list[i].SourceLine = n, at, line
	}
	c := recorded(t, s, "/a", list, 1, 4, 8)
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 6, 8, 12))    // the second leaves, the third becomes the second
	byHand(t, s, c, "bob", review.ActSplit, ends(2, 4, 6, 8, 12)) // the third becomes the first
	clean(t, s)
	_, err := s.Undo(t.Context(), "ann")
	if !errors.Is(err, review.ErrConflict) { // the third was part of it
		t.Fatal(err)
	}
	undo(t, s, "bob")
	clean(t, s)

	c = recorded(t, s, "/b", list, 1, 4, 8)
	byHand(t, s, c, "cid", review.ActSplit, ends(4, 8, 10, 12))    // the third leaves
	byHand(t, s, c, "bob", review.ActSplit, ends(1, 4, 8, 10, 12)) // the second becomes the first
	clean(t, s)
	undo(t, s, "cid")
	now := segmentsOf(t, s, c)
	if spans(now) != "1-1 2-4 5-8 9-12" || now[2].Nth != 1 || now[3].Nth != 2 {
		t.Errorf("%s, numbers %d and %d", spans(now), now[2].Nth, now[3].Nth)
	}
	clean(t, s)
	redo(t, s, "cid")
	clean(t, s)
	undo(t, s, "cid")
	clean(t, s)
}

func TestABodyStaysWhileACutRefersToIt(t *testing.T) {
	s := openTemp(t)
	c, ids := splitByAnn(t, s)
	heir := segment(t, s, ids[1])
	old := rewrite(t, s, talk(4, "new"), ids...)
	s.background.Wait()
	got, err := s.Messages(t.Context(), heir.WasBody, heir.WasStart, heir.WasEnd)
	if err != nil || heir.WasBody != old || len(got) != 4 || chat.DigestOf(got) != chat.DigestOf(c.list[4:8]) {
		t.Errorf("%d messages of body %d, %v", len(got), heir.WasBody, err)
	}
	clean(t, s)
}

func TestABodyStaysWhileAStaleSegmentRefersToIt(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/a", talk(4, "old")))[0]
	before, err := s.LoadSession(t.Context(), "default", "/a")
	if err != nil {
		t.Fatal(err)
	}
	judge(t, s, "ann", review.Approved, id)
	list := talk(5, "new")
	w := write("/a", list)
	w.Sessions[0].NewBody, w.Sessions[0].Segments[0].ID = true, id
	put(t, s, w)
	drop(t, s, before.Body, before.ID)
	s.background.Wait()
	got := segment(t, s, id)
	if got.WasBody != before.Body || got.WasStart != 1 || got.WasEnd != 4 {
		t.Fatalf("%+v", got)
	}
	if kept, err := s.Messages(t.Context(), got.WasBody, got.WasStart, got.WasEnd); err != nil || len(kept) != 4 {
		t.Errorf("%d messages %v", len(kept), err)
	}
	clean(t, s)
	judge(t, s, "ann", review.Rejected, id)
	if fresh := segment(t, s, id); fresh.WasBody != 0 || fresh.WasStart != 0 || fresh.WasEnd != 0 {
		t.Errorf("a verdict did not make it fresh: %+v", fresh)
	}
	clean(t, s)
	undo(t, s, "ann")
	if again := segment(t, s, id); again.WasBody != got.WasBody || again.WasStart != 1 || again.WasEnd != 4 || !again.Stale {
		t.Errorf("undo did not make it stale again: %+v", again)
	}
	clean(t, s)
}

// A judged segment that nobody cut counts as cut, until the verdict is taken
// back.
func TestAVerdictTakenBackLeavesTheSessionToBeCut(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(8, "x"), 1, 4)
	id := idsOf(segmentsOf(t, s, c))[1]
	segmented := func() bool {
		st, err := s.SessionByID(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		return st.Segmented
	}
	judge(t, s, "ann", review.Approved, id)
	byMachine(t, s, c, ends(4, 8))
	if !segmented() {
		t.Fatal("a machine has nothing to cut, and the session waits")
	}
	undo(t, s, "ann")
	if segmented() {
		t.Error("undone")
	}
	clean(t, s)
	redo(t, s, "ann")
	byMachine(t, s, c, ends(4, 8))
	judge(t, s, "bob", review.Pending, id)
	if segmented() {
		t.Error("taken back")
	}
	clean(t, s)
}

func TestAnImportNeverUndoesWhatWasDoneByHand(t *testing.T) {
	s := openTemp(t)
	list := talk(18, "x")
	c := recorded(t, s, "/a", list[:16], 1, 4, 8, 12)
	// What an import that read the session before writes after the edits.
	st, err := s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	last := st.Segments[3]
	last.End = 18
	rows := append(st.Segments[:3:3], last)
	numbered(list, 1, rows)
	longer := grow(t, s, "/a", list, rows[3])
	longer.Sessions[0].Verdicts = map[string]review.Verdict{last.ID: review.Pending}

	byHand(t, s, c, "ann", review.ActTopic, []piece{{4, ""}, {8, ""}, {12, ""}, {16, "mine"}})
	put(t, s, longer)
	if got := segment(t, s, last.ID); got.Topic != "mine" || !got.Named || got.End != 18 {
		t.Errorf("%+v", got)
	}
	_, err = s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(last.ID)+" was cut anew since")

	// A cut in front of what an import adds moves it.
	more := talk(20, "x")
	c.list = list
	next := seg(more, 19, 20, 4)
	added := grow(t, s, "/a", more, next)
	byHand(t, s, c, "ann", review.ActSplit, ends(2, 4, 8, 12, 18))
	_, err = s.WriteImport(t.Context(), []hub.ImportWrite{added})
	if !errors.Is(err, review.ErrConflict) {
		t.Errorf("an import wrote a segment at a place that is taken: %v", err)
	}
	clean(t, s)

	// So does one of the segment itself.
	st, err = s.SessionByID(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	change(t, s.Path(), "UPDATE trajectory_records SET segmented = 1")
	change(t, s.Path(), "UPDATE task_segments SET cut_by = 'curator' WHERE id = ?", last.ID)
	last = st.Segments[4]
	last.End = 20
	rows = append(st.Segments[:4:4], last)
	numbered(more, 1, rows)
	_, err = s.WriteImport(t.Context(), []hub.ImportWrite{grow(t, s, "/a", more, rows[4])})
	refused(t, err, "/a: session /a: changed since: segment "+review.Short(last.ID)+" was cut by hand meanwhile")
	clean(t, s)
}

func TestAnIDThatIsTakenRefusesTheUndo(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
	id := idsOf(segmentsOf(t, s, c))[1]
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 6, 8, 12, 16))
	put(t, s, write("/b", talk(4, "b")))
	change(t, s.Path(), "UPDATE task_segments SET id = ? WHERE session_file = '/b'", review.Short(id)+"-another")
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "another segment is named "+review.Short(id)+" by now")
	clean(t, s)
}

// What a curator cut or named is work like a verdict: it stays when the file is
// not there any more.
func TestASessionThatWasCutByHandOutlivesItsFile(t *testing.T) {
	for name, by := range map[string]func(*Store, talked){
		"nobody": func(*Store, talked) {},
		"split":  func(s *Store, c talked) { byHand(t, s, c, "ann", review.ActSplit, ends(2, 4, 8)) },
		"named":  func(s *Store, c talked) { byHand(t, s, c, "ann", review.ActTopic, []piece{{4, "mine"}, {8, ""}}) },
	} {
		s := openTemp(t)
		c := recorded(t, s, "/a", talk(8, "x"), 1, 4)
		by(s, c)
		put(t, s, leaving(t, s, c))
		_, err := s.SessionByID(t.Context(), c.id)
		if gone := errors.Is(err, review.ErrNotFound); gone != (name == "nobody") {
			t.Errorf("%s: %v", name, err)
		}
		clean(t, s)
	}
}

package store

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/sqlite"
)

func segmentsOf(t testing.TB, s *Store, c talked) []review.Segment {
	t.Helper()
	list, err := s.SegmentsOf(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// spans writes segments as 1-4 5-8.
func spans(list []review.Segment) string {
	var b strings.Builder
	for i := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(list[i].Start) + "-" + strconv.Itoa(list[i].End))
	}
	return b.String()
}

func TestASplitIsOneEntryAndComesBackWithItsIDs(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
	ids := idsOf(segmentsOf(t, s, c))
	judge(t, s, "ann", review.Approved, ids[1])
	judge(t, s, "ann", review.Rejected, ids[2])
	start := dump(t, s, c.id)
	e := byHand(t, s, c, "ann", review.ActSplit, ends(4, 6, 8, 12, 16))
	now := segmentsOf(t, s, c)
	if got := spans(now); got != "1-4 5-6 7-8 9-12 13-16" {
		t.Fatal(got)
	}
	if now[0].ID != ids[0] || now[3].ID != ids[2] || now[4].ID != ids[3] || now[3].Verdict != review.Rejected {
		t.Errorf("segments outside of the cut changed: %v", idsOf(now))
	}
	if h := now[1]; !h.Stale || h.Was != review.Approved || h.WasBy != "ann" || h.WasStart != 5 || h.WasEnd != 8 || h.CutBy != review.CutCurator {
		t.Errorf("heir %+v", h)
	}
	if e.ID == 0 || e.Action != review.ActSplit || e.Recut == nil || len(e.Changes) != 3 ||
		spans(e.Recut.Before) != "5-8" || spans(e.Recut.After) != "5-6 7-8" {
		t.Errorf("entry %+v", e)
	}
	if left := e.Changes[0]; left.Segment != ids[1] || left.Before.Verdict != review.Approved || left.After != (review.Mark{}) || left.Start != 5 || left.End != 8 || left.Body == 0 {
		t.Errorf("change of what left: %+v", left)
	}
	log, err := s.Journal(t.Context(), 0, 1)
	if err != nil || len(log) != 1 || log[0].Recut == nil || spans(log[0].Recut.After) != "5-6 7-8" || log[0].Recut.Before[0].Verdict != review.Approved {
		t.Errorf("journal %+v %v", log, err)
	}
	clean(t, s)
	end := dump(t, s, c.id)
	undone, err := s.Undo(t.Context(), "ann")
	if err != nil || undone.Recut == nil || spans(undone.Recut.After) != "5-8" || undone.Target != e.ID {
		t.Fatalf("%+v %v", undone, err)
	}
	if got := dump(t, s, c.id); got != start {
		t.Errorf("undone:\n%s\nwant\n%s", got, start)
	}
	clean(t, s)
	redo(t, s, "ann")
	if got := dump(t, s, c.id); got != end {
		t.Errorf("redone:\n%s\nwant\n%s", got, end)
	}
	clean(t, s)
	log, err = s.Journal(t.Context(), 0, 2)
	if err != nil || spans(log[0].Recut.After) != "5-6 7-8" || spans(log[1].Recut.After) != "5-8" {
		t.Errorf("journal of undo and redo %+v %v", log, err)
	}
}

func TestWriteCutsRefusesWhatChangedSince(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Store, talked, []string)
		want   string
	}{
		"a verdict": {func(s *Store, c talked, ids []string) { judge(t, s, "bob", review.Rejected, ids[3]) }, "segment %3 was rejected by bob since"},
		"a note": {func(s *Store, c talked, ids []string) {
			if _, err := s.Judge(t.Context(), review.Judgement{Curator: "bob", IDs: ids[:1], Note: ptr("hm")}); err != nil {
				t.Fatal(err)
			}
		}, "segment %0 got another note since"},
		"a cut": {func(s *Store, c talked, ids []string) { byHand(t, s, c, "bob", review.ActMerge, ends(4, 8, 16)) }, "segment %2 was replaced since"},
		"a topic": {func(s *Store, c talked, ids []string) {
			byHand(t, s, c, "bob", review.ActTopic, []piece{{4, "t"}, {8, ""}, {12, ""}, {16, ""}})
		}, "segment %0 got another topic since"},
		"messages": {func(s *Store, c talked, ids []string) {
			list := talk(18, "x")
			last := seg(list, 17, 18, 4)
			put(t, s, grow(t, s, "/a", list, last))
		}, "the session got other messages since: look at it again"},
		"gone": {func(s *Store, c talked, ids []string) {
			put(t, s, leaving(t, s, c))
		}, "the session was removed since"},
	} {
		for _, curator := range []string{"ann", ""} {
			t.Run(name+"/"+curator, func(t *testing.T) {
				s := openTemp(t)
				session := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
				ids := idsOf(segmentsOf(t, s, session))
				w := cutWrite(t, s, session, review.CutCurator, ends(4, 6, 8, 12, 16))
				if w.Curator = curator; curator != "" {
					w.Action = review.ActSplit
				}
				c.change(s, session, ids)
				before := dump(t, s, session.id)
				_, err := s.WriteCuts(t.Context(), w)
				want := c.want
				for i, id := range ids {
					want = strings.ReplaceAll(want, "%"+strconv.Itoa(i), review.Short(id))
				}
				refused(t, err, want)
				if dump(t, s, session.id) != before {
					t.Error("a refused cut changed something")
				}
			})
		}
	}
}

func TestAMachinesCut(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8)
	ids := idsOf(segmentsOf(t, s, c))
	judge(t, s, "ann", review.Approved, ids[1])
	w := cutWrite(t, s, c, review.CutModel, ends(4, 6, 12, 16))
	e, err := s.WriteCuts(t.Context(), w)
	if err != nil || e.ID != 0 || e.Recut != nil {
		t.Fatalf("%+v %v", e, err)
	}
	now := segmentsOf(t, s, c)
	if spans(now) != "1-4 5-6 7-12 13-16" || now[0].ID != ids[0] || !now[1].Stale {
		t.Errorf("%s %+v", spans(now), now[1])
	}
	for i, id := range []string{now[1].ID, now[2].ID, now[3].ID} {
		if w.Segments[i].ID != id {
			t.Errorf("id of segment %d is told as %q", i, w.Segments[i].ID)
		}
	}
	if st, err := s.SessionByID(t.Context(), c.id); err != nil || !st.Segmented {
		t.Errorf("not segmented: %v", err)
	}
	log, err := s.Journal(t.Context(), 0, 5)
	if err != nil || len(log) != 2 || log[0].Action != review.ActRetire || log[0].Changes[0].Segment != ids[1] || log[0].Changes[0].Start != 5 {
		t.Errorf("journal %+v %v", log, err)
	}
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) {
		t.Errorf("undo of a verdict on a segment that left: %v", err)
	}
	clean(t, s)
}

// leaving is an import that finds a session gone from its source.
func leaving(t testing.TB, s *Store, c talked) hub.ImportWrite {
	t.Helper()
	w := write(c.file, c.list)
	w.Sessions, w.Leave = nil, []string{c.id}
	return w
}

// Whatever a writer says of a segment that stays, what curators and scorers left
// on it is not touched.
func TestACutKeepsWhatIsOnSegmentsThatStay(t *testing.T) {
	for curator, by := range map[string]review.CutBy{"": review.CutOffline, "ann": review.CutCurator} {
		s := openTemp(t)
		c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
		ids := idsOf(segmentsOf(t, s, c))
		judge(t, s, "bob", review.Approved, ids[0])
		score(t, s)
		change(t, s.Path(), `UPDATE task_segments SET tags = '["t"]' WHERE id = ?`, ids[0])
		was := segment(t, s, ids[0])
		w := cutWrite(t, s, c, by, []piece{{4, "mine"}, {8, ""}, {12, ""}, {16, ""}})
		if w.Curator = curator; curator != "" {
			w.Action = review.ActTopic
		}
		r := &w.Segments[0].Segment
		r.Verdict, r.Note, r.Score, r.Labeled, r.Analysis, r.Tags, r.CreatedAt = review.Rejected, "no", nil, false, "", nil, w.Known[0].CreatedAt.AddDate(1, 0, 0)
		if _, err := s.WriteCuts(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		is := segment(t, s, ids[0])
		was.Topic, was.Named, was.UpdatedAt = "mine", true, is.UpdatedAt
		if !reflect.DeepEqual(is, was) {
			t.Errorf("%+v, was %+v", is, was)
		}
		clean(t, s)
	}
}

func TestOfTwoCutsAtOnceOneIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	one, other := openAt(t, path), openAt(t, path)
	for round := range 8 {
		c := recorded(t, one, "/a"+strconv.Itoa(round), talk(16, "x"), 1, 4, 8, 12)
		var errs [4]error
		var group sync.WaitGroup
		var writes [len(errs)]*runs.CutWrite
		for i := range errs {
			writes[i] = cutWrite(t, one, c, review.CutCurator, ends(4, 5+i, 16))
			if i > 1 {
				writes[i].Curator, writes[i].Action = "ann", review.ActCut
			}
		}
		for i := range errs {
			s := []*Store{one, other}[i%2]
			group.Go(func() { _, errs[i] = s.WriteCuts(context.Background(), writes[i]) })
		}
		group.Wait()
		written := 0
		for i, err := range errs {
			if err == nil {
				written++
				if got := spans(segmentsOf(t, other, c)); !strings.HasPrefix(got, "1-4 5-"+strconv.Itoa(5+i)+" ") {
					t.Errorf("%s, not what was written", got)
				}
			} else if !errors.Is(err, review.ErrConflict) {
				t.Error(err)
			}
		}
		if written != 1 {
			t.Errorf("%d cuts of the same segments were written", written)
		}
	}
	clean(t, one)
}

// A cut rewrites what it changes, and nothing else of a long session.
func TestACutWritesOnlyWhatChanges(t *testing.T) {
	s := openTemp(t)
	var bounds []int
	for end := 2; end < 400; end += 2 {
		bounds = append(bounds, end)
	}
	c := recorded(t, s, "/long", talk(400, "x"), 1, bounds...)
	for _, by := range []struct {
		curator string
		action  review.Action
		writer  sqlite.Role
		first   int
	}{{"", "", sqlite.Machine, 3}, {"ann", review.ActMove, sqlite.Curator, 1}} {
		bounds[0] = by.first
		w := cutWrite(t, s, c, review.CutCurator, ends(append(bounds, 400)...))
		w.Curator, w.Action = by.curator, by.action
		before := totalChanges(t, s, by.writer)
		if _, err := s.WriteCuts(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		// Two leave and two come, each is counted, and is to be compared; the
		// session; the journal.
		if n := totalChanges(t, s, by.writer) - before; n > 24 {
			t.Errorf("%d rows were written to move a boundary", n)
		}
	}
	clean(t, s)
}

// totalChanges counts the rows that a writer has written so far.
func totalChanges(t testing.TB, s *Store, w sqlite.Role) (n int) {
	t.Helper()
	err := s.write(t.Context(), w, "count", func(tx *tx) error { return tx.Rows("SELECT total_changes()").One(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

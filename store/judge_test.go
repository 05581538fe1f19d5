package store

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/hub"
	"winnow/core/review"
)

// four imports a session of four segments and returns their ids.
func four(t testing.TB, s *Store) []string {
	t.Helper()
	list := talk(16, "x")
	w := write("/four", list)
	w.Sessions[0].Segments = nil
	for i := range 4 {
		w.Sessions[0].Segments = append(w.Sessions[0].Segments, seg(list, i*4+1, i*4+4, i))
	}
	return put(t, s, w)
}

func ptr[T any](v T) *T { return &v }

func undo(t testing.TB, s *Store, curator string) {
	t.Helper()
	if _, err := s.Undo(t.Context(), curator); err != nil {
		t.Fatal(err)
	}
}

func redo(t testing.TB, s *Store, curator string) {
	t.Helper()
	if _, err := s.Redo(t.Context(), curator); err != nil {
		t.Fatal(err)
	}
}

func verdicts(t testing.TB, s *Store, ids []string) string {
	t.Helper()
	var b strings.Builder
	for _, id := range ids {
		b.WriteByte(string(verdictOf(t, s, id))[0])
	}
	return b.String()
}

func TestJudge(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	e, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{ids[1], ids[0], ids[1]}, Verdict: review.Approved, Note: ptr("fine")})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Changes) != 2 || e.Changes[0].Segment != ids[1] || e.ID == 0 || e.Curator != "ann" || e.Action != review.ActJudge {
		t.Errorf("entry %+v", e)
	}
	got := segment(t, s, ids[0])
	if got.Verdict != review.Approved || got.Note != "fine" || got.Reviewer != "ann" || !got.ReviewedAt.Equal(e.At) || !got.UpdatedAt.Equal(e.At) {
		t.Errorf("segment %+v", got)
	}
	log, err := s.Journal(t.Context(), 0, 10)
	if err != nil || len(log) != 1 || !reflect.DeepEqual(log[0], e) {
		t.Errorf("journal %+v %v\nwant %+v", log, err, e)
	}
	judge(t, s, "ann", review.Pending, ids[0])
	got = segment(t, s, ids[0])
	if got.Verdict != review.Pending || got.Reviewer != "" || !got.ReviewedAt.IsZero() || got.Note != "fine" {
		t.Errorf("reset %+v", got)
	}
	clean(t, s)
}

func TestANoteAloneLeavesTheVerdict(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	judge(t, s, "ann", review.Approved, id)
	before := segment(t, s, id)
	e, err := s.Judge(t.Context(), review.Judgement{Curator: "bob", IDs: []string{id}, Note: ptr("look")})
	if err != nil || e.Action != review.ActNote {
		t.Fatal(e, err)
	}
	got := segment(t, s, id)
	if got.Note != "look" || got.Verdict != before.Verdict || got.Reviewer != "ann" || !got.ReviewedAt.Equal(before.ReviewedAt) {
		t.Errorf("segment %+v", got)
	}
	undo(t, s, "bob")
	if got := segment(t, s, id); got.Note != "" || got.Reviewer != "ann" {
		t.Errorf("segment %+v", got)
	}
}

func TestAJudgementThatChangesNothingIsNotKept(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0])
	if e := judge(t, s, "ann", review.Pending, ids[1]); e.ID != 0 || len(e.Changes) != 0 {
		t.Errorf("pending again: %+v", e)
	}
	if e := judge(t, s, "ann", review.Approved, ids[0]); e.ID != 0 {
		t.Errorf("approved again: %+v", e)
	}
	if e := judge(t, s, "ann", review.Approved, ids[0], ids[1]); len(e.Changes) != 1 {
		t.Errorf("one of two: %+v", e)
	}
	if e := judge(t, s, "bob", review.Approved, ids[0]); len(e.Changes) != 1 {
		t.Errorf("another curator's verdict is his: %+v", e)
	}
}

func TestJudgeRefuses(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	ctx := t.Context()
	if _, err := s.Judge(ctx, review.Judgement{Curator: "ann", IDs: []string{ids[0], "nobody"}, Verdict: review.Approved}); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("unknown id: %v", err)
	}
	if v := verdictOf(t, s, ids[0]); v != review.Pending {
		t.Errorf("half of a refused judgement was kept: %s", v)
	}
	for _, j := range []review.Judgement{
		{IDs: ids[:1], Verdict: review.Approved},
		{Curator: "ann", IDs: ids[:1]},
		{Curator: "ann", IDs: ids[:1], Verdict: "splendid"},
	} {
		if _, err := s.Judge(ctx, j); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", j, err)
		}
	}
}

func TestUndoAndRedoWalkTheJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.db")
	s := openAt(t, path)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0])
	judge(t, s, "bob", review.Unsure, ids[3])
	judge(t, s, "ann", review.Rejected, ids[0], ids[1])
	other := openAt(t, path) // another process, or the same after a restart
	steps := []struct {
		do   func()
		want string
	}{
		{func() {}, "rrpu"},
		{func() { undo(t, other, "ann") }, "appu"},
		{func() { undo(t, s, "ann") }, "pppu"},
		{func() { redo(t, other, "ann") }, "appu"},
		{func() { redo(t, s, "ann") }, "rrpu"},
		{func() { undo(t, s, "ann") }, "appu"},
		{func() { judge(t, s, "ann", review.Unsure, ids[2]) }, "apuu"}, // cuts the redo off
		{func() { undo(t, other, "ann") }, "appu"},
		{func() { redo(t, s, "ann") }, "apuu"},
		{func() { undo(t, s, "ann") }, "appu"},
		{func() { undo(t, s, "ann") }, "pppu"},
	}
	for i, step := range steps {
		step.do()
		if got := verdicts(t, s, ids); got != step.want {
			t.Fatalf("after step %d: %s, want %s", i, got, step.want)
		}
	}
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrNothing) {
		t.Errorf("undo of nothing: %v", err)
	}
	redo(t, s, "ann")
	redo(t, s, "ann")
	if _, err := s.Redo(t.Context(), "ann"); !errors.Is(err, review.ErrNothing) {
		t.Errorf("redo of what was cut off: %v", err)
	}
	clean(t, s)
	log, err := s.Journal(t.Context(), 0, 100)
	if err != nil || len(log) != 15 {
		t.Fatalf("%d entries %v", len(log), err)
	}
	cut := log[len(log)-3]
	if !cut.Undone || cut.Action != review.ActJudge || len(cut.Changes) != 2 {
		t.Errorf("the entry that was cut off: %+v", cut)
	}
	page, err := s.Journal(t.Context(), log[4].ID, 2)
	if err != nil || !reflect.DeepEqual(page, log[5:7]) {
		t.Errorf("page %+v %v", page, err)
	}
}

func TestUndoRestoresExactly(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	judge(t, s, "bob", review.Unsure, id)
	before := segment(t, s, id)
	if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: review.Rejected, Note: ptr("no")}); err != nil {
		t.Fatal(err)
	}
	after := segment(t, s, id)
	undo(t, s, "ann")
	got := segment(t, s, id)
	if markOf(&got) != markOf(&before) {
		t.Errorf("undone to %+v, was %+v", markOf(&got), markOf(&before))
	}
	redo(t, s, "ann")
	got = segment(t, s, id)
	if markOf(&got) != markOf(&after) {
		t.Errorf("redone to %+v, was %+v", markOf(&got), markOf(&after))
	}
}

func TestABulkVerdictUndoesAsOne(t *testing.T) {
	const rows = 300 / slower
	s := openTemp(t)
	var writes []hub.ImportWrite
	for i := range rows {
		writes = append(writes, write("/"+strings.Repeat("s", i+1), talk(4, "x")))
	}
	ids := put(t, s, writes...)
	judge(t, s, "bob", review.Rejected, ids[7])
	judge(t, s, "ann", review.Approved, ids...)
	totals, err := s.Totals(t.Context())
	if err != nil || totals.ByVerdict[review.Approved] != rows {
		t.Fatal(totals, err)
	}
	undo(t, s, "ann")
	totals, _ = s.Totals(t.Context())
	if totals.ByVerdict[review.Pending] != rows-1 || totals.ByVerdict[review.Rejected] != 1 {
		t.Errorf("totals %+v", totals)
	}
	redo(t, s, "ann")
	totals, _ = s.Totals(t.Context())
	if totals.ByVerdict[review.Approved] != rows {
		t.Errorf("totals %+v", totals)
	}
	log, _ := s.Journal(t.Context(), 0, 1)
	var order []string
	for _, c := range log[0].Changes {
		order = append(order, c.Segment)
	}
	if !slices.Equal(order, ids) {
		t.Error("the entry lists the segments in another order")
	}
	clean(t, s)
}

// Segments of one judgement may get different verdicts: that is one entry, and
// one undo takes it back.
func TestJudgeWithDifferentVerdicts(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "bob", review.Unsure, ids[2])
	e, err := s.Judge(t.Context(), review.Judgement{
		Curator: "ann", IDs: ids[:3], Verdict: review.Rejected, Verdicts: map[string]review.Verdict{ids[1]: review.Approved},
	})
	if err != nil || len(e.Changes) != 3 || e.Action != review.ActJudge {
		t.Fatal(len(e.Changes), e.Action, err)
	}
	if got := verdicts(t, s, ids); got != "rarp" {
		t.Errorf("verdicts %s", got)
	}
	undo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "ppup" {
		t.Errorf("undone: %s", got)
	}
	redo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "rarp" {
		t.Errorf("redone: %s", got)
	}
	j := review.Judgement{Curator: "ann", IDs: ids[3:], Verdicts: map[string]review.Verdict{ids[3]: "good"}}
	if _, err := s.Judge(t.Context(), j); err == nil || verdicts(t, s, ids) != "rarp" {
		t.Errorf("an unknown verdict: %v, %s", err, verdicts(t, s, ids))
	}
}

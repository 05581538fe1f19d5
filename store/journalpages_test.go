package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/review"
)

// numbers are the ids of a page's entries.
func numbers(p review.JournalPage) string {
	var ids []string
	for _, e := range p.Entries {
		ids = append(ids, fmt.Sprint(e.ID))
	}
	text := strings.Join(ids, " ")
	if p.More {
		text += " …"
	}
	return text
}

func TestJournalPages(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids...)     // 1
	judge(t, s, "bob", review.Rejected, ids[1])     // 2
	judge(t, s, "ann", review.Unsure, ids[0])       // 3
	undo(t, s, "ann")                               // 4
	judge(t, s, "bob", review.Approved, ids[2:]...) // 5
	for _, c := range []struct {
		q    review.JournalQuery
		want string
	}{
		{review.JournalQuery{Limit: 9}, "5 4 3 2 1"},
		{review.JournalQuery{Limit: 2}, "5 4 …"},
		{review.JournalQuery{Limit: 2, After: 4}, "3 2 …"},
		{review.JournalQuery{Limit: 2, After: 3}, "2 1"},
		{review.JournalQuery{Limit: 2, After: 2, Back: true}, "4 3 …"},
		{review.JournalQuery{Limit: 2, After: 4, Back: true}, "5"},
		{review.JournalQuery{Limit: 2, Back: true}, "2 1 …"},
		{review.JournalQuery{Limit: 9, Curator: "ann"}, "4 3 1"},
		{review.JournalQuery{Limit: 1, Curator: "ann", After: 4}, "3 …"},
		{review.JournalQuery{Limit: 9, Segment: ids[0]}, "4 3 1"},
		{review.JournalQuery{Limit: 9, Segment: ids[1]}, "2 1"},
		{review.JournalQuery{Limit: 9, Segment: ids[1], Curator: "bob"}, "2"},
		{review.JournalQuery{Limit: 9, Segment: "none"}, ""},
	} {
		p, err := s.JournalPage(t.Context(), c.q)
		if got := numbers(p); err != nil || got != c.want {
			t.Errorf("%+v: %q, want %q (%v)", c.q, got, c.want, err)
		}
		all, err := s.Journal(t.Context(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Entries {
			i := slices.IndexFunc(all, func(x review.Entry) bool { return x.ID == e.ID })
			whole := all[i].Changes
			if e.Count != len(whole) || !slices.Equal(e.Changes, whole[:min(len(whole), review.LoggedChanges)]) || e.Undone != (e.ID == 3) {
				t.Errorf("entry %d: %d changes, %+v", e.ID, e.Count, e.Changes)
			}
			if p.Topics[e.Changes[0].Segment] == "" {
				t.Errorf("entry %d: segment without a name", e.ID)
			}
		}
	}
}

func TestChangesOfABulkEntryArePaged(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids...)
	for _, c := range []struct {
		q    review.ChangeQuery
		want string
	}{
		{review.ChangeQuery{Limit: 3}, "1 2 3 …"},
		{review.ChangeQuery{Limit: 3, After: 3}, "4"},
		{review.ChangeQuery{Limit: 2, After: 4, Back: true}, "2 3 …"},
		{review.ChangeQuery{Limit: 9, After: 3, Back: true}, "1 2"},
		{review.ChangeQuery{Limit: 1, Back: true}, "4 …"},
	} {
		c.q.Entry = 1
		p, err := s.Changes(t.Context(), c.q)
		var got []string
		for _, x := range p.Changes {
			got = append(got, fmt.Sprint(x.N))
			if x.Segment != ids[x.N-1] || x.Topic == "" || x.After.Verdict != review.Approved {
				t.Errorf("%+v", x)
			}
		}
		if p.More {
			got = append(got, "…")
		}
		if text := strings.Join(got, " "); err != nil || text != c.want {
			t.Errorf("%+v: %q, want %q (%v)", c.q, text, c.want, err)
		}
	}
}

// TestJournalOfASegmentHasItsBoundaries: also where it kept its id, and what
// took such a cut back.
func TestJournalOfASegmentHasItsBoundaries(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
	first := segmentsOf(t, s, c)[0].ID
	byHand(t, s, c, "ann", review.ActMove, ends(5, 8, 12, 16))
	undo(t, s, "ann")
	p, err := s.JournalPage(t.Context(), review.JournalQuery{Limit: 9, Segment: first})
	if got := numbers(p); err != nil || got != "2 1" || p.Entries[0].Recut == nil {
		t.Errorf("%q %v", got, err)
	}
}

func TestJournalUsesIndexes(t *testing.T) {
	s := openTemp(t)
	four(t, s)
	for _, q := range []review.JournalQuery{{Limit: 9}, {Limit: 9, After: 7}, {Limit: 9, After: 7, Back: true}, {Limit: 9, Segment: "x", After: 3}, {Limit: 9, Curator: "ann", After: 3}} {
		text, args := entriesSQL(&q)
		if steps := planOf(t, s, text, args...); q.Segment == "" && strings.Contains(steps, "B-TREE") || q.Segment != "" && strings.Contains(steps, "SCAN journal") || strings.Contains(steps, "SCAN journal_changes") || strings.Contains(steps, "SCAN journal_recuts") {
			t.Errorf("%+v:\n%s", q, steps)
		}
	}
	for _, c := range []struct {
		text string
		args []any
	}{
		{changesOfSQL, []any{"[1]", 3}}, {recutsOfSQL, []any{"[1]"}}, {changeCountsSQL, []any{"[1]"}}, {promotionsSQL, []any{"[1]"}}, {topicsOfSQL, []any{"[]"}},
		{changesAfterSQL, []any{1, 0, 9}}, {changesBeforeSQL, []any{1, 9, 9}}, {newerSQL, []any{1}}, {whoMarkedSQL, []any{"x", 1, "$.note"}}, {whoCutSQL, []any{"x", 1}}, {nextUndone, []any{"ann"}},
	} {
		for step := range strings.Lines(planOf(t, s, c.text, c.args...)) {
			if strings.HasPrefix(step, "SCAN j") && !strings.Contains(step, "json_each") || strings.HasPrefix(step, "SCAN task") || strings.HasPrefix(step, "SCAN d") || strings.HasPrefix(step, "SCAN o") {
				t.Errorf("%s:\n%s", c.text, step)
			}
		}
	}
}

func TestUndoOfAGivenEntry(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0]) // 1
	judge(t, s, "ann", review.Rejected, ids[1]) // 2
	judge(t, s, "ann", review.Unsure, ids[2])   // 3
	judge(t, s, "bob", review.Approved, ids[3]) // 4
	judge(t, s, "bob", review.Approved, ids[1]) // 5
	for id, want := range map[int64]string{
		2: "segment " + review.Short(ids[1]) + " was approved by bob since: entry 5 by bob changed it since",
		4: "entry 4 is by bob: everybody undoes their own",
	} {
		_, err := s.UndoEntry(t.Context(), "ann", id)
		refused(t, err, want)
	}
	e, err := s.UndoEntry(t.Context(), "ann", 1)
	if err != nil || e.Target != 1 || e.ID != 6 || verdicts(t, s, ids) != "paua" {
		t.Fatalf("%+v %v %s", e, err, verdicts(t, s, ids))
	}
	_, err = s.UndoEntry(t.Context(), "ann", 1)
	refused(t, err, "entry 1 is undone already")
	_, err = s.UndoEntry(t.Context(), "ann", 6)
	refused(t, err, "entry 6 is an undo: redo gives entry 1 again")
	undo(t, s, "ann") // 3: undone last, and so given again first
	redo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "paua" {
		t.Errorf("redo gave another one: %s", got)
	}
	redo(t, s, "ann")
	if got := verdicts(t, s, ids); got != "aaua" {
		t.Errorf("redo: %s", got)
	}
	clean(t, s)
}

// An entry that newer ones took back and gave again is not on top: what its undo
// would leave is no state that anybody made.
func TestUndoOfAnEntryWithOthersToAndFro(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	for _, j := range []review.Judgement{{TagsOn: []string{"keep"}}, {TagsOff: []string{"keep"}}, {TagsOn: []string{"keep"}}} {
		j.Curator, j.IDs = "ann", []string{id}
		if _, err := s.Judge(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.UndoEntry(t.Context(), "ann", 1)
	refused(t, err, "entry 3 by ann changed it since")
	if got := segment(t, s, id).Tags; len(got) != 1 {
		t.Errorf("tags %v", got)
	}
	for range 3 {
		undo(t, s, "ann")
	}
	if got := segment(t, s, id).Tags; len(got) != 0 {
		t.Errorf("tags %v when all is undone", got)
	}
	clean(t, s)
}

// TestUndoOfEntriesInAnyOrderIsSound: whatever is taken back in whatever order,
// the database is sound, and giving all again restores the verdicts.
func TestUndoOfEntriesInAnyOrderIsSound(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	for i, id := range ids {
		judge(t, s, "ann", review.Approved, id)
		judge(t, s, "ann", []review.Verdict{review.Rejected, review.Unsure}[i%2], id)
	}
	end := verdicts(t, s, ids)
	for _, id := range []int64{4, 3, 8, 2, 1, 6} {
		if _, err := s.UndoEntry(t.Context(), "ann", id); err != nil {
			t.Fatal(id, err)
		}
		clean(t, s)
	}
	for range 6 {
		redo(t, s, "ann")
		clean(t, s)
	}
	if got := verdicts(t, s, ids); got != end {
		t.Errorf("%s, want %s", got, end)
	}
}

func TestUndoOfAnEntryWithBoundaries(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/a", talk(16, "x"), 1, 4, 8, 12)
	start := dump(t, s, c.id)
	byHand(t, s, c, "ann", review.ActSplit, ends(4, 6, 8, 12, 16)) // 1
	judge(t, s, "ann", review.Approved, segmentsOf(t, s, c)[1].ID) // 2
	_, err := s.UndoEntry(t.Context(), "ann", 1)
	if err == nil || !strings.Contains(err.Error(), "entry 2 by ann changed it since") {
		t.Errorf("%v", err)
	}
	undo(t, s, "ann")
	if _, err := s.UndoEntry(t.Context(), "ann", 1); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, s, c.id); got != start {
		t.Errorf("undone:\n%s\nwant\n%s", got, start)
	}
	clean(t, s)
}

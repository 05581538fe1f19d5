package store

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"winnow/core/review"
)

// tag gives segments tags and takes others away.
func tag(t *testing.T, s *Store, curator string, on, off []string, ids ...string) review.Entry {
	t.Helper()
	e, err := s.Judge(t.Context(), review.Judgement{Curator: curator, IDs: ids, TagsOn: on, TagsOff: off})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestTags: they are journalled, found by filters with and without the columns
// in memory, stay under verdicts, are undone and done again.
func TestTags(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	warm := openAt(t, s.Path())
	if err := warm.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	is := func(when, id string, want ...string) {
		t.Helper()
		if got := segment(t, s, id).Tags; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		for _, word := range []string{"a", "b", "c"} {
			for name, s := range map[string]*Store{"cold": s, "warm": warm} {
				found, err := s.IDs(t.Context(), review.Query{Filter: parsed(t, "tag:"+word)})
				if err != nil || slices.Contains(found, id) != slices.Contains(want, word) {
					t.Errorf("%s, %s: tag:%s finds %q, %v", when, name, word, found, err)
				}
			}
		}
	}
	e := tag(t, s, "ann", []string{"b", "a", "b"}, []string{"c"}, ids[0], ids[1])
	if is("tagged", ids[0], "a", "b"); e.Action != review.ActTag || e.ID == 0 || len(e.Changes) != 2 || e.Changes[0].Before.Tags != "" || e.Changes[0].After.Tags != `["a","b"]` {
		t.Errorf("entry %+v", e)
	}
	if e := tag(t, s, "ann", []string{"a"}, nil, ids[1]); e.ID != 0 || len(e.Changes) != 0 {
		t.Errorf("tagged again: %+v", e)
	}
	judge(t, s, "ann", review.Approved, ids[0])
	is("approved", ids[0], "a", "b")
	judge(t, s, "ann", review.Pending, ids[0])
	is("reset", ids[0], "a", "b")
	tag(t, s, "ann", []string{"c"}, []string{"a"}, ids[0])
	is("others", ids[0], "b", "c")
	undo(t, s, "ann")
	is("undone", ids[0], "a", "b")
	redo(t, s, "ann")
	is("redone", ids[0], "b", "c")
	for range 4 {
		undo(t, s, "ann")
	}
	is("all undone", ids[0])
	is("all undone", ids[1])
	clean(t, s)
}

// TestTagsOfTwo: what two curators add is kept, and nobody undoes what somebody
// built on.
func TestTagsOfTwo(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	other := openAt(t, s.Path())
	tag(t, s, "ann", []string{"a"}, nil, id)
	tag(t, other, "bob", []string{"b"}, nil, id)
	if got := segment(t, s, id).Tags; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("both: %q", got)
	}
	_, err := s.Undo(t.Context(), "ann")
	refused(t, err, "segment "+review.Short(id)+" got other tags by bob since")
	undo(t, other, "bob")
	if got := segment(t, s, id).Tags; !slices.Equal(got, []string{"a"}) {
		t.Errorf("bob undid: %q", got)
	}
	clean(t, s)
}

func TestTagsThatCannotBe(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	for name, j := range map[string]review.Judgement{
		"two words": {TagsOn: []string{"good", "two words"}},
		"empty":     {TagsOn: []string{""}},
		"nothing":   {TagsOn: []string{}},
	} {
		j.Curator, j.IDs = "ann", ids
		if e, err := s.Judge(t.Context(), j); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if c, err := s.Count(t.Context(), parsed(t, "has:tag")); err != nil || c.Segments != 0 {
		t.Errorf("%d have tags: %v", c.Segments, err)
	}
}

// TestTagsStayWithTheirContent: an import that changes a judged segment keeps
// them, a segment that leaves takes them along and brings them back, and the
// journal has them.
func TestTagsStayWithTheirContent(t *testing.T) {
	s := openTemp(t)
	list := talk(9, "x")
	id := put(t, s, write("/a", list[:8]))[0]
	tag(t, s, "ann", []string{"keep"}, nil, id)
	judge(t, s, "ann", review.Approved, id)
	longer(t, s, list, id)
	if got := segment(t, s, id); !got.Stale || !slices.Equal(got.Tags, []string{"keep"}) {
		t.Errorf("longer: %+v", got)
	}
	c := recorded(t, s, "/s", talk(8, "s"), 1, 4)
	first := segmentsOf(t, s, c)[0].ID
	tag(t, s, "ann", []string{"b", "a"}, nil, first)
	e := byHand(t, s, c, "ann", review.ActSplit, ends(2, 4, 8))
	if was := e.Changes[0]; was.Segment != first || was.Before.Tags != `["a","b"]` {
		t.Errorf("entry %+v", e)
	}
	undo(t, s, "ann")
	if got := segment(t, s, first).Tags; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("back with %q", got)
	}
	redo(t, s, "ann")
	tag(t, s, "bob", []string{"z"}, nil, segmentsOf(t, s, c)[0].ID)
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) {
		t.Errorf("a cut was undone below a tag: %v", err)
	}
	clean(t, s)
}

// TestASegmentWithTagsLeavesATrace: what only has tags is in the journal when
// an import retires it.
func TestASegmentWithTagsLeavesATrace(t *testing.T) {
	s := openTemp(t)
	id := put(t, s, write("/a", talk(4, "x")))[0]
	tag(t, s, "ann", []string{"keep"}, nil, id)
	w := write("/a", talk(4, "y"))
	w.Sessions[0].NewBody, w.Sessions[0].Retire = true, []string{id}
	put(t, s, w)
	log, err := s.Journal(t.Context(), 0, 10)
	if err != nil || len(log) != 2 || log[0].Action != review.ActRetire || log[0].Changes[0].Before.Tags != `["keep"]` {
		t.Errorf("%+v, %v", log, err)
	}
	clean(t, s)
}

func TestTheDoctorKnowsTags(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	change(t, s.Path(), `UPDATE task_segments SET tags = '["b", "a", "b"]' WHERE id = ?`, ids[0])
	change(t, s.Path(), "UPDATE task_segments SET tags = 'a b' WHERE id = ?", ids[1])
	found, err := s.Repair(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	var text string
	if err := s.db.Rows(t.Context(), "SELECT tags FROM task_segments WHERE id = ?", ids[0]).One(&text); err != nil || text != `["a","b"]` {
		t.Errorf("repaired to %s, %v", text, err)
	}
	left, err := s.Check(t.Context())
	if err != nil || len(left) != 1 || left[0].Rule != "tags" || left[0].Repairable {
		t.Errorf("left: %v %v", left, err)
	}
}

// TestStanding: verdicts, whose they are and tags, of those that are there.
func TestStanding(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	judge(t, s, "ann", review.Approved, ids[0])
	judge(t, s, "bob", review.Rejected, ids[1])
	tag(t, s, "bob", []string{"b", "a"}, nil, ids[1])
	now, err := s.Standing(t.Context(), []string{ids[1], "gone", ids[0], ids[2]})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(now, func(a, b review.Standing) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	want := []review.Standing{
		{ID: ids[0], Verdict: review.Approved, Reviewer: "ann"},
		{ID: ids[1], Verdict: review.Rejected, Reviewer: "bob", Tags: []string{"a", "b"}},
		{ID: ids[2], Verdict: review.Pending},
	}
	if !reflect.DeepEqual(now, want) {
		t.Errorf("%+v", now)
	}
	if steps := planOf(t, s, curatedSQL, "[]"); plainScan.MatchString(steps) {
		t.Errorf("looks at all rows\n%s", steps)
	}
}

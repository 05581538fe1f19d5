package store

import (
	"errors"
	"slices"
	"testing"

	"winnow/core/review"
)

// mask switches messages of a segment off and on again.
func mask(t *testing.T, s *Store, curator, id string, off, on []int) review.Entry {
	t.Helper()
	e, err := s.Judge(t.Context(), review.Judgement{Curator: curator, IDs: []string{id}, MaskOff: off, MaskOn: on})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestTrainingMarks: they are journalled, stay under verdicts, are undone and
// done again.
func TestTrainingMarks(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	is := func(when string, want ...int) {
		t.Helper()
		if got := segment(t, s, id).Masked; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	e := mask(t, s, "ann", id, []int{4, 2}, nil)
	if is("masked", 2, 4); e.Action != review.ActMask || e.ID == 0 || e.Changes[0].After.Masked != "2,4" || e.Changes[0].Before.Masked != "" {
		t.Errorf("entry %+v", e)
	}
	if e := mask(t, s, "ann", id, []int{2}, nil); e.ID != 0 || len(e.Changes) != 0 {
		t.Errorf("masked again: %+v", e)
	}
	judge(t, s, "ann", review.Approved, id)
	is("approved", 2, 4)
	judge(t, s, "ann", review.Pending, id)
	is("reset", 2, 4)
	mask(t, s, "ann", id, nil, []int{2})
	is("one is on again", 4)
	undo(t, s, "ann")
	is("undone", 2, 4)
	redo(t, s, "ann")
	is("redone", 4)
	for range 4 {
		undo(t, s, "ann")
	}
	is("all undone")
	clean(t, s)
}

// TestTrainingMarksOfTwo: two processes mark one segment, and nobody undoes what
// somebody built on.
func TestTrainingMarksOfTwo(t *testing.T) {
	s := openTemp(t)
	id := four(t, s)[0]
	other := openAt(t, s.Path())
	mask(t, s, "ann", id, []int{2}, nil)
	mask(t, other, "bob", id, []int{4}, nil)
	if got := segment(t, s, id).Masked; !slices.Equal(got, []int{2, 4}) {
		t.Errorf("both: %v", got)
	}
	if _, err := s.Undo(t.Context(), "ann"); !errors.Is(err, review.ErrConflict) || err.Error() != "segment "+review.Short(id)+" got other training marks by bob since" {
		t.Errorf("undone below somebody's: %v", err)
	}
	undo(t, other, "bob")
	clean(t, s)
}

func TestTrainingMarksThatCannotBe(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	for name, j := range map[string]review.Judgement{
		"none":    {Curator: "ann", IDs: ids[:1]},
		"several": {Curator: "ann", IDs: ids[:2], MaskOff: []int{2}},
		"zero":    {Curator: "ann", IDs: ids[:1], MaskOff: []int{0}},
		"beyond":  {Curator: "ann", IDs: ids[:1], MaskOn: []int{5}},
		"nobody":  {IDs: ids[:1], MaskOff: []int{2}},
	} {
		if e, err := s.Judge(t.Context(), j); err == nil {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// TestTrainingMarksLeaveWithTheirSegment: what a cut retires comes back with its
// marks, and the journal has them.
func TestTrainingMarksLeaveWithTheirSegment(t *testing.T) {
	s := openTemp(t)
	c := recorded(t, s, "/s", talk(8, "s"), 1, 4)
	id := segmentsOf(t, s, c)[0].ID
	mask(t, s, "ann", id, []int{2}, nil)
	e := byHand(t, s, c, "ann", review.ActSplit, ends(2, 4, 8))
	if was := e.Changes[0]; was.Segment != id || was.Before.Masked != "2" {
		t.Errorf("entry %+v", e)
	}
	undo(t, s, "ann")
	if got := segment(t, s, id).Masked; !slices.Equal(got, []int{2}) {
		t.Errorf("back with %v", got)
	}
	clean(t, s)
}

func TestTheDoctorKnowsTrainingMarks(t *testing.T) {
	s := openTemp(t)
	ids := four(t, s)
	change(t, s.Path(), "UPDATE task_segments SET masked = '2,9' WHERE id = ?", ids[0])
	change(t, s.Path(), "UPDATE task_segments SET masked = '2;3' WHERE id = ?", ids[1])
	found, err := s.Repair(t.Context())
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if got := segment(t, s, ids[0]).Masked; !slices.Equal(got, []int{2}) {
		t.Errorf("repaired to %v", got)
	}
	left, err := s.Check(t.Context())
	if err != nil || len(left) != 1 || left[0].Rule != "masks" || left[0].Repairable {
		t.Errorf("left: %v %v", left, err)
	}
}

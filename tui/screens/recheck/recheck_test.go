package recheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// fake is a library of verdicts by id, with all that was done.
type fake struct {
	verdicts map[string]review.Verdict
	judged   []review.Change
	err      error // of what is done next
}

func (f *fake) Segments(context.Context, review.Query) (p review.Page, err error) {
	for id, v := range f.verdicts {
		p.Segments = append(p.Segments, review.Segment{ID: id, Verdict: v, Reviewer: "ben", Note: "a note"})
	}
	return p, nil
}

func (f *fake) Segment(_ context.Context, id string) (review.Segment, error) {
	return review.Segment{ID: id, Verdict: f.verdicts[id], Reviewer: "ben", Note: "a note"}, nil
}

func (f *fake) Count(_ context.Context, n filter.Node) (review.Counts, error) {
	c := review.Counts{ByVerdict: map[review.Verdict]int{}}
	for id, v := range f.verdicts {
		if n == nil || id != "new" { // else the hidden ones are asked for
			c.Segments++
			c.ByVerdict[v]++
		}
	}
	return c, nil
}

func (f *fake) Judge(_ context.Context, j review.Judgement) (review.Entry, error) {
	if f.err != nil {
		return review.Entry{}, f.err
	}
	c := review.Change{Segment: j.IDs[0], Before: review.Mark{Verdict: f.verdicts[j.IDs[0]]}, After: review.Mark{Verdict: j.Verdict}}
	f.verdicts[c.Segment], f.judged = j.Verdict, append(f.judged, c)
	return review.Entry{Changes: []review.Change{c}}, nil
}

func (f *fake) Undo(context.Context, string) (review.Entry, error) {
	switch {
	case f.err != nil:
		return review.Entry{}, f.err
	case len(f.judged) == 0:
		return review.Entry{}, review.ErrNothing
	}
	c := f.judged[len(f.judged)-1]
	f.verdicts[c.Segment], f.judged = c.Before.Verdict, f.judged[:len(f.judged)-1]
	return review.Entry{Changes: []review.Change{c}}, nil
}

func (f *fake) Redo(context.Context, string) (review.Entry, error) {
	return review.Entry{}, review.ErrNothing
}

// second has two decided segments and one that is not.
func second() (*fake, *Sample, *Blind) {
	f := &fake{verdicts: map[string]review.Verdict{"good": review.Approved, "bad": review.Rejected, "new": review.Pending}}
	s := &Sample{Pending: []string{"new"}, Answer: func(context.Context, *review.Segment, review.Verdict) error { return f.err }}
	for _, id := range []string{"good", "bad"} {
		s.Decided = append(s.Decided, review.Segment{ID: id, Topic: "The " + id + " one", Verdict: f.verdicts[id], Reviewer: "ben", Note: "a note"})
	}
	return f, s, NewBlind(f, s, "ann", func() time.Time { return time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC) })
}

func judge(t *testing.T, b *Blind, id string, v review.Verdict) {
	t.Helper()
	if _, err := b.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: []string{id}, Verdict: v}); err != nil {
		t.Fatal(err)
	}
}

// TestBlind: nothing tells what was decided, and answers change no verdict.
func TestBlind(t *testing.T) {
	f, _, b := second()
	page, err := b.Segments(t.Context(), review.Query{})
	one, oneErr := b.Segment(t.Context(), "good")
	for _, s := range append(page.Segments, one) {
		if s.Verdict != review.Pending || s.ID != "new" && (s.Reviewer != "" || s.Note != "") {
			t.Errorf("%s is shown as %s by %q: %q", s.ID, s.Verdict, s.Reviewer, s.Note)
		}
	}
	counts := func(want string) {
		t.Helper()
		c, err := b.Count(t.Context(), nil)
		if got := fmt.Sprint(c.ByVerdict[review.Approved], c.ByVerdict[review.Rejected], c.ByVerdict[review.Pending]); got != want || err != nil {
			t.Errorf("%s approved, rejected, pending (%v), want %s", got, err, want)
		}
	}
	counts("0 0 3")
	judge(t, b, "good", review.Rejected)
	judge(t, b, "new", review.Approved)
	counts("1 1 1")
	one, _ = b.Segment(t.Context(), "good")
	if one.Verdict != review.Rejected || one.Reviewer != "ann" || f.verdicts["good"] != review.Approved {
		t.Errorf("shown as %s by %s, is %s", one.Verdict, one.Reviewer, f.verdicts["good"])
	}
	if _, many := b.Judge(t.Context(), review.Judgement{IDs: []string{"good", "new"}, Verdict: review.Approved}); many == nil || err != nil || oneErr != nil {
		t.Error(many, err, oneErr)
	}
}

// TestUndo: answers and verdicts are taken back in their turn; what could not be
// taken back is the next one again, and what the journal refuses is passed over.
func TestUndo(t *testing.T) {
	f, _, b := second()
	judge(t, b, "good", review.Rejected)
	judge(t, b, "new", review.Approved)
	judge(t, b, "bad", review.Rejected)
	answers := func(want ...string) {
		t.Helper()
		var got []string
		for _, r := range b.results() {
			got = append(got, r.Segment)
		}
		if !slices.Equal(got, want) {
			t.Errorf("answers to %q, want %q", got, want)
		}
	}
	undo := func(err error) {
		t.Helper()
		if _, got := b.Undo(t.Context(), "ann"); !errors.Is(got, err) {
			t.Errorf("undo: %v, want %v", got, err)
		}
	}
	f.err = errors.New("the disk is full")
	undo(f.err)
	answers("good", "bad")
	f.err = nil
	undo(nil)
	answers("good")
	f.err = review.ErrConflict
	undo(f.err)
	f.err = nil
	undo(nil)
	answers()
	undo(review.ErrNothing)
	for range 2 {
		if _, err := b.Redo(t.Context(), "ann"); err != nil {
			t.Error(err)
		}
	}
	answers("good", "bad")
	if f.verdicts["new"] != review.Approved {
		t.Errorf("new is %s", f.verdicts["new"])
	}
}

// program writes at once.
type program struct {
	t    *testing.T
	quit bool
}

func (p *program) Title(s *review.Segment) string                         { return "title of " + s.ID }
func (p *program) Write(do func(context.Context) error, done func(error)) { done(do(p.t.Context())) }
func (p *program) Quit()                                                  { p.quit = true }

func TestEnd(t *testing.T) {
	f, sample, b := second()
	sample.Decided[1].Topic = ""
	judge(t, b, "good", review.Rejected)
	judge(t, b, "bad", review.Approved)
	p := &program{t: t}
	x := screentest.Start(t, 80, 20, Rows(), func(s screen.Seat) *Screen { return New(s, p, b) })
	x.Wants("recheck", "2 decided segments", "Agreed on 0 of 2", "The good one", "approved stays", "title of bad")
	x.Press("u")
	x.Wants("no verdict was replaced")
	x.Press("a")
	x.Wants("rejected taken", "rejected stays")
	if marked := x.Marked(); len(marked) != 1 || f.verdicts["good"] != review.Rejected {
		t.Errorf("at %q, good is %s", marked, f.verdicts["good"])
	}
	f.err = review.ErrNotFound
	x.Press("enter")
	x.Wants("cut again meanwhile", "rejected stays")
	x.Press("k u")
	x.Wants("rejected taken") // the disk did not undo it
	f.err = nil
	x.Press("u")
	x.Wants("approved stays")
	if f.verdicts["good"] != review.Approved {
		t.Errorf("good is %s", f.verdicts["good"])
	}
	if said := x.Layer.(*Screen).Footer(); !slices.Equal(said, []string{"was approved by ben", "✎ a note"}) {
		t.Errorf("footer %q", said)
	}
	x.Press("q")
	if !p.quit {
		t.Error("it stays")
	}
}

package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/tui/screens/recheck"
	"winnow/tui/work/worktest"
)

// askedIDs is a library that notes which lists it was asked for.
type askedIDs struct {
	*clusteredLibrary
	asked []review.Query
}

func (l *askedIDs) IDs(ctx context.Context, q review.Query) ([]string, error) {
	l.asked = append(l.asked, q)
	return l.clusteredLibrary.IDs(ctx, q)
}

// A range beyond the rows in memory is cut out of the list that is shown: in its
// order, with what is alike as one row.
func TestRangeIsOfTheListShown(t *testing.T) {
	list := manySegments(3000)
	for i := range list {
		list[i].Score = new(float64)
	}
	lib := &clusteredLibrary{fakeLibrary: &fakeLibrary{segments: list}, doubt: review.Doubt{Threshold: 0.85, From: review.FromVerdicts}}
	spy := &askedIDs{clusteredLibrary: lib}
	x := start(t, lib.fakeLibrary, 100, 20, clustered(lib), func(o *Options) { o.Library, o.Quotas = spy, review.Quotas{"code": 1} })
	last := func() review.Query {
		t.Helper()
		if len(spy.asked) == 0 {
			t.Fatal("the library was not asked")
		}
		return spy.asked[len(spy.asked)-1]
	}
	x.press("s u v G")
	if q := last(); q.Order != review.Uncertain || q.Threshold != 0.85 || !q.Collapse {
		t.Errorf("by doubt: asked by %s around %v, collapsed: %v", q.Order, q.Threshold, q.Collapse)
	}
	x.press("esc esc s b v G")
	if q := last(); q.Order != review.Balance || q.Quotas["code"] != 1 {
		t.Errorf("by balance: asked by %s with %v", q.Order, q.Quotas)
	}
}

// A range that is ended before its rows have come ends where it was ended, and
// what is done to the marked ones waits for them.
func TestRangeEndsWhereItWasEnded(t *testing.T) {
	x := start(t, &fakeLibrary{segments: manySegments(3000)}, 100, 20)
	x.press("v G")
	x.hold = true
	x.press("k k")
	x.press("g")
	x.release()
	x.press("G")
	x.hold = true
	x.press("k k k v t")
	x.wants("still being marked")
	x.release()
	if n := len(x.app.Marked()); n != 2997 {
		t.Errorf("%d are marked", n)
	}
}

// A question that waits after another one is not answered by its keys.
func TestQuestionWaitsBehindAnother(t *testing.T) {
	s := &worktest.Source{Left: modelPlan}
	x := start(t, small(8), 100, 24, cutting(s))
	x.press("A")
	for range 4 {
		x.tick()
	}
	x.press("y y")
	if x.app.work.Asks() || s.Did != "" || len(s.Allowed) > 0 {
		t.Error("the question about sending was answered unseen")
	}
}

// What B asks about is answered by the next key, and by no other.
func TestBestAsksAnew(t *testing.T) {
	lib := alikeLibrary()
	x := start(t, lib.fakeLibrary, 140, 20, clustered(lib))
	lib.segments[1].Verdict = review.Approved
	x.lib.change(func(*fakeLibrary) {})
	x.tick()
	x.press("g j B j k B")
	x.wants("press it again")
	x.press("B")
	x.wants("approved", "rejected 2 alike")
}

// failingState keeps nothing, so often.
type failingState struct{ left, saved int }

func (f *failingState) Save(context.Context, Screen) error {
	if f.left--; f.left >= 0 {
		return errors.New("disk full")
	}
	f.saved++
	return nil
}

func TestStateIsSavedAgainIfItFailed(t *testing.T) {
	f := &failingState{left: 2}
	x := start(t, small(8), 100, 24, func(o *Options) { o.State = f })
	x.tick()
	x.press("j j")
	for range 8 {
		x.tick()
	}
	if f.left > 0 || f.saved != 1 {
		t.Errorf("%d saves were to fail yet, %d worked", f.left, f.saved)
	}
}

// Each of the decided segments of a second look is a row, whatever it is like.
func TestSecondLookTakesClustersApart(t *testing.T) {
	lib := alikeLibrary()
	r := &recheck.Sample{Answer: fakeRechecks{}.Answer, Seed: 7, Decided: lib.segments[1:4]}
	x := start(t, lib.fakeLibrary, 140, 20, clustered(lib), func(o *Options) { o.Recheck = r })
	if strings.Contains(x.screen(), x.app.G.About) {
		t.Error("what is alike is one row")
	}
}

// A verdict that takes the place of somebody else's says so.
func TestVerdictOverAnothersSaysSo(t *testing.T) {
	lib := small(3)
	lib.segments[0].Verdict, lib.segments[0].Reviewer = review.Approved, "ben"
	lib.segments[1].Verdict, lib.segments[1].Reviewer = review.Approved, "ann"
	x := start(t, lib, 120, 24)
	x.press("g r")
	x.wants("rejected", "was approved by ben")
	x.press("g j r")
	if strings.Contains(x.screen(), "was approved by ann") {
		t.Error("one's own verdict is told as another's")
	}
}

package tui

import (
	"errors"
	"slices"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
)

func TestWhyScreen80x24(t *testing.T) {
	x := bulkScreen(t, 80, 24, "r ,")
	golden.RequireEqual(t, x.screen())
}

func TestWhyScreen200x60(t *testing.T) {
	x := bulkScreen(t, 200, 60, "r , l ,")
	golden.RequireEqual(t, x.screen())
}

// TestWhyIsOfTheLastVerdict: the selection went on, the reason goes to what was judged.
func TestWhyIsOfTheLastVerdict(t *testing.T) {
	lib := small(5)
	x := start(t, lib, 140, 24)
	x.press(",")
	x.wants("a reason is for a verdict: none was given yet")
	x.press("r ,")
	x.wants("w wrong answer", "l loop", "g gave up", "u unsafe", "p private", "b bad prompt", "esc no", "why “Task number 0”")
	x.press("g")
	x.wants("why: gave up · “Task number 0”", "u undo")
	check := func(at int, want ...string) {
		t.Helper()
		if got := lib.segments[at].Tags; !slices.Equal(got, want) {
			t.Errorf("%d has %q, want %q", at, got, want)
		}
	}
	check(0, "why:gave-up")
	x.press(", w")
	check(0, "why:gave-up", "why:wrong-answer")
	x.press(",")
	x.wants("✓ gave up", "✓ wrong answer")
	x.press("g")
	x.wants("no longer gave up · “Task number 0”")
	check(0, "why:wrong-answer")
	x.press("u")
	check(0, "why:gave-up", "why:wrong-answer")
	x.press("u u")
	check(0)
	if lib.segments[0].Verdict != review.Rejected {
		t.Error("undo of reasons took the verdict")
	}
	if lib.segments[1].Verdict != review.Pending || len(lib.segments[1].Tags) > 0 {
		t.Error("something happened to the next segment")
	}
}

// TestWhyIsOfTheSelectedVerdict: what is selected goes before what was judged last.
func TestWhyIsOfTheSelectedVerdict(t *testing.T) {
	lib := small(4)
	lib.segments[2].Verdict = review.Rejected
	x := start(t, lib, 140, 24)
	x.press("a j , l")
	if !slices.Equal(lib.segments[2].Tags, []string{"why:loop"}) || len(lib.segments[0].Tags) > 0 {
		t.Errorf("%q, %q", lib.segments[2].Tags, lib.segments[0].Tags)
	}
}

// TestWhyOfMany: a verdict on many gets one reason, which one undo takes back; marked
// ones likewise.
func TestWhyOfMany(t *testing.T) {
	lib := small(5)
	x := start(t, lib, 140, 24)
	x.press("v j j v R y j j j ,")
	x.wants("why all 3 last judged")
	x.press("p")
	for i := range 3 {
		if !slices.Equal(lib.segments[i].Tags, []string{"why:private"}) {
			t.Errorf("%d has %q", i, lib.segments[i].Tags)
		}
	}
	x.press("u")
	if len(lib.segments[0].Tags)+len(lib.segments[2].Tags) > 0 {
		t.Errorf("undone: %q", lib.segments[0].Tags)
	}
	x.press("g space space , b")
	if !slices.Equal(lib.segments[1].Tags, []string{"why:bad-prompt"}) || len(lib.segments[2].Tags) > 0 {
		t.Errorf("marked: %q", lib.segments[1].Tags)
	}
}

// TestWhyIsLeft: no other key does what it does elsewhere, and what is not written is
// taken back.
func TestWhyIsLeft(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 140, 24, func(o *Options) { o.Whys = []review.Why{{Key: "a", Word: "all wrong"}, {Key: "j", Word: "jumps"}} })
	x.press("r , x")
	x.wants("no reason has the key x", "a all wrong")
	x.press("esc")
	if x.app.AsksWhy() || len(lib.segments[0].Tags) > 0 || lib.segments[0].Verdict != review.Rejected {
		t.Errorf("%+v", lib.segments[0])
	}
	lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.press(", a")
	x.wants("was not saved: disk full")
	lib.fail = nil
	x.press(", a")
	if got := lib.segments[0].Tags; !slices.Equal(got, []string{"why:all-wrong"}) {
		t.Errorf("tags %q", got)
	}
}

// TestWhyIsOfNoVerdictThatWasTakenBack: after an undo there is nothing to give it to.
func TestWhyIsOfNoVerdictThatWasTakenBack(t *testing.T) {
	lib := small(5)
	x := start(t, lib, 140, 24)
	x.press("r u ,")
	x.wants("a reason is for a verdict: none was given yet")
	x.press("g")
	if got := lib.segments[0].Tags; len(got) > 0 {
		t.Errorf("a pending segment has %q", got)
	}
	x = start(t, lib, 140, 24)
	x.press("space space R enter")
	x.tick()
	x.press("u")
	x.tick()
	x.press("G ,")
	x.wants("the last judged segments have no verdict any more")
}

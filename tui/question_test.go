package tui

import (
	"errors"
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/draw"
)

// ask starts a screen that has something to ask.
func ask(t *testing.T, f *fakeSegmenting, w, h int) *harness {
	t.Helper()
	x := start(t, small(30), w, h, segmentingWith(f))
	lacks(t, x, "Send ")
	if f.did() != "" || len(f.allowed) != 0 {
		t.Fatalf("something was sent unasked: %q, %v", f.did(), f.allowed)
	}
	x.tick()
	x.wants(draw.Plural(f.plan.Sessions, "session"), "api.example.com", "3.1M", "tiny", "y send")
	if n := len(x.lines()); n != h {
		t.Errorf("%d lines of %d", n, h)
	}
	return x
}

func TestNothingIsSentBeforeYes(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 60}} {
		f := &fakeSegmenting{plan: modelPlan}
		x := ask(t, f, size[0], size[1])
		x.press("a r f x space enter = T esc j j") // none of them answers, and none judges
		x.tick()
		if f.did() != "" || x.lib.verdictOf(0) != review.Pending || x.app.list.Cur != 2 {
			t.Errorf("%q, %s, row %d", f.did(), x.lib.verdictOf(0), x.app.list.Cur)
		}
		x.press("a")
		x.wants("y send", "n offline", "q later") // whatever else there is to say
		x.press("y")
		if f.did() != "m" || fmt.Sprint(f.allowed) != "[api.example.com]" {
			t.Errorf("runs: %q, allowed %v", f.did(), f.allowed)
		}
		lacks(t, x, "Send ")
		f.plan = modelPlan
		x.run(x.app.lookForCuts())
		if f.did() != "mm" {
			t.Errorf("asked again: %q\n%s", f.did(), x.screen())
		}
	}
}

func TestNoCutsByRulesInThisRun(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan}
	x := ask(t, f, 80, 24)
	x.press("n")
	f.plan = modelPlan
	x.run(x.app.lookForCuts())
	if f.did() != "rr" || len(f.allowed) != 0 {
		t.Errorf("runs: %q, allowed %v", f.did(), f.allowed)
	}
	ask(t, &fakeSegmenting{plan: modelPlan}, 80, 24) // the next run asks again
}

func TestLaterDoesNothing(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan}
	x := ask(t, f, 80, 24)
	x.press("esc")
	x.run(x.app.lookForCuts())
	if f.did() != "" || len(f.allowed) != 0 || x.quit {
		t.Errorf("runs: %q, allowed %v, quit %v", f.did(), f.allowed, x.quit)
	}
	x.press("a")
	if x.lib.verdictOf(0) != review.Approved {
		t.Error("the keys do not work again")
	}
}

// TestYesThatCannotBeRememberedSendsNothing: the next run would ask for what
// was sent already.
func TestYesThatCannotBeRememberedSendsNothing(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan, refuse: errors.New("disk full")}
	x := ask(t, f, 80, 24)
	x.press("y")
	if f.did() != "" {
		t.Errorf("runs: %q", f.did())
	}
	x.wants("segmenting: disk full")
}

// TestQuestionWaitsForAHandThatTypes: no key that was meant for something else
// answers it.
func TestQuestionWaitsForAHandThatTypes(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan}
	x := start(t, small(30), 80, 24, segmentingWith(f))
	x.press("n")
	x.write("very nice")
	x.tick()
	x.tick()
	lacks(t, x, "Send ")
	x.press("enter")
	if x.lib.segments[0].Note != "very nice" {
		t.Errorf("note %q", x.lib.segments[0].Note)
	}
	x.press("j")
	x.tick()
	lacks(t, x, "Send ")
	x.tick()
	x.wants("Send ")
	x.press("ctrl+c")
	if !x.quit || f.did() != "" {
		t.Errorf("quit %v, runs %q", x.quit, f.did())
	}
}

func TestQuestion80x24(t *testing.T) {
	x := ask(t, &fakeSegmenting{plan: CutPlan{Sessions: 1, Tokens: 4200, Host: "api.example.com", Model: "tiny 3.1M"}}, 80, 24)
	golden.RequireEqual(t, x.screen())
}

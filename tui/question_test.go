package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/work"
	"winnow/tui/work/worktest"
)

// ask starts a screen that has something to ask.
func ask(t *testing.T, f *worktest.Source, w, h int) *harness {
	t.Helper()
	x := start(t, small(30), w, h, cutting(f))
	lacks(t, x, "Send ")
	if f.Did != "" || len(f.Allowed) != 0 {
		t.Fatalf("something was sent unasked: %q, %v", f.Did, f.Allowed)
	}
	x.tick()
	x.wants("Send ", "api.example.com", "3.1M", "tiny", "y send")
	if n := len(x.lines()); n != h {
		t.Errorf("%d lines of %d", n, h)
	}
	return x
}

func TestNothingIsSentBeforeYes(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {200, 60}} {
		f := &worktest.Source{Left: modelPlan}
		x := ask(t, f, size[0], size[1])
		x.press("a r f x space enter = T esc j j") // none of them answers, and none judges
		x.tick()
		if f.Did != "" || x.lib.verdictOf(0) != review.Pending || x.app.List.Cur != 2 {
			t.Errorf("%q, %s, row %d", f.Did, x.lib.verdictOf(0), x.app.List.Cur)
		}
		x.press("a")
		x.wants("y send", "n offline", "q later") // whatever else there is to say
		x.press("y")
		if f.Did != "m" || fmt.Sprint(f.Allowed) != "[api.example.com]" {
			t.Errorf("runs: %q, allowed %v", f.Did, f.Allowed)
		}
		lacks(t, x, "Send ")
		f.Left = modelPlan
		x.run(x.app.work.Begin())
		if f.Did != "mm" {
			t.Errorf("asked again: %q\n%s", f.Did, x.screen())
		}
	}
}

func TestLaterDoesNothing(t *testing.T) {
	f := &worktest.Source{Left: modelPlan}
	x := ask(t, f, 80, 24)
	x.press("esc")
	x.run(x.app.work.Begin())
	if f.Did != "" || len(f.Allowed) != 0 || x.quit {
		t.Errorf("runs: %q, allowed %v, quit %v", f.Did, f.Allowed, x.quit)
	}
	x.press("a")
	if x.lib.verdictOf(0) != review.Approved {
		t.Error("the keys do not work again")
	}
}

// TestQuestionWaitsForAHandThatTypes: no key that was meant for something else
// answers it.
func TestQuestionWaitsForAHandThatTypes(t *testing.T) {
	f := &worktest.Source{Left: modelPlan}
	x := start(t, small(30), 80, 24, cutting(f))
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
	if !x.quit || f.Did != "" {
		t.Errorf("quit %v, runs %q", x.quit, f.Did)
	}
}

func TestQuestion80x24(t *testing.T) {
	x := ask(t, &worktest.Source{Left: work.Plan{Sent: 1, Tokens: 4200, Host: "api.example.com", Model: "tiny 3.1M"}}, 80, 24)
	golden.RequireEqual(t, x.screen())
}

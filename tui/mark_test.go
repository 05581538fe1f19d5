package tui

import (
	"slices"
	"testing"
)

// TestTextsOfTheFilterAreMarked: the reader is told once, when they change.
func TestTextsOfTheFilterAreMarked(t *testing.T) {
	x := start(t, small(5), 120, 24, filtered(`status:pending "Segment"`))
	marks := func() (n int, last string) {
		for _, call := range x.pane.calls {
			if len(call) > 5 && call[:5] == "mark " {
				n, last = n+1, call
			}
		}
		return n, last
	}
	x.press("j k j")
	if n, last := marks(); n != 1 || last != "mark [{Segment true false}]" {
		t.Errorf("%d times, %s: %q", n, last, x.pane.calls)
	}
	x.press("]")
	before, _ := marks()
	x.press("j")
	if n, _ := marks(); n != before {
		t.Errorf("marked %d times", n)
	}
	if slices.Contains(x.pane.calls, "mark []") {
		t.Error("the texts were forgotten")
	}
}

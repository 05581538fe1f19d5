package tui

import (
	"slices"
	"strings"
	"testing"

	"winnow/tui/work"
	"winnow/tui/work/worktest"
)

// TestBoundariesSayWhatIsSeparated: a result without its call is told before
// the draft is kept, and when it was.
func TestBoundariesSayWhatIsSeparated(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("g")
	at := x.message()
	for range 5 - at {
		x.press("j")
	}
	x.press("s")
	if strings.Contains(x.screen(), "from its call") {
		t.Errorf("a call is separated from nothing above it:\n%s", x.screen())
	}
	x.press("j s")
	x.wants("splits result 6 from its call: exports leave both parts out")
	x.press("j s")
	x.wants("splits result 6 and 1 more from their calls")
	x.press("u u")
	if strings.Contains(x.screen(), "from its call") {
		t.Errorf("still told:\n%s", x.screen())
	}
	x.press("s enter")
	x.wants("cut kept: splits result 6 from its call")
}

// TestWhatACutDoesIsReadWhole: on as many lines as it takes, but for most of the
// screen. The messages keep the others.
func TestWhatACutDoesIsReadWhole(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		lines []string
	}{
		{200, 24, []string{"splits result 6 from its call: exports leave both parts out · 1 approved segment becomes stale · 2 segments more"}},
		{80, 24, []string{"splits result 6 from its call: exports leave both parts out", "1 approved segment becomes stale · 2 segments more"}},
		{40, 24, []string{"splits result 6 from its call: exports", "leave both parts out", "1 approved segment becomes stale", "2 segments more"}},
		{40, 10, []string{"splits result 6 from its call: exports…"}},
	} {
		x, _ := startBoundaries(t, mixedSession(), 2, c.w, c.h)
		x.press("g j j j j s j s")
		lines := x.lines()
		for i, want := range slices.Backward(c.lines) {
			if got := strings.TrimSpace(lines[len(lines)-1-len(c.lines)+i]); got != want {
				t.Errorf("%d×%d: %q, want %q", c.w, c.h, got, want)
			}
		}
		checkSize(t, x, c.w, c.h)
		x.wants(" 6 tool")
	}
}

// TestKeptBoundariesAreScored: what has no score is left out by filters.
func TestKeptBoundariesAreScored(t *testing.T) {
	f := &worktest.Source{}
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30, scoring(f))
	if f.Did != "" {
		t.Fatalf("runs %q", f.Did)
	}
	f.Left = work.Plan{Here: 1}
	x.press("M enter")
	if f.Did != "h" {
		t.Errorf("runs %q, want the new segment measured", f.Did)
	}
}

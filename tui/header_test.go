package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
)

func TestHeaderShowsPlaceAndOrderAtAnyWidth(t *testing.T) {
	for _, w := range []int{72, 80, 110, 160, 220} {
		x := start(t, sampleLibrary(), w, 24, func(o *Options) { o.Order = review.BestScore })
		header := x.lines()[0]
		for _, want := range []string{"~/sessions", "best score", "11 segments", "27% done"} {
			if !strings.Contains(header, want) {
				t.Errorf("%d cells: no %q in %q", w, want, header)
			}
		}
	}
	x := start(t, sampleLibrary(), 40, 10, func(o *Options) { o.Order = review.BestScore })
	if header := x.lines()[0]; !strings.Contains(header, "27% done") || ansi.StringWidth(header) > 40 {
		t.Errorf("%q", header)
	}
}

func TestVerdictsAreCountedInOneWay(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Order = review.LeastToken })
	x.wants("fewest tokens", "✓ 1  ✗ 1  ◐ 1  27% done")
}

func TestOrdersByScoreAreLeftOutWithoutScores(t *testing.T) {
	x := start(t, small(5), 120, 24)
	x.press("s s")
	if x.app.Order != review.Natural {
		t.Fatalf("sorted by %s, of which there is none", x.app.Order)
	}
	x.wants("no segment has a score yet")
}

func TestAnotherOrderIsReadAgainAfterAFailure(t *testing.T) {
	lib := small(1000)
	x := start(t, lib, 80, 24)
	x.press("j j j")
	lib.fail = map[string]error{"Segments": review.ErrNotFound}
	x.press("s d")
	lib.fail = nil
	x.tick()
	if x.app.List.Order != review.Newest || x.selected() != "00000003" {
		t.Errorf("order %q, selected %s", x.app.List.Order, x.selected())
	}
	checkWindow(t, x)
}

func TestDatesAreShownWhereTheySort(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	if strings.Contains(x.screen(), "4 May 12:00") {
		t.Error("a date that nobody asked for")
	}
	x.press("s d")
	x.wants("newest first", "4 May 12:00")
	x.lib.change(func(l *fakeLibrary) { l.segments[0].Recorded = someday.AddDate(-3, 0, 0) })
	x.tick()
	x.wants("4 May 2023")
}

// TestAFilterLeavesTheHistogramItsPlace: what is left out is the folder, and no
// gap stays where the name stood.
func TestAFilterLeavesTheHistogramItsPlace(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, filtered("score>=0.40 status:pending has:error"))
	header := x.lines()[0]
	if !strings.Contains(header, "█") || strings.HasPrefix(header, "  ") {
		t.Errorf("%q", header)
	}
}

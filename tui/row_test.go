package tui

import (
	"strings"
	"testing"

	"winnow/core/review"

	"github.com/charmbracelet/x/ansi"
)

// rowOf returns the line of the list that holds text.
func rowOf(x *harness, text string) string {
	for _, l := range x.lines()[1:] {
		if strings.Contains(l, text) {
			return l
		}
	}
	x.t.Errorf("no %q on the screen:\n%s", text, x.screen())
	return ""
}

func TestScoresHaveAColumnOnlyIfThereAreAny(t *testing.T) {
	lib := small(3)
	if got := rowOf(start(t, lib, 80, 24), "number 0"); !strings.HasPrefix(got, "▌● Task number 0") {
		t.Errorf("%q", got)
	}
	score := 0.5
	lib.segments[2].Score = &score
	if got := rowOf(start(t, lib, 80, 24), "number 0"); !strings.HasPrefix(got, "▌●  –   ") {
		t.Errorf("%q", got)
	}
}

// TestHeadingsNameTheColumns: and say which row of how many is selected, and the column
// that the list is sorted by is there however narrow the list is.
func TestHeadingsNameTheColumns(t *testing.T) {
	x := start(t, small(300), 80, 24)
	if got := x.lines()[1]; !strings.HasPrefix(got, "   topic ") || !strings.HasSuffix(got, " 1/300  source        msg tool  fail   tok ") {
		t.Errorf("%q", got)
	}
	x.press("G")
	x.wants(" 300/300 ")
	x.press("g j")
	x.wants(" 2/300 ")
	for order, want := range map[review.Order]string{review.Newest: "date", review.Longest: "msg", review.MostFailures: "fail", review.LeastToken: "tok"} {
		for _, w := range []int{40, 50, 80, 130, 200} {
			x := start(t, small(30), w, 24, func(o *Options) { o.Order = order })
			if got := x.lines()[1]; !strings.Contains(got, want) || ansi.StringWidth(got) != w {
				t.Errorf("%s, %d cells: %q", order, w, got)
			}
		}
	}
}

// TestWideListsTellMore: at 200 columns there are source, model and date.
func TestWideListsTellMore(t *testing.T) {
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].Model = "gpt-\x1b[31m5"
	}
	x := start(t, lib, 200, 24)
	for _, want := range []string{" date ", " source ", " model "} {
		if !strings.Contains(x.lines()[1], want) {
			t.Errorf("no %q: %q", want, x.lines()[1])
		}
	}
	x.wants("gpt-␛[3", " s1 ")
}

// TestLikelyHasAColumn: only where something was learned, however narrow the list is if
// that is what it is sorted by.
func TestLikelyHasAColumn(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 200, 24)
	if got := x.lines()[1]; strings.Contains(got, "likely") {
		t.Errorf("nothing was learned: %q", got)
	}
	likely := 0.82
	lib.segments[1].Likely = &likely
	for _, w := range []int{80, 120, 200} {
		x := start(t, lib, w, 24)
		if got := x.lines()[1]; !strings.HasPrefix(got, "   likely ") {
			t.Errorf("%d cells: %q", w, got)
		}
		if got := rowOf(x, "number 1"); !strings.HasPrefix(got, " ●   0.82 ") {
			t.Errorf("%d cells: %q", w, got)
		}
	}
	for _, by := range []review.Order{review.Likeliest, review.Uncertain} {
		x := start(t, lib, 40, 24, func(o *Options) { o.Order = by })
		x.wants("likely", "0.82")
	}
}

func TestNotesAreMarkedInTheList(t *testing.T) {
	lib := small(3)
	lib.segments[1].Note = "look again"
	lib.segments[1].Topic = strings.Repeat("a topic without an end ", 20)
	for _, w := range []int{60, 80, 120, 200} {
		x := start(t, lib, w, 24)
		if got := rowOf(x, "a topic without"); !strings.Contains(got, "… ✎") {
			t.Errorf("%d cells: %q", w, got)
		}
		if got := rowOf(x, "number 2"); strings.Contains(got, "✎") {
			t.Errorf("%d cells: %q", w, got)
		}
	}
	x := start(t, lib, 80, 24, func(o *Options) { o.ASCII = true })
	if got := rowOf(x, "a topic without"); !strings.Contains(got, "~ n ") {
		t.Errorf("%q", got)
	}
}

// A segment with edited messages has a mark beside its verdict, and no cell more.
func TestEditsAreMarkedInTheList(t *testing.T) {
	lib := small(3)
	lib.segments[1].Edited = "0123456789abcdef"
	for _, w := range []int{40, 80, 120, 200} {
		x := start(t, lib, w, 24)
		got, want := rowOf(x, "number 1"), strings.Replace(rowOf(x, "number 2"), "number 2", "number 1", 1)
		if !strings.HasPrefix(got, " ●✎") || strings.Index(got, "number")-len("✎") != strings.Index(want, "number")-len(" ") {
			t.Errorf("%d cells: %q beside %q", w, got, want)
		}
		if strings.Contains(want, "✎") {
			t.Errorf("%d cells: %q", w, want)
		}
	}
	x := start(t, lib, 80, 24, func(o *Options) { o.ASCII = true })
	if got := rowOf(x, "number 1"); !strings.HasPrefix(got, " oE") {
		t.Errorf("%q", got)
	}
}

func TestFilesTellEqualTopicsApartWhereThereIsRoom(t *testing.T) {
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].Topic = "The same prompt"
	}
	for _, w := range []int{100, 220} {
		x := start(t, lib, w, 24)
		x.wants("  s0 ", "  s1 ", "  s2 ")
	}
	if x := start(t, lib, 60, 24); strings.Contains(x.screen(), "s1.jsonl") {
		t.Error("a file instead of a topic")
	}
}

func TestStartSelectsTheFirstPendingSegment(t *testing.T) {
	for _, judged := range []int{0, 1, 7, 2500} {
		lib := small(3000)
		for i := range judged {
			lib.segments[i].Verdict = review.Approved
		}
		x := start(t, lib, 80, 24)
		if got := x.app.List.Selected(); got == nil || got.ID != lib.segments[judged].ID {
			t.Errorf("%d judged: selected %s", judged, x.selected())
		}
		x.press("g")
		x.tick()
		if x.selected() != "00000000" {
			t.Error("it happens again after the start")
		}
	}
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].Verdict = review.Rejected
	}
	if x := start(t, lib, 80, 24); x.selected() != "00000000" {
		t.Errorf("all judged: %s", x.selected())
	}
}

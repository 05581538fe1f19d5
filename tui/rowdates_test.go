package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/review"
)

// TestOnlyRecordedTimesAreDates: a row shows that of its messages, else of its session,
// and not when it was imported; years stand in full.
func TestOnlyRecordedTimesAreDates(t *testing.T) {
	lib := small(4)
	for i := range 3 {
		lib.segments[i].Recorded = time.Time{}
	}
	lib.segments[3].Recorded = time.Date(2025, 1, 19, 9, 0, 0, 0, time.UTC)
	lib.sessions = map[string]review.Session{
		"s1": {ID: "s1", Started: "2026-03-30T14:22:31Z"}, "s2": {ID: "s2", Started: "2025-12-24T14:22:31Z"},
	}
	x := start(t, lib, 200, 24)
	for at, want := range []string{"–", "30 Mar", "Dec 2025", "Jan 2025"} {
		text := fmt.Sprintf("● %-8s Task number %d", want, at)
		x.wants(text)
	}
	x = start(t, lib, 80, 24, func(o *Options) { o.Order = review.Newest })
	x.wants("– ", "30 Mar 14:22", "24 Dec 2025", "19 Jan 2025")
}

// TestWhatIsLeftKeepsColumnsInPlace: it shares the cells of the topic, however wide the
// list is.
func TestWhatIsLeftKeepsColumnsInPlace(t *testing.T) {
	for _, w := range []int{120, 200} {
		lib := alikeLibrary()
		lib.segments[1].Verdict = review.Approved
		for i := range lib.segments {
			lib.segments[i].Topic += strings.Repeat(" and more", 9)
			lib.segments[i].TaskType = "ops"
		}
		x := start(t, lib.fakeLibrary, w, 20, clustered(lib))
		row := rowOf(x, "≈3")
		if !strings.Contains(row, "2 left") && !strings.Contains(row, "2 alike pending") {
			t.Errorf("%d cells: nothing is left: %q", w, row)
		}
		if w == 200 && !strings.Contains(row, "  s1 ") {
			t.Errorf("no source: %q", row)
		}
	}
}

// TestModelsStayBesideLikely: where names are short, both have room.
func TestModelsStayBesideLikely(t *testing.T) {
	lib := small(3)
	likely, score := 0.5, 0.6
	for i := range lib.segments {
		s := &lib.segments[i]
		s.Model, s.Likely, s.Score, s.TaskType = "claude-opus-4-5-20251101", &likely, &score, "code"
	}
	x := start(t, lib, 200, 24)
	x.wants("likely", " model ", "  opus-4-5 ", " date ", " source ")
}

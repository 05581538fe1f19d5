package tui

import (
	"testing"

	"winnow/core/review"
)

// TestBulkUnderAFilterIsNotAll: what the filter keeps out is still to be judged.
func TestBulkUnderAFilterIsNotAll(t *testing.T) {
	lib := small(6)
	for i := range 3 {
		lib.segments[i].Tags = []string{"golden"}
	}
	x := start(t, lib, 140, 24, filtered("tag:golden"))
	x.press("A y")
	x.tick()
	x.wants("approved 3 segments", "nothing that passes the filter is pending · 3 others are", "100% of these done")
	lacks(t, x, "all is judged")
	x.press("0")
	x.wants("50% done")
	x.press("A y")
	x.wants("100% done")
}

// TestUndoOfManyStays: where the cursor is on one of them, else goes to the
// nearest.
func TestUndoOfManyStays(t *testing.T) {
	lib := small(60)
	for i := range 30 {
		lib.segments[2*i].Tags = []string{"golden"}
	}
	x := start(t, lib, 140, 24, filtered("tag:golden"))
	for range 7 {
		x.press("j")
	}
	at := x.selected()
	x.press("A y u")
	if x.selected() != at {
		t.Errorf("undo: selected %s, was on %s", x.selected(), at)
	}
	x.press("U")
	if x.selected() != at {
		t.Errorf("redo: selected %s, was on %s", x.selected(), at)
	}
	x.press("0")
	x.press("j u") // on one that was not judged
	if near := "00000010"; x.selected() != near {
		t.Errorf("undo: selected %s, the nearest is %s", x.selected(), near)
	}
}

// TestUndoSaysWhatWasUndone: and what the segment is again.
func TestUndoSaysWhatWasUndone(t *testing.T) {
	x := start(t, small(3), 140, 24)
	x.press("o a r u")
	x.wants("rejection undone: approved again “Task number 0”")
	x.press("u")
	x.wants("approval undone: pending again “Task number 0”")
	x.press("U")
	x.wants("approval redone: approved “Task number 0”")
	x.press("f x u")
	x.wants("return to pending undone: unsure again “Task number 0”")
	x.press("u")
	x.wants("unsure mark undone: approved again “Task number 0”")
	if v := x.lib.verdictOf(0); v != review.Approved {
		t.Errorf("stored %s", v)
	}
}

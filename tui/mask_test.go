package tui

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
)

// TestTrainingIsSwitchedInTheReader: m switches the message under the cursor
// off, a second m on again, u takes it back.
func TestTrainingIsSwitchedInTheReader(t *testing.T) {
	x := start(t, small(3), 80, 24)
	x.pane.number, x.pane.role = 2, chat.Assistant
	is := func(when string, want ...int) {
		t.Helper()
		if got := x.lib.segments[0].Masked; !slices.Equal(got, want) || !slices.Equal(x.pane.seg.Masked, want) {
			t.Errorf("%s: stored %v, shown %v, want %v", when, got, x.pane.seg.Masked, want)
		}
	}
	x.press("m")
	x.wants("m works in: reader")
	x.press("tab m")
	x.wants("message 2 is not trained")
	x.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	x.wants("message 2 is not trained")
	is("off", 2)
	opens := x.pane.opens
	x.pane.number = 4
	x.press("m")
	is("two are off", 2, 4)
	x.press("m")
	x.wants("message 4 is trained")
	is("on", 2)
	if x.pane.opens != opens {
		t.Error("the segment was opened anew")
	}
	x.press("u u")
	x.wants("undo: training mark in")
	is("undone twice", 2)
	x.press("u")
	is("undone")
	x.press("U")
	is("redone", 2)
	x.press("a")
	if x.lib.verdictOf(0) != review.Approved || !slices.Equal(x.lib.segments[0].Masked, []int{2}) {
		t.Errorf("approved: %+v", x.lib.segments[0])
	}
}

func TestOnlyAssistantsAreSwitched(t *testing.T) {
	x := start(t, small(3), 80, 24)
	x.press("tab")
	x.pane.number, x.pane.role = 1, chat.User
	x.press("m")
	x.wants("only messages of the assistant are trained")
	x.pane.role = ""
	x.press("m")
	x.wants("not loaded yet")
	if len(x.lib.journal) != 0 {
		t.Errorf("journal %+v", x.lib.journal)
	}
	x.pane.number, x.pane.role = 2, chat.Assistant
	x.lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.press("m")
	x.wants("was not saved: disk full")
	if len(x.pane.seg.Masked) != 0 {
		t.Errorf("shown as %v", x.pane.seg.Masked)
	}
}

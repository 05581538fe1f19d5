package tui

import (
	"slices"
	"strings"
	"testing"

	"winnow/tui/keys"
	room "winnow/tui/review"
)

// TestKeysOfTheReaderWorkFromTheList: where they mean nothing in the list and the
// reader is beside it.
func TestKeysOfTheReaderWorkFromTheList(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24)
	x.press("J K } { ! Z")
	if want := []string{"next message", "prev message", "next prompt", "prev prompt", "next failure", "fold all"}; !slices.Equal(x.pane.calls, want) {
		t.Errorf("did %q", x.pane.calls)
	}
	x.press("z")
	if got := x.pane.calls[len(x.pane.calls)-1]; got != "fold" || x.app.Focus != room.OnList {
		t.Errorf("z: %q, focus %v", got, x.app.Focus)
	}
	x.pane.notice = "no further failure"
	x.press("!")
	x.wants("no further failure")
	x.press("ctrl+g")
	x.write("map")
	x.press("enter")
	if x.pane.find != "map" || x.app.Focus != room.OnReader {
		t.Errorf("found %q, focus %v", x.pane.find, x.app.Focus)
	}
	narrow := start(t, sampleLibrary(), 80, 24)
	narrow.press("J")
	narrow.wants("this works in the reader: enter opens it")
	if len(narrow.pane.calls) > 0 {
		t.Errorf("did %q", narrow.pane.calls)
	}
}

// TestTheReaderGoesFromSegmentToSegment: without the list, and says where it ends. What
// is looked for with / is in the segment there, and the filter in the list.
func TestTheReaderGoesFromSegmentToSegment(t *testing.T) {
	for _, w := range []int{80, 160} {
		x := start(t, small(3), w, 24)
		x.press("enter ) )")
		if x.selected() != "00000002" || x.app.Focus != room.OnReader || x.pane.seg.ID != x.lib.segments[2].ID {
			t.Errorf("%d cells: %s", w, x.selected())
		}
		x.press(")")
		x.wants("no segment further down")
		x.press("( ( (")
		x.wants("no segment further up")
		x.press("/")
		x.write("map")
		x.press("enter")
		if x.pane.find != "map" {
			t.Errorf("found %q", x.pane.find)
		}
		x.press("esc esc /")
		if !x.app.Typing(keys.InFilter) {
			t.Errorf("%d cells: / does not filter in the list", w)
		}
	}
}

// TestPromptsInBoundaries: n and p go to prompts, a compaction is none.
func TestPromptsInBoundaries(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("g n")
	for _, want := range []int{2, 9, 13} {
		if got := x.message(); got != want {
			t.Errorf("at %d, want %d", got, want)
		}
		x.press("n")
	}
	x.wants("no prompt further down")
	x.press("p p p")
	x.wants("no prompt further up")
	if got := x.message(); got != 2 {
		t.Errorf("at %d", got)
	}
}

// TestMessagesHideNoKeys: nor do they move rows.
func TestMessagesHideNoKeys(t *testing.T) {
	for _, w := range []int{60, 80, 100, 160} {
		for _, row := range []string{"", "G"} {
			x := start(t, small(60), w, 24)
			x.press(row + " o o")
			before, keys := x.lines(), x.footer()
			message := strings.Repeat("something long happened ", 3)
			x.app.Say(message + "here")
			after := x.lines()
			if got := x.footer(); !strings.HasPrefix(got, strings.TrimRight(keys[:strings.LastIndex(keys, "? keys")+6], " ")) {
				t.Errorf("%d cells: the footer is %q, was %q", w, got, keys)
			}
			x.wants("something long happened")
			moved := 0
			for i := range before[:len(before)-1] {
				if before[i] != after[i] {
					moved++
				}
			}
			if moved > 2 || before[len(before)-len(after)] != after[0] {
				t.Errorf("%d cells: %d lines changed", w, moved)
			}
			if on := x.marked(); !strings.Contains(on, "Task number") {
				t.Errorf("%d cells: the selected row is hidden:\n%s", w, x.screen())
			}
		}
	}
}

package tui

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
)

func TestTagsScreen80x24(t *testing.T) {
	x := bulkScreen(t, 80, 24, "t")
	golden.RequireEqual(t, x.screen())
}

func TestTagsScreen200x60(t *testing.T) {
	x := bulkScreen(t, 200, 60, "space space t tab")
	golden.RequireEqual(t, x.screen())
}

func TestTagsAreTypedWithCompletion(t *testing.T) {
	lib := small(5)
	lib.segments[1].Tags = []string{"golden", "two words"}
	lib.segments[2].Tags = []string{"golden", "keep", "evil\x1b[2J"}
	x := start(t, lib, 100, 24)
	x.press("t")
	x.wants("golden", "keep", "of “Task number 0”")
	for _, c := range x.app.field.Popup.Items {
		if review.CheckTag(c.Text) != nil {
			t.Errorf("offers %q, which cannot be typed", c.Text)
		}
	}
	x.write("new g")
	x.press("tab enter")
	x.press("enter")
	if got := lib.segments[0].Tags; !slices.Equal(got, []string{"golden", "new"}) {
		t.Errorf("tags %q", got)
	}
	x.wants("tags kept on “Task number 0”")
	x.press("t enter")
	x.wants("tags unchanged")
	x.press("t ctrl+u")
	x.write("x,y -z")
	x.press("enter")
	x.wants("must not begin with -")
	x.press("esc u")
	x.wants("undo: tags of “Task number 0”")
	if got := lib.segments[0].Tags; len(got) != 0 {
		t.Errorf("undone: %q", got)
	}
}

func TestTagsPutAwayAreThereAgain(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 100, 24)
	x.press("t")
	x.write("half")
	x.press("ctrl+c")
	x.wants("tags put away: t brings them back")
	x.press("t enter")
	if got := lib.segments[0].Tags; !slices.Equal(got, []string{"half"}) {
		t.Errorf("tags %q", got)
	}
	lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.press("t")
	x.write("more")
	x.press("enter")
	x.wants("was not saved: disk full")
	lib.fail = nil
	x.press("t enter")
	if got := lib.segments[0].Tags; !slices.Equal(got, []string{"half", "more"}) {
		t.Errorf("tags %q", got)
	}
}

// TestTagsOfMarkedSegments: the difference is given and taken, and what only
// some have stays.
func TestTagsOfMarkedSegments(t *testing.T) {
	lib := small(4)
	lib.segments[0].Tags, lib.segments[1].Tags, lib.segments[2].Tags = []string{"all", "one"}, []string{"all"}, []string{"all", "other"}
	x := start(t, lib, 100, 24)
	x.press("v j j v t")
	x.wants("tags all", "of all 3 marked")
	x.press("ctrl+u")
	x.write("new")
	x.press("enter")
	x.wants("tagged 3 segments")
	for i, want := range [][]string{{"new", "one"}, {"new"}, {"new", "other"}, nil} {
		if got := lib.segments[i].Tags; !slices.Equal(got, want) {
			t.Errorf("%d has %q, want %q", i, got, want)
		}
	}
	x.wantsMarked("they stay marked", 0, 1, 2)
	x.press("u")
	if got := lib.segments[2].Tags; !slices.Equal(got, []string{"all", "other"}) || len(lib.journal) != 0 {
		t.Errorf("undone: %q", got)
	}
}

func TestTagLineSurvivesAnySize(t *testing.T) {
	x := bulkScreen(t, 80, 24, "t")
	x.write("保留 größe")
	for _, size := range [][2]int{{40, 10}, {41, 11}, {300, 80}, {39, 9}, {1, 1}, {80, 24}} {
		x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if n := len(x.lines()); n > size[1] {
			t.Errorf("%v: %d lines", size, n)
		}
	}
	x.wants("保留 größe")
}

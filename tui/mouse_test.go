package tui

import (
	"fmt"
	"path"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/screens/ledger/ledgertest"
)

func withMouse(o *Options) { o.Mouse = true }

func (x *harness) click(column, line int) {
	at := tea.Mouse{X: column, Y: line, Button: tea.MouseLeft}
	x.send(tea.MouseClickMsg(at))
	x.send(tea.MouseReleaseMsg(at))
}

func (x *harness) wheel(column, line int, button tea.MouseButton) {
	x.send(tea.MouseWheelMsg{X: column, Y: line, Button: button})
}

// at returns the cell where a text stands on the screen.
func (x *harness) at(text string) (column, line int) {
	x.t.Helper()
	for y, l := range x.lines() {
		if i := strings.Index(l, text); i >= 0 {
			return len([]rune(l[:i])), y
		}
	}
	x.t.Fatalf("no %q on the screen:\n%s", text, x.screen())
	return 0, 0
}

func TestMouseIsOffUnlessAskedFor(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24)
	if x.app.View().MouseMode != tea.MouseModeNone {
		t.Error("the terminal is asked for the mouse")
	}
	x.click(5, 5)
	if x.app.List.Cur != 0 {
		t.Error("a click selects")
	}
	x = start(t, sampleLibrary(), 160, 24, withMouse)
	if x.app.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the terminal is not asked for the mouse")
	}
}

func TestClickSelectsAndFocuses(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24, withMouse)
	x.click(5, 5)
	if x.app.List.Cur != 3 || x.app.Focus != room.OnList {
		t.Errorf("row %d, focus %v", x.app.List.Cur, x.app.Focus)
	}
	x.click(5, 20) // below the last row
	if x.app.List.Cur != 3 {
		t.Errorf("row %d", x.app.List.Cur)
	}
	x.click(120, 5)
	if x.app.Focus != room.OnReader || x.pane.calls[len(x.pane.calls)-1] != "press 3" {
		t.Errorf("focus %v, %v", x.app.Focus, x.pane.calls)
	}
	x.click(5, 0)
	x.click(500, 500)
	x.click(-1, -1)
	if x.app.Focus != room.OnReader {
		t.Error("a click on nothing does something")
	}
}

func TestWheelScrollsWhatIsUnderThePointer(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24, withMouse)
	x.wheel(5, 4, tea.MouseWheelDown)
	if x.app.List.Cur != 3 {
		t.Errorf("row %d", x.app.List.Cur)
	}
	x.wheel(120, 4, tea.MouseWheelUp)
	if got := x.pane.calls[len(x.pane.calls)-1]; got != "scroll -3" || x.app.Focus != room.OnList {
		t.Errorf("%s, focus %v", got, x.app.Focus)
	}
	x.press("?")
	fourth := x.lines()[4]
	x.wheel(5, 4, tea.MouseWheelDown)
	if got := x.lines()[1]; got != fourth {
		t.Errorf("the keys begin with %q, want %q", got, fourth)
	}
	x.press("esc /")
	x.wheel(5, 4, tea.MouseWheelDown)
	x.click(5, 2)
	if x.app.List.Cur != 3 {
		t.Error("the mouse does something while a line is typed")
	}
}

func TestDragMovesTheWall(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24, withMouse)
	wall := x.app.ListWidth()
	x.send(tea.MouseClickMsg{X: wall, Y: 5, Button: tea.MouseLeft})
	for _, to := range []int{wall + 3, wall + 10, 500, wall + 7} {
		x.send(tea.MouseMotionMsg{X: to, Y: 6, Button: tea.MouseLeft})
	}
	if got := x.app.ListWidth(); got != wall+7 {
		t.Errorf("the wall is at %d, want %d", got, wall+7)
	}
	x.send(tea.MouseReleaseMsg{X: wall + 7, Y: 6})
	x.send(tea.MouseMotionMsg{X: 60, Y: 6})
	if got := x.app.ListWidth(); got != wall+7 {
		t.Errorf("it moves on without a button: %d", got)
	}
	x.press("-")
	if got := x.app.ListWidth(); got != wall+3 {
		t.Errorf("- makes it %d", got)
	}
}

func TestClickOnAKeyOfTheFooterPressesIt(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24, withMouse)
	column, line := x.at("r reject")
	x.click(column+3, line)
	if got := x.app.List.Rows[0].Verdict; got != "rejected" {
		t.Errorf("verdict %s", got)
	}
	column, line = x.at("? keys")
	x.click(column, line)
	x.wants("To begin with")
	column, line = x.at("q back")
	x.click(column-1, line)
	x.wants("To begin with") // a click between keys presses none
}

func TestClickInBoxes(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, withMouse, allThemes(t))
	x.press("T")
	column, line := x.at("gruvbox")
	x.click(column, line)
	if x.app.Styles().Name != "gruvbox" || x.app.Context() != keys.InThemes {
		t.Fatalf("wears %s", x.app.Styles().Name)
	}
	x.click(column, line)
	if x.app.Styles().Name != "gruvbox" || x.app.Context() == keys.InThemes {
		t.Error("the second click does not keep it")
	}
	x.press("s")
	column, line = x.at("tokens")
	x.click(column, line)
	x.wants("sorted: most tokens first")
}

func TestClickFollowsALink(t *testing.T) {
	lib := sampleLibrary()
	first := lib.segments[0].SessionID
	lib.sessions = map[string]review.Session{"child": {ID: "child", Tally: review.Tally{Messages: 3}}}
	x := start(t, lib, 160, 24, withMouse)
	x.pane.links = map[string]reader.Link{first: {Session: "child", Title: "Look"}}
	x.click(130, 2)
	if !x.app.Visiting() {
		t.Error("the link was not followed")
	}
}

func TestClickOnScreens(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 120, 30, withMouse)
	name := path.Base(ledgertest.Sample().All[2].Path)
	x.click(5, 4)
	if row := x.lines()[4]; !strings.HasPrefix(row, "▌") || !strings.Contains(row, name) {
		t.Fatalf("%s is not selected: %q", name, row)
	}
	x.click(5, 4)
	if head := x.lines()[1]; !strings.Contains(head, name) {
		t.Errorf("the second click does not open the file: %q", head)
	}
}

func TestClickAndCopyInTheJournal(t *testing.T) {
	rows := sampleJournal().entries
	x := startJournal(t, sampleJournal(), 120, 30, withMouse)
	x.click(5, 3)
	if at := x.marked(); !strings.HasPrefix(at, fmt.Sprint(rows[1].ID, " ")) {
		t.Fatalf("at %q", at)
	}
	x.press("y")
	if want := rows[1].Changes[0].Segment; x.clipboard != want {
		t.Errorf("copied %q, want %q", x.clipboard, want)
	}
}

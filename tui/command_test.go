package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/keys"
	room "winnow/tui/review"
)

// order types a command and runs it.
func (x *harness) order(text string) {
	x.t.Helper()
	x.press(":")
	x.write(text)
	x.press("enter")
}

func TestCommandLine80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press(":")
	x.write("ne")
	golden.RequireEqual(t, x.screen())
}

func TestCommandLine200x60(t *testing.T) {
	x := start(t, sampleLibrary(), 200, 60)
	x.press(":")
	golden.RequireEqual(t, x.screen())
}

func TestCommandLineASCII(t *testing.T) {
	x := start(t, small(3), 80, 24, func(o *Options) { o.ASCII = true })
	x.press(": down")
	x.wantsASCII()
	x.press("esc")
	x.write("nosuch")
	x.press("enter")
	x.wantsASCII()
}

// TestWhatATextOnTheCommandLineMeans: which action a text stands for in the
// list, or why for none.
func TestWhatATextOnTheCommandLineMeans(t *testing.T) {
	x := start(t, sampleLibrary(), 200, 24)
	for text, want := range map[string]string{
		"approve":       "approve",
		"app":           "approve",
		":approve":      "approve",
		"APPROVE":       "approve",
		"pend":          "pending", // rather than next-pending, which holds it
		"nextpe":        "next-pending",
		"q":             "quit",
		"q!":            "quit",
		"wq":            "quit",
		"w":             "write",
		"help":          "keys",
		"42":            "goto",
		"re":            "! re could be reject, redo, reasons: type more of it",
		"aprove":        "! no command aprove: is approve meant?",
		"exprot":        "! no command exprot: is export meant?",
		"split":         "! split works in: boundaries",
		"undo x":        "! x is not the number of an entry",
		"undo 0":        "! 0 is not the number of an entry",
		"xyzzyxyzzy":    "! no command xyzzyxyzzy",
		"approve now":   "! approve takes no arguments",
		"goto":          "! goto ID|N: go to the segment with this id, or to message N of the segment",
		"goto nowhere":  "! nowhere is neither the number of a message nor the id of a segment",
		"goto 15":       "! the segment has messages 1 to 4",
		"sort sideways": "! no order sideways: choose one of natural, -date",
		"theme sunset":  "! no theme sunset: choose one of auto, dark, light",
		"nxtpndng":      "! no command nxtpndng: is next-pending meant?",
		"filter score>": "! there is no value after",
	} {
		x.press(":")
		x.write(text)
		if reason, fails := strings.CutPrefix(want, "! "); fails {
			x.press("enter")
			x.wants(" "+reason, "ctrl+u clears") // how to begin anew
		} else {
			x.wants("→ " + want + ": ")
		}
		x.press("esc")
	}
}

func TestCommandsDoWhatKeysDo(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 120, 24)
	x.order("approve")
	if lib.segments[0].Verdict != review.Approved || x.selected() != "00000001" {
		t.Fatalf("%s, at %s", lib.segments[0].Verdict, x.selected())
	}
	x.order("note two words: and a colon")
	if lib.segments[1].Note != "two words: and a colon" {
		t.Errorf("note %q", lib.segments[1].Note)
	}
	x.order("undo")
	x.order("undo")
	if lib.segments[1].Note != "" || lib.segments[0].Verdict != review.Pending {
		t.Error("not undone")
	}
	x.order("sort -tokens")
	if x.app.Order != review.MostTokens {
		t.Errorf("sorted by %s", x.app.Order)
	}
	x.order("sort file")
	x.order("filter status:approved")
	if x.ids() != "02" {
		t.Errorf("filtered: %s", x.ids())
	}
	x.order("filter status:rejected")
	x.press(": up up enter") // filter status:approved again
	if x.ids() != "02" {
		t.Errorf("the command of before shows %s", x.ids())
	}
	x.order("no-filter")
	x.order("goto 00000005")
	if x.selected() != "00000005" {
		t.Errorf("at %s", x.selected())
	}
	x.order("goto 2")
	if got := x.pane.calls[len(x.pane.calls)-1]; got != "show 2" || x.app.Focus != room.OnReader {
		t.Errorf("the reader did %q", got)
	}
	x.order("theme light")
	if x.app.Styles().Name != "light" {
		t.Error("another theme")
	}
	x.order("next-failure")
	if got := x.pane.calls[len(x.pane.calls)-1]; got != "next failure" {
		t.Errorf("the reader did %q", got)
	}
	x.order("next-hit")
	x.wants("no find is open")
	x.order("wq")
	if !x.quit {
		t.Error("wq does not quit")
	}
}

func TestGotoWaitsForItsSegmentAndSaysWhatIsWrong(t *testing.T) {
	lib := &fakeLibrary{segments: manySegments(1000), version: 1}
	x := start(t, lib, 80, 24)
	x.press(":")
	x.write("goto 00000321-0000-4000-8000-000000000000")
	x.hold = true
	x.press("enter r") // meant for the segment it goes to
	x.release()
	if s := lib.find("00000321-0000-4000-8000-000000000000"); s.Verdict != review.Rejected {
		t.Errorf("%s", s.Verdict)
	}
	x.order("goto dead")
	x.wants("there is no segment with this id")
	if x.app.Awaits() {
		t.Error("keys still wait")
	}
}

func TestCompletionsOfCommands(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.press(":")
	x.write("failed")
	x.press("esc")
	x.press("tab :")
	x.write("error") // no name has it: the help does
	x.wants("next-failure  !  next error or exit of a tool, its call in view")
	x.press("down enter")
	if got := x.pane.calls[len(x.pane.calls)-1]; got != "next failure" || x.app.field != nil {
		t.Errorf("the reader did %q", got)
	}
	x.press("tab :")
	x.write("sor")
	x.press("tab enter") // it is an action without words, too
	if x.app.Context() != keys.InSort {
		t.Error("no menu")
	}
	x.press("esc :")
	x.write("sort -s")
	x.wants("-score", "best score first")
	x.press("tab enter")
	if x.app.Order != review.BestScore {
		t.Errorf("sorted by %s", x.app.Order)
	}
	x.press(":")
	x.write("filter stat")
	x.press("tab enter")
	if c := x.app.field; c == nil || c.Text() != "filter status:" {
		t.Fatalf("%+v", c)
	}
	x.write("appr")
	x.press("tab enter")
	if x.app.field != nil || x.ids() != "02" {
		t.Errorf("filtered: %s", x.ids())
	}
}

func TestCommandLineClosesAndIsPutAway(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press(":")
	x.write("app")
	x.press("tab esc")
	if x.app.field == nil || x.app.field.Popup.Cur >= 0 {
		t.Fatal("esc closed the line before the choice")
	}
	x.press("ctrl+c")
	x.wants("command put away: ")
	x.press(":")
	if x.app.field.Text() != "app" {
		t.Errorf("text %q", x.app.field.Text())
	}
	x.press("esc :")
	if x.app.field.Text() != "" || x.quit {
		t.Errorf("text %q", x.app.field.Text())
	}
	x.press("enter")
	if x.app.field != nil {
		t.Error("enter on an empty line leaves it open")
	}
	x.press("/ :")
	if x.app.Typing(keys.InCommand) {
		t.Error("a command line in the filter line")
	}
}

// TestCommandLineIsReachedFromEveryScreen: each place that has the key offers
// its own actions.
func TestCommandLineIsReachedFromEveryScreen(t *testing.T) {
	for typed, own := range map[string]string{"tab": "next-failure", "?": "back", "s": "sort-score"} {
		x := start(t, sampleLibrary(), 80, 24)
		x.press(typed + " :")
		if x.app.Context() != keys.InCommand {
			t.Errorf("%s: no command line", typed)
			continue
		}
		x.write(own)
		x.wants("→ " + own + ": ")
		x.press("esc")
	}
}

func TestHostileCommands(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press(":")
	x.send(tea.PasteMsg{Content: "\x1b]0;x\x07\u202e" + strings.Repeat("wide 漢字 ", 900)})
	checkSize(t, x, 80, 24)
	x.press("enter")
	checkSize(t, x, 80, 24)
	if s := x.app.View().Content; strings.Contains(s, "\x1b]") || strings.Contains(s, "\u202e") {
		t.Errorf("%q", s)
	}
	for w := 1; w < 60; w++ {
		x.send(tea.WindowSizeMsg{Width: w, Height: 1 + w/3})
		checkSize(t, x, w, 1+w/3)
	}
}

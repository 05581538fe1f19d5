package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"winnow/tui/keys"
	room "winnow/tui/review"
)

func TestTwoKeysNeverMeanTwoThings(t *testing.T) {
	table := bindings()
	for _, in := range table.All() {
		seen, names := map[string]string{}, map[string]bool{}
		for _, b := range table.Rows {
			if b.In&in == 0 {
				continue
			}
			if names[b.Name] {
				t.Errorf("two actions are called %q in context %d", b.Name, in)
			}
			names[b.Name] = true
			for _, k := range b.Keys {
				if other, ok := seen[k]; ok {
					t.Errorf("%q is bound to %q and %q in context %d", k, other, b.Name, in)
				}
				seen[k] = b.Name
			}
		}
	}
}

func TestEveryBindingIsShownAndSaysWhatItDoes(t *testing.T) {
	page, table := KeyPage(), bindings()
	for _, b := range table.Rows {
		if b.Help == "" {
			t.Errorf("%+v is incomplete", b.Keys)
		}
		if !slices.ContainsFunc(table.Sections, func(s keys.Section) bool { return s.In == b.In }) {
			t.Errorf("%v has no section", b.Keys)
		}
		if !strings.Contains(page, "\n| "+keys.KeysText(&b)+" | ") {
			t.Errorf("%v is not on the page of keys", b.Keys)
		}
	}
}

func TestEveryKeyOfTheReaderReachesIt(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 45)
	x.press("tab")
	x.press("J K } { ! z Z h d j k ctrl+d ctrl+u pgdown pgup g G home end down up")
	want := "next message,prev message,next prompt,prev prompt,next failure,fold,fold all,thinking,detail," +
		"down,up,half-down,half-up,page-down,page-up,start,end,start,end,down,up"
	if got := strings.Join(x.pane.calls, ","); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFindInTheReader(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.press("tab >")
	x.wants("no find is open")
	x.press("ctrl+g")
	x.write("go test")
	x.press("enter")
	x.wants(`find “go test” · 1 of 3  > next  < previous  esc done`)
	x.press("> <")
	if got := strings.Join(x.pane.calls, ","); got != "find go test,next hit,prev hit" {
		t.Error(got)
	}
	x.press("esc")
	if x.pane.find != "" || x.app.Focus != room.OnReader {
		t.Error("esc closes the find first")
	}
	x.press("esc")
	if x.app.Focus != room.OnList {
		t.Error("then it goes back to the list")
	}
	x.press("tab ctrl+g")
	if !strings.Contains(x.footer(), "go test") {
		t.Error("the last search is forgotten")
	}
}

func TestEnterGivesTheReaderTheScreenAndEscTakesItBack(t *testing.T) {
	for _, w := range []int{80, 160} {
		x := start(t, sampleLibrary(), w, 24)
		x.press("j enter")
		if strings.Contains(x.screen(), "Fix flaky") || !strings.Contains(x.screen(), "00000001 1-4") {
			t.Errorf("%d: not the reader alone:\n%s", w, x.screen())
		}
		x.press("a")
		x.wants("00000004 1-4") // the next pending one, still on the whole screen
		x.press("q")
		x.wants("Docker compose")
		if x.quit {
			t.Error("q quit instead of going back")
		}
		x.press("q")
		if !x.quit {
			t.Error("q does not quit")
		}
	}
}

func TestOnePaneAtATimeWhenNarrow(t *testing.T) {
	x := start(t, sampleLibrary(), 109, 24)
	if strings.Contains(x.screen(), "│") || x.pane.opens > 0 {
		t.Error("two panes under 110 columns")
	}
	x.press("+")
	x.wants("there is only one pane")
	x.press("tab")
	x.wants("00000000 1-4")
	x.press("tab")
	x.wants("Docker compose")
	x.send(tea.WindowSizeMsg{Width: 110, Height: 24})
	x.wants("Docker compose", "00000000 1-4", "│")
}

func TestPanesCanBeResized(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24)
	wall := func() int { return strings.Index(x.lines()[14], "│") }
	before := wall()
	x.press("+ +")
	if wall() != before+8 {
		t.Errorf("wall at %d, was at %d", wall(), before)
	}
	for range 60 {
		x.press("-")
	}
	x.wants("no further")
	if wall() != room.MinPane {
		t.Errorf("wall at %d", wall())
	}
	x.press("+")
	if wall() != room.MinPane+4 {
		t.Errorf("the way back begins late: %d", wall())
	}
}

func TestReaderIsOpenedAgainOnlyWhenItsSegmentChanged(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24)
	x.press("o a")
	if x.pane.opens != 1 {
		t.Errorf("opened %d times", x.pane.opens)
	}
	x.lib.change(func(l *fakeLibrary) { l.segments[0].End = 9 })
	x.tick()
	if x.pane.opens != 2 || x.pane.seg.End != 9 {
		t.Errorf("a segment that grew: opened %d times, end %d", x.pane.opens, x.pane.seg.End)
	}
}

func TestThemeFollowsTheBackgroundUnlessChosen(t *testing.T) {
	white := tea.BackgroundColorMsg{Color: lipgloss.Color("#ffffff")}
	x := start(t, small(1), 80, 24, func(o *Options) { o.Theme = "" })
	x.send(white)
	if x.pane.styles.Name != "light" {
		t.Errorf("on white: %s", x.pane.styles.Name)
	}
	x.press("T j enter")
	x.send(white)
	if x.pane.styles.Name != "dark" {
		t.Errorf("after T: %s", x.pane.styles.Name)
	}
	x = start(t, small(1), 80, 24)
	x.send(white)
	if x.pane.styles.Name != "dark" {
		t.Errorf("--theme dark on white: %s", x.pane.styles.Name)
	}
}

func TestJobRunsBehindTheScreen(t *testing.T) {
	var report func(Progress)
	var ctx context.Context
	begun, end := make(chan bool), make(chan error, 1)
	lib := small(3)
	x := prepare(t, lib, func(o *Options) {
		o.JobName = "import"
		o.Job = func(c context.Context, r func(Progress)) error { ctx, report = c, r; begun <- true; return <-end }
	})
	finish := x.startBehind()
	<-begun
	report(Progress{Files: 3, AllFiles: 12, Messages: 4321, Bytes: 5e6, AllBytes: 1e7, Note: "x\x1b[2J.jsonl"})
	x.app.work.Look()
	x.wants("import", "3 of 12 files", "4,321 messages", "50%", "ctrl+x")
	for i, l := range x.lines() {
		if strings.Contains(l, "4,321") && i != len(x.lines())-2 {
			t.Error("the progress line is not above the footer")
		}
	}
	x.press("a")
	if lib.verdictOf(0) != "approved" {
		t.Error("keys are dead while a job runs")
	}
	x.press("ctrl+x")
	x.wants("stopping the import")
	if ctx.Err() == nil {
		t.Fatal("not cancelled")
	}
	end <- ctx.Err()
	finish()
	x.wants("import stopped")
	x.press("ctrl+x")
	x.wants("nothing is running")
	x.app.work.Wait()
}

func TestFailedJobSaysWhy(t *testing.T) {
	x := start(t, small(3), 120, 24, func(o *Options) {
		o.JobName = "import"
		o.Job = func(context.Context, func(Progress)) error { return errors.New("/x: permission denied") }
	})
	x.wants("import: /x: permission denied")
}

func TestJobThatEndsShowsWhatItBrought(t *testing.T) {
	lib := &fakeLibrary{version: 1}
	x := prepare(t, lib, func(o *Options) {
		o.JobName = "import"
		o.Job = func(_ context.Context, report func(Progress)) error {
			lib.change(func(l *fakeLibrary) { l.segments = manySegments(4) })
			report(Progress{Files: 4, AllFiles: 4, Messages: 16})
			return nil
		}
	})
	x.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	x.run(x.app.Init())
	x.wants("import done · 4 of 4 files · 16 messages", "Task number 3")
}

// startBehind starts the screen with its job in a goroutine; the function it
// returns waits for the job and delivers its end.
func (x *harness) startBehind() func() {
	x.hold = true
	x.run(x.app.Init())
	held := x.held
	x.held, x.hold = nil, false
	ended := make(chan tea.Msg, 1)
	batch := held[0]().(tea.BatchMsg)
	for i, cmd := range batch {
		if i == 1 { // poll first, then the job
			go func() { ended <- cmd() }()
			continue
		}
		x.run(cmd)
	}
	x.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	return func() { x.send(<-ended) }
}

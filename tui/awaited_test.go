package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screens/ledger/ledgertest"
	"winnow/tui/screens/record/recordtest"
	"winnow/tui/screens/statistics/statisticstest"
)

// awaited are the screens that ask for rows, each closed again, with the key that
// opens it and keys for its rows.
var awaited = map[string]struct {
	start       func(*testing.T) *harness
	open, typed string
}{
	"boundaries": {func(t *testing.T) *harness { x, _ := startBoundaries(t, mixedSession(), 2, 100, 30); return x }, "b", "j j s } J"},
	"statistics": {func(t *testing.T) *harness { return startStatistics(t, statisticstest.Sample(), 100, 30) }, "S", "j j pgdown k"},
	"ledger":     {func(t *testing.T) *harness { return startLedger(t, ledgertest.Sample(), 100, 30) }, "L", "j j"},
	"a file":     {func(t *testing.T) *harness { return startLedger(t, ledgertest.Sample(), 100, 30) }, "L", "enter tab j enter J"},
	"journal":    {func(t *testing.T) *harness { return startJournal(t, sampleJournal(), 100, 30) }, "H", "j j"},
	"an entry":   {func(t *testing.T) *harness { return startJournal(t, sampleJournal(), 100, 30) }, "H", "j j j j j j enter j j"},
	"record":     {func(t *testing.T) *harness { return startPreview(t, recordtest.SampleLibrary(), 100, 30) }, "p", "J J z"},
	"recorded":   {func(t *testing.T) *harness { return startRaw(t, recordtest.SampleSources(), 100, 30) }, "w", "z j j"},
}

// TestKeysWaitForTheRowsOfAScreen: what is typed right after the key that opens one
// falls on its rows, as if they had been there.
func TestKeysWaitForTheRowsOfAScreen(t *testing.T) {
	for name, c := range awaited {
		t.Run(name, func(t *testing.T) {
			slow, fast := c.start(t), c.start(t)
			none := fast.screen()
			slow.press("esc " + c.open)
			slow.press(c.typed)
			fast.press("esc")
			fast.hold = true
			fast.press(c.open + " " + c.typed)
			fast.release()
			if slow.screen() == none {
				t.Fatalf("the keys do nothing:\n%s", none)
			}
			if fast.screen() != slow.screen() {
				t.Errorf("typed at once:\n%s\ntyped slowly:\n%s", fast.screen(), slow.screen())
			}
		})
	}
}

// TestTheWayBackWaitsForNoRows: nor does the way out. Keys that waited are dropped
// with a word: none falls on what the screen was opened from.
func TestTheWayBackWaitsForNoRows(t *testing.T) {
	for name, c := range awaited {
		t.Run(name, func(t *testing.T) {
			x := c.start(t)
			x.press("esc")
			before := strings.Join(x.lines()[1:20], "\n")
			for _, back := range []string{"esc", "q"} {
				x.hold = true
				x.press(c.open + " " + c.typed + " " + back)
				if got := strings.Join(x.lines()[1:20], "\n"); got != before || x.app.top() != nil {
					t.Errorf("after %s:\n%s\nwant\n%s", back, got, before)
				}
				x.wants(" dropped")
				x.release()
			}
			x.hold = true
			x.press(c.open + " " + c.typed + " ctrl+c")
			x.release()
			if !x.quit {
				t.Error("ctrl+c does not leave")
			}
		})
	}
}

// TestKeysWaitForTheListAndThenForAScreen: in the order they were typed in.
func TestKeysWaitForTheListAndThenForAScreen(t *testing.T) {
	x := prepare(t, sampleLibrary(), func(o *Options) { o.Ledger = ledgertest.Sample() })
	x.hold = true
	x.run(x.app.Init())
	x.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	x.press("j L j enter esc esc j")
	x.release()
	if x.app.top() != nil || x.app.List.Cur != 2 || x.app.Waiting() > 0 {
		t.Errorf("row %d, %d keys wait:\n%s", x.app.List.Cur, x.app.Waiting(), x.screen())
	}
}

// TestKeysWaitNoLongerForRowsThatCannotBeRead: they say why they do nothing.
func TestKeysWaitNoLongerForRowsThatCannotBeRead(t *testing.T) {
	l := ledgertest.Sample()
	x := startLedger(t, l, 100, 30)
	x.press("esc")
	l.Err = errors.New("disk full")
	x.hold = true
	x.press("L enter j")
	x.release()
	x.wants("The sources could not be listed.", "disk full")
	if x.app.Waiting() > 0 {
		t.Errorf("%d keys wait", x.app.Waiting())
	}
	l.Err = nil
	x.hold = true
	x.press("ctrl+l j")
	x.release()
	x.tick()
	if x.app.in(keys.InLedger) == nil || x.app.Waiting() > 0 {
		t.Errorf("%d keys wait:\n%s", x.app.Waiting(), x.screen())
	}
}

// TestKeysOfAScreenThatAwaitsNothingDoNotWait: forms and boxes, what floats above a
// screen that awaits its rows, and lines that are typed there.
func TestKeysOfAScreenThatAwaitsNothingDoNotWait(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 100, 30)
	x.press("esc")
	x.hold = true
	x.press("L ?")
	if x.app.Context() != keys.InHelp {
		t.Fatalf("no keys are shown:\n%s", x.screen())
	}
	x.press("/ a b esc ?")
	if x.app.Context() != keys.InLedger || x.app.Waiting() > 0 {
		t.Errorf("%d keys wait:\n%s", x.app.Waiting(), x.screen())
	}
	x.release()
	x.wants("ledger")

	o := startOffer(t, sampleFinder(), 100, 30)
	o.hold = true
	o.press("space")
	if o.app.Waiting() > 0 {
		t.Error("a key waits for places that are there")
	}
}

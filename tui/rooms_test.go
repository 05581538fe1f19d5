package tui

import (
	"context"
	"testing"
	"time"

	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/ledger/ledgertest"
)

// listener is a layer that counts what comes to it.
type listener struct {
	screen.Seat
	asked screen.Question[int]
	heard int
}

func (l *listener) Follow(screen.Frame) {}
func (l *listener) Move(keys.Motion)    {}

// TestAnswersComeToTheLayerThatAsked: and to none once it is closed, nor does what
// was to be done after a while, or with a line that was typed.
func TestAnswersComeToTheLayerThatAsked(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	var open []*listener
	for i := range 2 {
		l := &listener{}
		ctx, stop := context.WithCancel(t.Context())
		s := &seated{Layer: l, app: x.app, in: keys.Free(i), stop: stop}
		l.Seat = screen.Seat{Ctx: ctx, Pen: x.app.Pen, Host: s}
		x.app.seated, open = append(x.app.seated, s), append(open, l)
	}
	hear := func(l *listener) {
		x.hold = true
		l.asked.Ask(&l.Seat, func(context.Context) (int, error) { return 1, nil }, func(n int, _ error) { l.heard += n })
		l.After(time.Second, func() { l.heard += 10 })
		x.send(nil)
	}
	hear(open[0])
	x.release()
	x.tick()
	if open[0].heard != 11 {
		t.Errorf("%d was heard", open[0].heard)
	}
	hear(open[0])
	hear(open[1])
	open[0].Type(screen.Line{Label: "name"}, func(string) { open[0].heard += 100 })
	x.send(nil)
	open[0].Leave()
	x.release()
	x.tick()
	x.press("a enter")
	if open[0].heard != 11 || open[1].heard != 11 {
		t.Errorf("%d and %d was heard", open[0].heard, open[1].heard)
	}
}

// TestWhatStandsOverScreensStaysOverThem: also over one that opens by itself.
func TestWhatStandsOverScreensStaysOverThem(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 80, 24)
	x.press("? T")
	x.app.Enter(keys.InSort)
	x.app.Enter(keys.InJournal)
	for _, want := range []keys.Place{keys.InSort, keys.InThemes, keys.InHelp, keys.InJournal, keys.InLedger} {
		if got := x.app.Context(); got != want {
			t.Fatalf("the keys are those of %s, want %s", x.app.keys.Places[got], x.app.keys.Places[want])
		}
		x.app.in(want).Leave()
	}
}

// TestScreenOpensBelowWhatFloats: a screen that opens by itself comes below a box,
// and below the screen of keys.
func TestScreenOpensBelowWhatFloats(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Journal = sampleJournal() })
	for key, in := range map[string]keys.Place{"s": keys.InSort, "?": keys.InHelp} {
		x.press(key)
		x.app.Enter(keys.InJournal)
		x.send(nil)
		if x.app.Context() != in {
			t.Errorf("%s is not on top:\n%s", key, x.screen())
		}
		x.press("esc")
		if x.app.Context() != keys.InJournal {
			t.Errorf("no journal below:\n%s", x.screen())
		}
		x.press("esc")
	}
}

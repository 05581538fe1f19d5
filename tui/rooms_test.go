package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/ledger/ledgertest"
)

// listener is a layer that counts its answers.
type listener struct{ heard int }

func (l *listener) Update(tea.Msg) tea.Cmd      { l.heard++; return nil }
func (l *listener) Follow(screen.Frame) tea.Cmd { return nil }
func (l *listener) Move(keys.Motion) tea.Cmd    { return nil }
func (l *listener) Back() tea.Cmd               { return nil }

// TestAnswersComeToTheLayerThatAsked: and to none once it is closed.
func TestAnswersComeToTheLayerThatAsked(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	first, second := &listener{}, &listener{}
	for i, l := range []*listener{first, second} {
		x.app.seated = append(x.app.seated, &seated{Layer: l, app: x.app, in: keys.Free(i), stop: func() {}})
	}
	answer := func(l *listener) {
		x.run(screen.Address(l, tea.Batch(func() tea.Msg { return 1 }, func() tea.Msg { return 2 })))
	}
	answer(first)
	answer(second)
	x.app.seated[0].Leave()
	answer(first)
	if first.heard != 2 || second.heard != 2 {
		t.Errorf("%d and %d answers", first.heard, second.heard)
	}
}

// TestWhatStandsOverScreensStaysOverThem: also over one that opens by itself.
func TestWhatStandsOverScreensStaysOverThem(t *testing.T) {
	x := startLedger(t, ledgertest.Sample(), 80, 24)
	x.press("? T")
	x.run(x.app.Enter(keys.InSort))
	x.run(x.app.Enter(keys.InJournal))
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

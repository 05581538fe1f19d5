package tui

import (
	"strings"
	"testing"

	"winnow/tui/keys"
)

// TestApprovingWhatWasHardlySeenSaysSo, and rejecting does not.
func TestApprovingWhatWasHardlySeenSaysSo(t *testing.T) {
	x := watch(t, 160, 24)
	x.shows(1, 4)
	x.pane.shown = nil
	x.press("a")
	x.says("· seen 4 of 20")
	x.press("r")
	if strings.Contains(x.app.Message.Text, "seen") {
		t.Error(x.app.Message.Text)
	}
	x.shows(1, 5)
	x.pane.shown = nil
	x.press("a")
	if strings.Contains(x.app.Message.Text, "seen") {
		t.Error(x.app.Message.Text)
	}
}

// TestAskBelow: whoever wants to be asked is, before what was hardly seen is approved.
func TestAskBelow(t *testing.T) {
	x := watch(t, 160, 24, func(o *Options) { o.AskBelow = 0.5 })
	x.shows(1, 9)
	x.pane.shown = nil
	at := x.selected()
	x.press("a")
	x.says("It was hardly read: seen 9 of 20")
	if x.app.Context() != keys.InGlance {
		t.Fatal(x.app.Context())
	}
	x.press("a n")
	if x.selected() != at || len(x.lib.journal) > 0 {
		t.Errorf("%d entries at %s", len(x.lib.journal), x.selected())
	}
	x.says("not approved")
	x.press("a y")
	if x.selected() == at || len(x.lib.journal) != 1 {
		t.Errorf("%d entries at %s", len(x.lib.journal), x.selected())
	}
	x.press("r") // asks nothing
	if len(x.lib.journal) != 2 {
		t.Errorf("%d entries", len(x.lib.journal))
	}
	x.shows(1, 10)
	x.press("a")
	if len(x.lib.journal) != 3 {
		t.Errorf("%d entries", len(x.lib.journal))
	}
}

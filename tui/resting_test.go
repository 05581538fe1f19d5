package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestWhatIsPassedOverIsNotOpened: the reader opens the first one, and where the
// selection comes to rest.
func TestWhatIsPassedOverIsNotOpened(t *testing.T) {
	now := someday
	x := start(t, small(60), 130, 24, func(o *Options) { o.Now = func() time.Time { return now } })
	x.moving = true
	opened := func(opens int, id string) {
		t.Helper()
		if x.pane.opens != opens || x.pane.seg.Short() != id {
			t.Errorf("%d opened, the last one %s; want %d, %s", x.pane.opens, x.pane.seg.Short(), opens, id)
		}
	}
	first := x.pane.opens
	now = now.Add(time.Second)
	x.press("j")
	opened(first+1, x.selected())
	at := x.selected()
	for range 20 {
		now = now.Add(5 * time.Millisecond)
		x.press("j")
	}
	opened(first+1, at)
	x.tick() // it moved since that was set
	opened(first+1, at)
	x.tick()
	opened(first+2, x.selected())
	x.press("j j")
	at = x.selected()
	x.press("a") // is given where it is, and the next one is there at once
	if x.pane.opens != first+4 || x.pane.seg.Short() != x.selected() || x.selected() == at {
		t.Errorf("%d opened, the last one %s", x.pane.opens-first, x.pane.seg.Short())
	}
}

// TestWhatIsOpenedForAKeyIsRead: a key that is no move has the segment opened that the
// selection only passed, with all that the reader asks for.
func TestWhatIsOpenedForAKeyIsRead(t *testing.T) {
	x := start(t, small(60), 130, 24)
	x.moving = true
	x.press("j j")
	asked := ""
	x.pane.asks = func() tea.Msg {
		asked = x.pane.seg.Short()
		return nil
	}
	x.press("o")
	if asked != x.selected() {
		t.Errorf("the reader asks for %q, want %s", asked, x.selected())
	}
}

package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/tui/rows"
)

// TestKeysWaitForTheFirstRows: what is typed before there is anything to be
// seen falls on the segments in their order.
func TestKeysWaitForTheFirstRows(t *testing.T) {
	lib := small(5)
	x := prepare(t, lib)
	x.hold = true
	x.run(x.app.Init())
	x.press("a r")
	x.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	x.press("f")
	x.release()
	if got := lib.verdictsOf(); !strings.HasPrefix(got, "aru") {
		t.Errorf("verdicts %s", got)
	}
}

// TestKeysOutliveAReload: while keys wait to be told what nobody else reads, an
// import changes the list, which is read again.
func TestKeysOutliveAReload(t *testing.T) {
	lib := small(6)
	x := start(t, lib, 80, 24)
	x.app.Await() // a claim is asked for
	x.press("a r f")
	x.app.Ask(rows.Request{Want: rows.WantStart})
	x.run(x.app.Arrived())
	if got := lib.verdictsOf(); !strings.HasPrefix(got, "aru") {
		t.Errorf("verdicts %s", got)
	}
}

// TestAllFollowsBetweenKeysThatWaited: what a key does may need what the key before it
// brings, here the segment in the reader.
func TestAllFollowsBetweenKeysThatWaited(t *testing.T) {
	lib := small(6)
	x := start(t, lib, 130, 24)
	x.pane.number, x.pane.role = 2, chat.Assistant
	x.app.Await()
	x.press("j tab m")
	x.run(x.app.Arrived())
	x.wants("message 2 is not trained")
	if !slices.Equal(lib.segments[1].Masked, []int{2}) {
		t.Errorf("%v are not trained", lib.segments[1].Masked)
	}
}

// TestARefusedVerdictIsTold: also if the next one is typed already.
func TestARefusedVerdictIsTold(t *testing.T) {
	lib := small(5)
	lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x := start(t, lib, 120, 24)
	x.press("a")
	lib.fail = nil
	x.press("r")
	x.wants("“Task number 0” was not saved: disk full")
	x.press("j a")
	if strings.Contains(x.screen(), "disk full") {
		t.Error("it is told for ever")
	}
}

// TestVerdictsPastTheEndSayThatThereIsNothing: they change no verdict that was
// just given; one that is given later does.
func TestVerdictsPastTheEndSayThatThereIsNothing(t *testing.T) {
	lib := small(2)
	now := someday
	x := start(t, lib, 120, 24, func(o *Options) { o.Now = func() time.Time { return now } })
	x.press("a r a")
	x.wants("nothing is pending", "1 key dropped")
	for range 20 {
		now = now.Add(80 * time.Millisecond)
		x.press("a")
	}
	if got := lib.verdictsOf(); got != "ar" || len(lib.journal) != 2 {
		t.Errorf("verdicts %s, %d entries", got, len(lib.journal))
	}
	now = now.Add(2 * time.Second)
	x.press("a")
	if got := lib.verdictsOf(); got != "aa" {
		t.Errorf("a change of mind is not taken: %s", got)
	}
}

// TestVerdictsWaitForWhatAnImportBrings: with everything judged that there is,
// and with nothing there yet.
func TestVerdictsWaitForWhatAnImportBrings(t *testing.T) {
	for _, first := range []int{0, 1} {
		all := small(4)
		lib := small(4)
		lib.segments = slices.Clone(lib.segments[:first])
		x := prepare(t, lib)
		x.app.work.Import.Running, x.app.work.Import.Name = true, "import"
		x.run(x.app.poll())
		x.send(tea.WindowSizeMsg{Width: 120, Height: 24})
		x.press("a r f")
		x.wants("for what the import brings")
		lib.change(func(l *fakeLibrary) { l.segments = append(l.segments, all.segments[first:]...) })
		x.tick()
		x.tick()
		if got := lib.verdictsOf(); !strings.HasPrefix(got, "aru") || len(lib.journal) != 3 {
			t.Errorf("after %d: verdicts %s, %d entries\n%s", first, got, len(lib.journal), x.screen())
		}
	}
}

// TestWaitingKeysAreDroppedByEsc: and it is said how many.
func TestWaitingKeysAreDroppedByEsc(t *testing.T) {
	x := start(t, small(1), 120, 24)
	x.app.work.Import.Running, x.app.work.Import.Name = true, "import"
	x.press("a r f")
	x.wants("2 keys kept for what the import brings", "esc drops them")
	x.press("esc")
	x.wants("2 keys dropped")
	x.press("?")
	x.wants("undo")
}

package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/work"
)

// TestWritesWithoutAnyCommandAreDoneAtTheEnd: the program may end before it
// has started the commands it was given.
func TestWritesWithoutAnyCommandAreDoneAtTheEnd(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a r")
	if err := x.app.flush(); err != nil {
		t.Fatal(err)
	}
	if x.lib.verdictOf(0) != review.Approved || x.lib.verdictOf(1) != review.Rejected {
		t.Errorf("stored: %s %s", x.lib.verdictOf(0), x.lib.verdictOf(1))
	}
}

// TestWritesKeepTheOrderOfKeys: whichever command runs first does the first
// write.
func TestWritesKeepTheOrderOfKeys(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.press("o") // stay on the segment
	x.hold = true
	x.press("a r f")
	held := x.held
	x.held, x.hold = nil, false
	for i := len(held) - 1; i >= 0; i-- {
		x.run(held[i])
	}
	if got := x.lib.verdictOf(0); got != review.Unsure {
		t.Errorf("stored %s, the last key was unsure", got)
	}
}

func TestFailedVerdictKeepsTheScreenOpen(t *testing.T) {
	x := start(t, small(5), 100, 24)
	x.lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.hold = true
	x.press("a q")
	x.release()
	if x.quit {
		t.Fatal("left although the verdict was not saved")
	}
	x.wants("not saved")
	if err := x.app.flush(); err != nil {
		t.Errorf("told twice: %v", err)
	}
}

func TestUnseenFailureIsToldByRun(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.hold = true
	x.press("a r")
	if err := x.app.flush(); err == nil || !strings.Contains(err.Error(), "2 verdicts, notes or cuts were not saved") {
		t.Errorf("error %v", err)
	}
}

func TestLeavingAtOnceSaysWhatIsLost(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a ctrl+c ctrl+c")
	if err := x.app.flush(); !errors.Is(err, work.ErrLeft) {
		t.Errorf("error %v", err)
	}
}

// TestKeysWaitForTheNextSegment: what is typed while the next pending segment
// is looked for is meant for that one, whichever keys they are.
func TestKeysWaitForTheNextSegment(t *testing.T) {
	lib := small(1000)
	for i := range lib.segments {
		if i != 0 && i != 700 && i != 800 {
			lib.segments[i].Verdict = review.Rejected
		}
	}
	x := start(t, lib, 80, 24)
	x.hold = true
	x.press("a r u f q")
	for i := 0; i < 100 && len(x.held) > 0; i++ {
		x.release()
	}
	if a, b := x.lib.verdictOf(700), x.lib.verdictOf(800); a != review.Unsure || b != review.Pending || !x.quit {
		t.Errorf("stored %s and %s, quit %v; want the reject undone and the segment unsure", a, b, x.quit)
	}
}

func TestKeyAfterUndoIsMeantForWhatItWentTo(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.press("a")
	x.hold = true
	x.press("u r")
	x.release()
	if a, b := x.lib.verdictOf(0), x.lib.verdictOf(1); a != review.Rejected || b != review.Pending {
		t.Errorf("stored %s and %s", a, b)
	}
}

// TestUndoGoesToARowThatIsNotLoaded: 4,000 rows away, and the key after it
// means that row.
func TestUndoGoesToARowThatIsNotLoaded(t *testing.T) {
	lib := small(5000)
	for i := range lib.segments {
		if i != 0 && i != 4000 {
			lib.segments[i].Verdict = review.Rejected
		}
	}
	x := start(t, lib, 80, 24)
	x.press("a")
	x.hold = true
	x.press("u f")
	x.release()
	if a, b := x.lib.verdictOf(0), x.lib.verdictOf(4000); a != review.Unsure || b != review.Pending {
		t.Errorf("stored %s and %s", a, b)
	}
}

// TestEndWithAJobThatNeverBegan: Run must not wait for it.
func TestEndWithAJobThatNeverBegan(t *testing.T) {
	x := prepare(t, small(1), func(o *Options) {
		o.Job = func(context.Context, func(Progress)) error { t.Error("it was run after the end"); return nil }
	})
	cmd := x.app.Init()
	x.app.work.Wait()
	for _, c := range cmd().(tea.BatchMsg) {
		if c == nil {
			continue
		}
		c()
	}
}

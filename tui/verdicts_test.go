package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/work"
)

func small(n int) *fakeLibrary { return &fakeLibrary{segments: manySegments(n), version: 1} }

func (l *fakeLibrary) verdictOf(i int) review.Verdict { return l.segments[i].Verdict }

func TestVerdictsAreWrittenAndGoOnToTheNextPending(t *testing.T) {
	lib := small(6)
	lib.segments[1].Verdict = review.Approved
	x := start(t, lib, 80, 24)
	x.press("a")
	if x.selected() != "00000002" {
		t.Errorf("after a verdict on 0, with 1 judged: %s", x.selected())
	}
	x.wants("approved “Task number 0”")
	x.press("r f x")
	if got := []review.Verdict{lib.verdictOf(0), lib.verdictOf(2), lib.verdictOf(3)}; got[0] != review.Approved || got[1] != review.Rejected || got[2] != review.Unsure {
		t.Errorf("stored: %v", got)
	}
	x.wants("2 approved", "1 rejected", "1 unsure", "67% done")
}

func TestNextPendingBeginsAgainAtTheTop(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 80, 24)
	x.press("G a")
	if x.selected() != "00000000" {
		t.Errorf("selected %s", x.selected())
	}
	x.wants("from the top again")
	x.press("a a")
	x.wants("approved “Task number 1”", "all is judged", "100% done")
	x.press("N")
	x.wants("nothing is pending")
}

func TestAdvanceCanBeTurnedOff(t *testing.T) {
	x := start(t, small(3), 80, 24)
	x.press("o a")
	if x.selected() != "00000000" {
		t.Errorf("selected %s", x.selected())
	}
	x.press("o r")
	if x.selected() != "00000001" || x.lib.verdictOf(0) != review.Rejected {
		t.Errorf("selected %s", x.selected())
	}
}

func TestUndoAndRedoGoToTheirSegment(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.press("a r u")
	if x.selected() != "00000001" || x.lib.verdictOf(1) != review.Pending || x.lib.verdictOf(0) != review.Approved {
		t.Errorf("selected %s", x.selected())
	}
	x.wants("rejection undone: pending again “Task number 1”", "1 approved", "0 rejected")
	x.press("u")
	x.wants("approval undone: pending again “Task number 0”", "0 approved")
	x.press("u")
	x.wants("nothing to undo")
	x.press("U U")
	x.wants("rejection redone: rejected “Task number 1”", "1 approved", "1 rejected")
	x.press("U")
	x.wants("nothing to redo")
}

func TestUndoNeverOvertakesItsVerdict(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a u") // the undo comes before the verdict is written
	x.release()
	if len(x.lib.journal) != 0 || x.lib.verdictOf(0) != review.Pending {
		t.Errorf("stored: %v, journal of %d", x.lib.verdictOf(0), len(x.lib.journal))
	}
}

func TestVerdictThatCouldNotBeWrittenComesBack(t *testing.T) {
	lib := small(5)
	lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x := start(t, lib, 120, 24)
	x.press("a")
	x.wants("“Task number 0” was not saved: disk full", "0 approved", "0% done")
	if x.app.List.Rows[0].Verdict != review.Pending {
		t.Error("the row still shows the verdict")
	}
	lib.fail = nil
	x.tick()
	x.press("g a")
	x.wants("approved “Task number 0”", "1 approved")
}

func TestVerdictShowsBeforeItIsWritten(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a")
	if x.selected() != "00000001" || x.app.List.Rows[0].Verdict != review.Approved {
		t.Error("the screen waits for the database")
	}
	x.wants("✓", "1 approved")
	x.press("r f")
	x.release()
	if x.lib.verdictOf(0) != review.Approved || x.lib.verdictOf(1) != review.Rejected || x.lib.verdictOf(2) != review.Unsure {
		t.Error("verdicts are missing in the database")
	}
}

func TestRowsReadBeforeAVerdictDoNotTakeItBack(t *testing.T) {
	x := start(t, small(50), 80, 24)
	x.lib.change(func(l *fakeLibrary) { l.segments[9].Topic = "changed by somebody" })
	x.hold = true
	x.tick() // polls; the answer is on its way
	held := x.held
	x.held, x.hold = nil, false
	x.app.handleVersion(x.lib.version, nil)
	reload := x.app.AskReload()() // the rows as they are before the verdict
	x.press("a")
	x.send(reload)
	if x.app.List.Rows[0].Verdict != review.Approved {
		t.Error("older rows took the verdict back")
	}
	_ = held
	x.press("ctrl+l")
	x.wants("changed by somebody")
}

func TestQuitWaitsForVerdicts(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a q")
	if x.quit {
		t.Fatal("quit with a verdict unwritten")
	}
	x.wants("saving")
	if msg := x.app.filter(x.app, tea.QuitMsg{}); msg != (tea.QuitMsg{}) {
		t.Errorf("asked twice: %T", msg)
	}
	x.release()
	if !x.quit || x.lib.verdictOf(0) != review.Approved {
		t.Errorf("quit %v, stored %s", x.quit, x.lib.verdictOf(0))
	}
}

func TestTerminationWaitsForVerdicts(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a")
	if then, ok := x.app.filter(x.app, tea.QuitMsg{}).(work.Then); !ok || then() != nil || !x.app.leaving {
		t.Error("a signal ends the program at once")
	}
}

func TestClosingFromOutsideWritesTheQueue(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.hold = true
	x.press("a r f")
	first := x.held
	x.held, x.hold = nil, false
	for _, cmd := range first {
		runOnly(cmd) // the first write ends after the screen is gone
	}
	x.app.flush()
	if x.lib.verdictOf(0) != review.Approved || x.lib.verdictOf(1) != review.Rejected || x.lib.verdictOf(2) != review.Unsure {
		t.Errorf("stored: %s %s %s", x.lib.verdictOf(0), x.lib.verdictOf(1), x.lib.verdictOf(2))
	}
}

// runOnly runs a command and drops its answer.
func runOnly(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			runOnly(c)
		}
	}
}

func TestNoteIsWrittenAndUndone(t *testing.T) {
	x := start(t, small(3), 80, 24)
	x.press("n")
	x.write("check the tests 检查")
	x.wants("note “Task number 0”", "check the tests 检查", "enter keep")
	x.press("enter")
	if x.lib.segments[0].Note != "check the tests 检查" || x.lib.verdictOf(0) != review.Pending {
		t.Errorf("stored %q", x.lib.segments[0].Note)
	}
	x.press("n")
	x.write("!")
	x.press("esc u")
	if x.lib.segments[0].Note != "" {
		t.Errorf("after undo: %q", x.lib.segments[0].Note)
	}
	x.press("n enter")
	x.wants("note unchanged")
	if x.quit || len(x.lib.journal) != 0 {
		t.Error("an empty note was written")
	}
}

func TestKeysOfALineBelongToTheLine(t *testing.T) {
	x := start(t, small(3), 80, 24)
	x.press("n a r q u ? T")
	if len(x.lib.journal) != 0 || x.quit || !strings.Contains(x.footer(), "arqu?T") {
		t.Errorf("footer %q", x.footer())
	}
	x.press("esc ctrl+c")
	if !x.quit {
		t.Error("ctrl+c does not quit")
	}
}

func TestHeldVerdictWaitsForTheSegmentItIsMeantFor(t *testing.T) {
	lib := small(3000)
	for i := range lib.segments {
		if i > 0 && i < 2900 {
			lib.segments[i].Verdict = review.Rejected
		}
	}
	x := start(t, lib, 80, 24)
	x.hold = true
	x.press("a f") // the second one before the next pending segment is found
	x.release()
	if lib.verdictOf(0) != review.Approved || lib.verdictOf(2900) != review.Unsure {
		t.Errorf("stored: %s %s", lib.verdictOf(0), lib.verdictOf(2900))
	}
	if x.selected() != "00000b55" {
		t.Errorf("selected %s", x.selected())
	}
}

func TestStaleSegmentIsJudgedAgain(t *testing.T) {
	lib := small(2)
	lib.segments[0].Stale, lib.segments[0].Was = true, review.Approved
	x := start(t, lib, 80, 24)
	x.wants("▌~")
	x.press("x")
	if lib.segments[0].Stale {
		t.Error("still stale")
	}
}

package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/chat"
	"winnow/core/review"
	room "winnow/tui/review"
)

// staleLibrary has stale segments of several kinds.
func staleLibrary() *fakeLibrary {
	lib := small(6)
	set := func(i int, was review.Verdict, by string, wasBody int64, from, to int) {
		s := &lib.segments[i]
		s.Stale, s.Was, s.WasBy, s.WasAt = true, was, by, time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC)
		s.WasBody, s.WasStart, s.WasEnd = wasBody, from, to
	}
	set(0, review.Approved, "ann", 0, 1, 2) // of body 0: not known
	set(1, review.Approved, "ann", 1, 1, 2)
	set(2, review.Rejected, "bob\x1b[2J with a long name", 2, 1, 7)
	set(3, review.Unsure, "", 3, 3, 4)
	set(4, "", "", 0, 0, 0)
	lib.segments[5].Verdict = review.Approved
	return lib
}

func TestStaleRowsTellWhatTheyWere(t *testing.T) {
	x := start(t, staleLibrary(), 80, 24)
	l := x.lines()[1:] // below the headings
	for row, want := range map[int]string{
		1: "was ✓ ann 3 May ", 2: "was ✓ ann 3 May +2 ", 3: "was ✗ bob␛[2J… 3 May −3 ", 4: "was ◐ 3 May +2 ", 5: "Task number 4  ",
	} {
		if !strings.Contains(l[row], want) {
			t.Errorf("row %d has no %q: %q", row, want, l[row])
		}
		if !strings.HasPrefix(l[row][len(l[row])-len(strings.TrimLeft(l[row], " ▌")):], "~ ") {
			t.Errorf("row %d is not marked: %q", row, l[row])
		}
	}
	x.press("j")
	x.wants("was approved by ann on 3 May +2")
	golden.RequireEqual(t, x.screen())
}

func TestStaleRowsWithoutRoom(t *testing.T) {
	x := start(t, staleLibrary(), 52, 24)
	if l := x.lines()[3]; !strings.Contains(l, "Task number 1") || strings.Contains(l, "ann") {
		t.Errorf("%q", l)
	}
	x = start(t, staleLibrary(), 80, 24, func(o *Options) { o.ASCII = true })
	x.press("j j")
	x.wants("was + ann 3 May +2", "was x bob␛[2J~ 3 May -3")
	for _, c := range x.screen() {
		if c > 126 && c != '␛' {
			t.Errorf("%q in\n%s", c, x.screen())
			break
		}
	}
}

// TestOldVerdictIsGivenAgain: = approves what was approved and rejects what was
// rejected, goes on, and can be undone.
func TestOldVerdictIsGivenAgain(t *testing.T) {
	for _, pane := range []string{"", "tab"} {
		lib := staleLibrary()
		lib.segments[0].Stale, lib.segments[0].Was = false, ""
		x := start(t, lib, 140, 24)
		x.app.List.Pick(1)
		x.press(pane + " =")
		if s := lib.segments[1]; s.Verdict != review.Approved || s.Stale {
			t.Fatalf("%s: %s, stale %v\n%s", pane, s.Verdict, s.Stale, x.screen())
		}
		x.wants("approved again: “Task number 1”", "u undo")
		if x.selected() != "00000002" {
			t.Errorf("%s: goes on to %s", pane, x.selected())
		}
		x.press("=")
		if s := lib.segments[2]; s.Verdict != review.Rejected || s.Stale {
			t.Errorf("%s, stale %v", s.Verdict, s.Stale)
		}
		x.press("u")
		if s := lib.segments[2]; s.Verdict != review.Pending || !s.Stale || x.selected() != "00000002" {
			t.Errorf("undone: %s, stale %v, at %s", s.Verdict, s.Stale, x.selected())
		}
	}
}

func TestNoOldVerdictSaysWhy(t *testing.T) {
	lib := staleLibrary()
	x := start(t, lib, 140, 24)
	for row, want := range map[int]string{4: "its old verdict is not known", 5: "it is approved, and has not changed since"} {
		x.app.List.Pick(row)
		x.press("=")
		x.wants(want)
	}
	lib.change(func(l *fakeLibrary) { l.segments[0].Stale = false })
	x.tick()
	x.app.List.Pick(0)
	x.press("=")
	x.wants("it has no old verdict")
	if len(lib.journal) != 0 {
		t.Errorf("%d entries", len(lib.journal))
	}
}

// TestChangesAreAskedOnce: a row that is drawn again is not compared again, and
// a giant one never for the list.
func TestChangesAreAskedOnce(t *testing.T) {
	lib := staleLibrary()
	lib.messages = make([]chat.Message, 40)
	lib.segments[1].WasBody, lib.segments[3].WasBody = 98, 99 // read anew since: they are compared
	lib.segments[3].End = 1 + room.ComparedMost
	x := start(t, lib, 80, 24)
	if lib.furthest < 2 || lib.furthest > 100 {
		t.Errorf("messages are compared up to %d", lib.furthest)
	}
	again := func(when string) {
		t.Helper()
		n := lib.reads
		x.press("j k j k")
		if lib.reads != n {
			t.Errorf("%s: %d reads, then %d", when, n, lib.reads)
		}
	}
	again("as they were")
	n := lib.reads
	lib.change(func(l *fakeLibrary) { l.segments[1].End = 9 })
	x.tick()
	if lib.reads == n {
		t.Error("what grew is not compared again")
	}
	again("one has grown")
}

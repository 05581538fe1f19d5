package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/screens/statistics/statisticstest"
)

func TestMessagesLeaveTheKeysOfEveryMinuteStanding(t *testing.T) {
	lib := sampleLibrary()
	for _, w := range []int{60, 80, 110, 160} {
		x := start(t, lib, w, 24)
		for _, text := range []string{"short", strings.Repeat("a message of many words ", 3), strings.Repeat("长", 200)} {
			for _, failed := range []bool{false, true} {
				x.app.Message = screen.Message{Text: text, Failed: failed}
				keys := strings.Fields(x.footer())
				for _, key := range []string{"a", "r", "f", "u", "?"} {
					if !slices.Contains(keys, key) {
						t.Errorf("%d cells: no key %s in %q", w, key, x.footer())
					}
				}
				if first := []rune(text)[:5]; !strings.Contains(x.screen(), string(first)) {
					t.Errorf("%d cells: no message in %q", w, x.footer())
				}
			}
		}
	}
}

// TestFailuresAreToldWhole: what failed is told above the footer where the keys
// leave it no room, whatever else is on the screen, and goes with the next key.
func TestFailuresAreToldWhole(t *testing.T) {
	why := "disk I/O error: /home/ann/.local/share/winnow/winnow.db: the file is there, but cannot be read"
	for _, keys := range []string{"", "enter", "?", "S", "b"} {
		x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Statistics = statisticstest.Sample() })
		x.press(keys)
		x.app.Fail("writing", errors.New(why))
		x.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if got := strings.Join(strings.Fields(x.screen()), " "); !strings.Contains(got, "writing: "+why) {
			t.Errorf("%q: not told:\n%s", keys, x.screen())
		}
		checkFits(t, x.app.View().Content, 80, 24)
		x.press("j")
		if strings.Contains(x.screen(), "disk I/O") {
			t.Errorf("%q: it stays:\n%s", keys, x.screen())
		}
	}
}

func TestMessagesNameSegmentsByTheirTopic(t *testing.T) {
	lib := small(4)
	lib.segments[0].Topic = "Port the configuration loader of the server to TOML"
	lib.segments[1].Topic = "Same"
	lib.segments[3].Topic = "Same"
	x := start(t, lib, 120, 24)
	x.press("a")
	x.wants("approved “Port the configuration…” · u undo")
	x.press("r")
	x.wants("rejected “Same” 00000001 · u undo")
	x.press("f")
	x.wants("unsure “Task number 2” · u undo")
	x.press("n")
	x.wants("note “Same” 00000003")
	x = start(t, small(2), 120, 24, func(o *Options) { o.ASCII = true })
	x.press("a")
	x.wants(`approved "Task number 0" - u undo`)
}

func TestNoticesOfTheReaderAreShownUntilTheNextKey(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.press("tab")
	x.pane.notice = "no further failure"
	x.press("!")
	x.wants("no further failure")
	x.press("o")
	if strings.Contains(x.screen(), "no further") {
		t.Error("still there after another key")
	}
	x.press("tab")
	if strings.Contains(x.screen(), "no further") {
		t.Error("shown for the list")
	}
}

func TestFooterOfAFindSaysHowToGoOnAndHowToEndIt(t *testing.T) {
	for _, w := range []int{80, 120} {
		x := start(t, sampleLibrary(), w, 24)
		x.press("enter ctrl+g")
		x.write("a term that is much longer than its room")
		x.press("enter")
		x.wants("find “a term that is…” · 1 of 3  > next  < previous  esc done")
		x.press("esc")
		if strings.Contains(x.footer(), "find “") || !strings.Contains(x.footer(), "a approve") {
			t.Errorf("after esc: %q", x.footer())
		}
	}
}

func TestFindAgainIsOneKey(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.press("tab ctrl+g")
	x.write("old")
	x.press("enter esc ctrl+g")
	x.wants("find old")
	x.press("enter")
	if x.pane.find != "old" {
		t.Errorf("found %q", x.pane.find)
	}
	x.press("ctrl+g")
	x.write("new")
	x.press("enter")
	if x.pane.find != "new" {
		t.Errorf("what was typed is not all that is looked for: %q", x.pane.find)
	}
}

func TestTitleSaysWhatIsRead(t *testing.T) {
	lib := small(3)
	s := &lib.segments[0]
	score := 0.91
	s.Verdict, s.Reviewer, s.Score, s.Note = review.Approved, "ann", &score, "check the tests \x1b[2J again"
	lib.segments[1].Stale, lib.segments[1].Was, lib.segments[1].WasBy = true, review.Approved, "bob"
	lib.segments[1].WasAt = time.Date(2026, 5, 3, 9, 0, 0, 0, time.UTC)
	for _, w := range []int{80, 120, 160} {
		x := start(t, lib, w, 24)
		x.press("g enter")
		title := x.lines()[1]
		for _, want := range []string{"✓ approved by ann", "0.91", "Task number 0", "✎ check the tests ␛[2J again"} {
			if !strings.Contains(title, want) {
				t.Errorf("%d cells: no %q in %q", w, want, title)
			}
		}
		if w > 100 && !strings.Contains(title, "4 messages · s0.jsonl") {
			t.Errorf("%d cells: no length or file in %q", w, title)
		}
		x.press("esc j enter")
		x.wants("~ stale, was approved by bob on 3 May", "Task number 1")
	}
	x := start(t, lib, 160, 24)
	x.press("g")
	x.wants("✎ check the tests", "approved by ann") // beside the list, too
	x.press("j")
	x.wants("was approved by bob on 3 May")
	x.press("j")
	if got := x.lines()[1]; !strings.Contains(got, "● pending · Task number 2") {
		t.Errorf("%q", got)
	}
}

func TestOnlyThePaneWithTheKeysIsBright(t *testing.T) {
	x := start(t, sampleLibrary(), 160, 24)
	marks := func() int { return strings.Count(x.app.View().Content, x.app.Ink.Key.On("▌")) }
	bright := x.app.Sel.Key.On("▌")
	if x.pane.focus || !strings.Contains(x.app.View().Content, bright) || marks() != 0 {
		t.Error("the list has the keys")
	}
	x.press("tab")
	if !x.pane.focus || strings.Contains(x.app.View().Content, bright) || marks() != 1 {
		t.Error("the reader has the keys")
	}
}

func TestControlCPutsATextAwayAndLosesNothing(t *testing.T) {
	x := start(t, small(3), 100, 24)
	x.press("n")
	x.write("half a though")
	x.press("ctrl+c")
	if x.quit || x.app.field != nil {
		t.Fatal("the first ctrl+c closes the line, no more")
	}
	x.wants("note put away")
	x.press("j n")
	if strings.Contains(x.footer(), "half a though") {
		t.Error("the text is another segment's")
	}
	x.press("esc k n")
	x.wants("half a though")
	x.write("t")
	x.press("enter")
	if got := x.lib.segments[0].Note; got != "half a thought" {
		t.Errorf("kept %q", got)
	}
	x.press("n")
	x.write("!")
	x.press("esc n")
	if strings.Contains(x.footer(), "thought!") {
		t.Error("esc kept what it drops")
	}
	x.press("ctrl+c ctrl+c")
	if !x.quit {
		t.Error("the second one does not quit")
	}
}

// TestTheWayToAllKeysIsOnTheSmallestScreen: where the keys have no room, those
// that are left out are told after ?.
func TestTheWayToAllKeysIsOnTheSmallestScreen(t *testing.T) {
	x := start(t, small(3), 40, 10)
	x.wants("a approve", "r reject", "? keys")
	x.press("tab")
	x.wants("a approve", "q back", "? keys")
}

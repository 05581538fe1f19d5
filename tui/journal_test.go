package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/keys"
)

func startJournal(t *testing.T, j *fakeJournal, w, h int, with ...func(*Options)) *harness {
	t.Helper()
	x := start(t, sampleLibrary(), w, h, append([]func(*Options){func(o *Options) { o.Journal = j }}, with...)...)
	x.press("H")
	return x
}

func TestJournalScreen80x24(t *testing.T) {
	golden.RequireEqual(t, startJournal(t, sampleJournal(), 80, 24).screen())
}

func TestJournalScreen200x60(t *testing.T) {
	golden.RequireEqual(t, startJournal(t, sampleJournal(), 200, 60).screen())
}

func TestJournalEntry80x24(t *testing.T) {
	x := startJournal(t, sampleJournal(), 80, 24)
	x.press("j j j j j j enter")
	golden.RequireEqual(t, x.screen())
}

func TestJournalASCII(t *testing.T) {
	j := sampleJournal()
	j.entries = j.entries[2:]
	startJournal(t, j, 80, 24, func(o *Options) { o.ASCII = true }).wantsASCII()
}

func TestJournalStates(t *testing.T) {
	x := startJournal(t, &fakeJournal{}, 80, 24)
	x.wants("Nothing was done yet.")
	x.press("enter u")
	x.wants("nothing was done yet")
	x.press("m")
	x.wants("You have done nothing yet.", "m shows all")
	x.press("s")
	x.wants("Nothing was done to", "s shows all")
	x = startJournal(t, &fakeJournal{fail: errors.New("disk on fire")}, 80, 24)
	x.wants("The journal could not be read.", "ctrl+l tries again", "disk on fire")
	x = start(t, sampleLibrary(), 80, 24)
	x.press("H")
	x.wants("no journal here")
	x = start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Journal = sampleJournal() })
	x.hold = true
	x.press("H")
	x.wants("loading")
	x.release()
	x.wants("bob")
}

func TestJournalGoesToTheSegment(t *testing.T) {
	x := startJournal(t, sampleJournal(), 120, 24)
	x.press("G k enter") // ann's note
	if x.app.Context() == keys.InJournal || x.selected() != "00000001" {
		t.Errorf("at %s", x.selected())
	}
	x.press("H j j enter") // what left in an import
	x.wants("there is no segment with this id")
	x.press("H j j j j j j enter") // a bulk verdict
	x.wants("entry 4", "approved × 1,204 segments")
	x.press("G")
	x.wants("1,204")
	x.press("g j enter")
	if x.app.Context() == keys.InJournal || x.selected() != "00000001" {
		t.Errorf("at %s", x.selected())
	}
	x.press("H j j j j j j enter esc")
	if !strings.Contains(x.screen(), "segments  ") && !strings.Contains(x.screen(), "when") {
		t.Error("esc does not go back to all entries")
	}
	x.press("esc")
	if x.app.Context() == keys.InJournal {
		t.Error("esc does not go back to the list")
	}
}

// TestEntriesAreUndoneByTheirNumber: from the list, without the journal.
func TestEntriesAreUndoneByTheirNumber(t *testing.T) {
	j := sampleJournal()
	x := startJournal(t, j, 120, 24)
	x.press("q")
	x.order("undo #2")
	if x.app.Context() == keys.InJournal || !slices.Equal(j.undone, []int64{2}) {
		t.Fatalf("undone %v", j.undone)
	}
	x.wants("entry 2 undone")
}

func TestJournalUndoesAnEntryOrSaysWhyNot(t *testing.T) {
	j := sampleJournal()
	x := startJournal(t, j, 120, 24)
	x.press("G k u")
	if !slices.Equal(j.undone, []int64{2}) {
		t.Fatalf("undone %v", j.undone)
	}
	x.wants("entry 2 undone", "undo of 2")
	if row := x.marked(); !strings.HasPrefix(row, "2 ") || !strings.Contains(row, "undone") {
		t.Errorf("the cursor is on %q", row)
	}
	j.refuse = fmt.Errorf("segment 00000002 was approved by bob since: entry 9 by bob stands on it: %w", review.ErrConflict)
	x.press("k u")
	x.wants("not undone: segment 00000002 was approved by bob since")
	x.press("U")
	if x.app.Context() != keys.InJournal {
		t.Error("redo left the journal")
	}
}

// TestAnUndoIsInTheJournalAtOnce: not with the next poll only.
func TestAnUndoIsInTheJournalAtOnce(t *testing.T) {
	for _, key := range []string{"u", "U"} {
		j := sampleJournal()
		x := startJournal(t, j, 120, 24)
		x.press("G k")
		x.timers = nil // nothing is polled
		pages := j.pages
		x.press(key)
		if j.pages == pages {
			t.Errorf("%s: the journal is not read again", key)
		}
	}
}

func TestJournalShowsOnlyWhatIsAskedFor(t *testing.T) {
	x := startJournal(t, sampleJournal(), 120, 24)
	x.press("m")
	x.wants("only mine")
	lacks(t, x, "bob")
	x.press("s")
	x.wants("only “Fix flaky parser test”")
	x.wants("3 entries")
	x.press("m s")
	x.wants("10 entries")
}

// TestJournalFollows: what others do appears above, and the cursor stays on its
// entry.
func TestJournalFollows(t *testing.T) {
	j := sampleJournal()
	x := startJournal(t, j, 80, 24)
	x.press("j")
	before := x.marked()
	j.add(review.Logged{Entry: review.Entry{ID: 11, At: someday, Curator: "zoe", Action: review.ActJudge}})
	x.lib.change(func(*fakeLibrary) {})
	x.tick()
	x.wants("zoe")
	if got := x.marked(); got != before {
		t.Errorf("the cursor went from %q to %q", before, got)
	}
}

// TestLongJournalIsReadInPages: of a hundred thousand entries what shows is
// read, and forgotten again.
func TestLongJournalIsReadInPages(t *testing.T) {
	j := &fakeJournal{topics: map[string]string{}}
	for id := int64(100_000); id > 0; id-- {
		c := review.Change{Segment: fmt.Sprint(id), After: review.Mark{Verdict: review.Approved}}
		j.entries = append(j.entries, review.Logged{Entry: review.Entry{ID: id, At: someday, Curator: "ann", Action: review.ActJudge, Changes: []review.Change{c}}, Count: 1})
	}
	x := startJournal(t, j, 120, 24)
	for range 60 {
		x.press("pgdown")
	}
	if at := x.marked(); at[:2] != "98" {
		t.Errorf("at %q", at)
	}
	x.press("G")
	if at := x.marked(); !strings.HasPrefix(at, "1 ") {
		t.Errorf("the end is %q", at)
	}
	x.press("g")
	if at := x.marked(); !strings.HasPrefix(at, "100000 ") || j.pages > 60 {
		t.Errorf("the start is %q, %d pages", at, j.pages)
	}
}

func TestHostileJournalIsHarmless(t *testing.T) {
	x := startJournal(t, sampleJournal(), 120, 24)
	for w := 1; w < 140; w += 7 {
		x.send(tea.WindowSizeMsg{Width: w, Height: 1 + w/4})
		checkSize(t, x, w, 1+w/4)
	}
	x.send(tea.WindowSizeMsg{Width: 200, Height: 30})
	for _, keys := range []string{"", "enter"} {
		x.press(keys)
		for _, r := range x.screen() {
			if r != '\n' && unicode.IsControl(r) || r == 0x202e {
				t.Fatalf("%U reached the screen", r)
			}
		}
		if strings.Contains(x.app.View().Content, "\x1b]") {
			t.Error("a sequence reached the terminal")
		}
	}
}

package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/reader"
	room "winnow/tui/review"
)

func TestBoundaries80x24(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 80, 24)
	golden.RequireEqual(t, x.screen())
}

func TestBoundaries160x45(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 160, 45)
	x.press("M c")
	golden.RequireEqual(t, x.screen())
}

func TestBoundariesASCII(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 4, 100, 30, func(o *Options) { o.ASCII = true })
	x.press("c")
	for _, r := range "│┌└⚠…–·▌─↓●✓✗␀" {
		if strings.ContainsRune(x.screen(), r) {
			t.Errorf("%q on an ASCII screen", r)
		}
	}
	golden.RequireEqual(t, x.screen())
}

// Without colours the bands are still told apart, by their brackets.
func TestBoundariesNoColor(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 80, 24)
	x.press("c s j s")
	golden.RequireEqual(t, x.uncoloured())
}

func TestBoundariesOnTheSmallestScreen(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 40, 10)
	x.press("M c")
	golden.RequireEqual(t, x.screen())
	x.app.work.Import.Running = true
	x.app.work.Import.Report(Progress{Files: 1})
	for range 20 {
		x.press("j")
		x.wants("▌")
		checkSize(t, x, 40, 10)
	}
}

func TestBoundariesOpenWhereOneReads(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 3, 100, 30)
	if x.message() != 11 {
		t.Errorf("from the list at message %d", x.message())
	}
	x.press("esc tab")
	x.pane.number = 12
	x.press("b")
	if x.message() != 12 {
		t.Errorf("from the reader at message %d", x.message())
	}
	x.press("q")
	if x.app.in(keys.InBoundaries) != nil || x.app.Focus != room.OnReader || x.quit {
		t.Error("q does not go back to the reader")
	}
	x = start(t, sampleLibrary(), 80, 24)
	x.press("b")
	x.wants("segments cannot be cut here")
}

func TestBoundariesOfAVisitedSessionAreItsOwn(t *testing.T) {
	lib := mixedSession()
	x, _ := startBoundaries(t, lib, 0, 100, 30)
	x.press("esc")
	x.pane.links = map[string]reader.Link{x.app.List.Selected().SessionID: {Session: "other", Title: "Other"}}
	lib.sessions = map[string]review.Session{"other": {ID: "mixed", File: "/logs/agent.jsonl", Body: 1, Tally: review.Tally{Messages: 18}}}
	x.press("tab enter")
	x.wants("Other · 18 messages")
	x.pane.number = 14
	x.press("b")
	x.wants("18 messages  4 segments", "▌")
	if x.message() != 14 {
		t.Errorf("at message %d", x.message())
	}
}

func TestBoundariesAreEditedInADraft(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	for _, step := range []struct{ keys, starts, says string }{
		{"M", "1 11 13", ""},
		{"u", "1 9 11 13", "undone: the merge"},
		{"s", "1 9 11 13", "message 9 begins a segment already"},
		{"j s", "1 9 10 11 13", ""},
		{"s", "1 9 10 11 13", "begins a segment already"},
		{"u u", "1 9 11 13", "nothing is changed yet"},
		{"G k s", "1 9 11 13 17", ""},
		{"K K K", "1 9 11 13 14", ""}, // the cursor goes with it
		{"K", "1 9 11 13 14", "13"},   // a segment has at least one message
		{"J J J J", "1 9 11 13 18", ""},
		{"M", "1 9 11 13", ""},
		{"g M", "1 9 11 13", "nothing is above it"},
		{"g } J", "1 10 11 13", ""},
		{"g K", "1 9 11 13", ""}, // the nearest one, however far
	} {
		x.press(step.keys)
		if got := x.starts(); got != step.starts {
			t.Errorf("%s: segments begin at %s, want %s", step.keys, got, step.starts)
		}
		x.wants(step.says)
	}
	if len(e.recuts) > 0 {
		t.Error("a draft was written")
	}
}

// J and K move the nearest boundary: of two as near the one above.
func TestBoundariesNearestIsMoved(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	for at, want := range map[int]int{1: 9, 2: 9, 9: 9, 10: 9, 11: 11, 12: 11, 13: 13, 18: 13} {
		x.press("g" + strings.Repeat(" j", at-1) + " J")
		if got := strings.Fields(x.starts()); slices.Contains(got, fmt.Sprint(want)) || !slices.Contains(got, fmt.Sprint(want+1)) {
			t.Errorf("from message %d segments begin at %s, want the boundary above %d moved", at, got, want)
		}
		x.press("u")
	}
	lib := mixedSession()
	x, _ = startBoundaries(t, lib, 0, 120, 30)
	x.press("J")
	x.wants("there is no boundary")
}

func TestBoundariesSayWhatTheCutDoesBeforeItIsKept(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.wants("nothing is changed")
	x.press("M")
	x.wants("1 approved segment becomes stale", "1 segment fewer", "stale, was approved by bob")
	x.press("u")
	x.wants("nothing is changed", "approved by bob")
	x.press("j j M")
	x.wants("1 rejected segment becomes stale")
	x.press("u G s")
	x.wants("nothing that was decided changes", "1 segment more")
}

func TestBoundariesAreKeptAndUndone(t *testing.T) {
	lib := mixedSession()
	x, e := startBoundaries(t, lib, 2, 120, 30)
	before := lib.of("mixed")
	x.press("M j enter")
	if x.app.in(keys.InBoundaries) != nil || len(e.recuts) != 1 {
		t.Fatalf("not kept:\n%s", x.screen())
	}
	r := e.recuts[0]
	if r.Session != "mixed" || r.Curator != "ann" || r.Action != review.ActMerge || len(r.Known) != 4 || len(r.Pieces) != 3 {
		t.Errorf("kept %+v", r)
	}
	s := x.app.List.Selected()
	if s.SessionID != "mixed" || s.Start != 1 || s.End != 10 {
		t.Errorf("selected is %d-%d of %s", s.Start, s.End, s.SessionID)
	}
	x.wants("merge kept: 1 approved segment becomes stale · u undo")
	x.press("u")
	x.wants("undo: boundaries of")
	if now := lib.of("mixed"); len(now) != 4 || now[1].ID != before[1].ID || now[0].Verdict != review.Approved {
		t.Errorf("undone to %+v", now)
	}
	if s := x.app.List.Selected(); s.SessionID != "mixed" {
		t.Errorf("undo goes to %s", s.SessionID)
	}
	if len(x.app.List.Rows) != 6 {
		t.Errorf("%d rows after the undo", len(x.app.List.Rows))
	}
}

// What the draft did as a whole is one entry, named by what it was if it was
// one thing.
func TestBoundariesNameWhatWasDone(t *testing.T) {
	for keys, want := range map[string]review.Action{
		"j s enter": review.ActSplit, "M enter": review.ActMerge, "J enter": review.ActMove,
		"j s j j s enter": review.ActCut, "} } J J J enter": review.ActMove, "M u j s enter": review.ActSplit,
	} {
		x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
		x.press(keys)
		if len(e.recuts) != 1 || e.recuts[0].Action != want {
			t.Errorf("%s: kept %+v, want %s", keys, e.recuts, want)
		}
	}
}

func TestBoundariesTopic(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("j t")
	x.wants("topic of 9-10", "Plot monthly totals")
	x.write(" of sales\x1b]0;pwn\x07")
	x.press("enter")
	x.wants("● Plot monthly totals of sales]0;pwn", "nothing that was decided changes")
	x.press("t enter")
	x.wants("topic unchanged")
	x.press("t")
	x.write("x")
	x.press("ctrl+c")
	x.wants("topic put away")
	x.press("t")
	x.wants("]0;pwnx")
	x.press("esc t")
	if strings.Contains(x.screen(), "pwnx") {
		t.Error("a topic that was dropped comes back")
	}
	x.press("esc")
	x.wants("● Plot monthly totals of sales]0;pwn ─")
	x.press("enter")
	if len(e.recuts) != 1 || e.recuts[0].Action != review.ActTopic {
		t.Fatalf("kept %+v", e.recuts)
	}
	if s := x.app.List.Selected(); s.Topic != "Plot monthly totals of sales]0;pwn" || !s.Named {
		t.Errorf("the topic is %q", s.Topic)
	}
	x.press("u")
	x.wants("undo: topic of “Plot monthly totals”")
}

// Changes are thrown away by the second esc, and only if nothing was pressed
// in between.
func TestBoundariesAreThrownAwayByTheSecondEsc(t *testing.T) {
	x, e := startBoundaries(t, mixedSession(), 2, 120, 30)
	x.press("esc")
	if x.app.in(keys.InBoundaries) != nil {
		t.Fatal("esc without changes asks")
	}
	x.press("b M esc")
	x.wants("esc again drops the changes")
	x.press("j esc")
	x.wants("esc again drops the changes")
	x.press("? esc")
	if x.app.in(keys.InBoundaries) == nil {
		t.Fatal("the esc that closes the keys threw the changes away")
	}
	x.press("q q")
	if x.app.in(keys.InBoundaries) != nil || len(e.recuts) > 0 || x.quit {
		t.Error("not thrown away")
	}
	x.press("b enter")
	x.wants("no boundary was changed")
	if len(e.recuts) > 0 {
		t.Error("nothing was written as a change")
	}
}

func TestBoundariesHaveNoVerdicts(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 120, 30)
	for _, key := range []string{"a", "r", "f", "x", "N", "U", "o"} {
		x.press("j " + key)
		x.wants("works in the list: esc goes back")
	}
	if len(x.lib.journal) > 0 || x.app.in(keys.InBoundaries) == nil {
		t.Error("something was judged")
	}
}

// The keys typed after enter are meant for the segment that is shown then.
func TestBoundariesKeysBehindEnterWait(t *testing.T) {
	lib := mixedSession()
	x, _ := startBoundaries(t, lib, 2, 120, 30)
	x.hold = true
	x.press("M enter a")
	if x.app.in(keys.InBoundaries) == nil || len(lib.journal) > 0 {
		t.Fatal("done before it was written")
	}
	x.wants("keeping")
	for range 9 {
		held := x.held
		x.held = nil
		for _, c := range held {
			x.hold = false
			x.run(c)
		}
	}
	for _, s := range lib.of("mixed") {
		if want := s.Start == 1; (s.Verdict == review.Approved) != want {
			t.Errorf("%d-%d is %s", s.Start, s.End, s.Verdict)
		}
	}
}

func TestBoundariesReadingGoesOnWhereTheCursorWas(t *testing.T) {
	x, _ := startBoundaries(t, mixedSession(), 2, 140, 30)
	x.press("M j enter")
	if x.pane.seg.Start != 1 || x.pane.seg.End != 10 || !slices.Contains(x.pane.calls, "show 10") {
		t.Errorf("the reader shows %d-%d after %q", x.pane.seg.Start, x.pane.seg.End, x.pane.calls)
	}
}

func TestBoundariesSayWhatCouldNotBeDone(t *testing.T) {
	lib := mixedSession()
	x, e := startBoundaries(t, lib, 2, 120, 30)
	x.press("M")
	e.fail = errors.New("disk full\x1b[2J")
	x.press("enter")
	x.wants("not kept: disk full␛[2J", "1 approved segment becomes stale")
	e.fail = nil
	x.press("enter")
	if len(e.recuts) != 1 {
		t.Error("not kept when it could be")
	}
	e.fail = errors.New("disk I/O error")
	x.press("b")
	x.wants("The segments could not be read.", "disk I/O error")
	x.press("s M J K t u c { } j k g G enter pgdown")
	e.fail = nil
	x.press("ctrl+l")
	x.wants("3 segments")
	x.press("esc")
	lib.fail = map[string]error{}
	x.press("b")
	lib.change(func(l *fakeLibrary) { l.replace("mixed", nil) })
	x.tick()
	x.wants("the session no longer exists")
	if x.app.in(keys.InBoundaries) != nil {
		t.Error("still open")
	}
}

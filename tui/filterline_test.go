package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	room "winnow/tui/review"
)

// pause fires the timers of the filter line, and no others.
func (x *harness) pause() {
	x.t.Helper()
	timers := x.timers
	x.timers = nil
	for _, t := range timers {
		if t.after != room.TypingPause {
			x.timers = append(x.timers, t)
			continue
		}
		x.send(t.msg)
	}
}

// typed writes text into the filter line, from nothing, and waits.
func (x *harness) typed(text string) {
	x.t.Helper()
	if x.app.field == nil {
		x.press("/")
	}
	x.press("ctrl+u")
	x.write(text)
	x.pause()
}

func (x *harness) ids() string {
	var ids []string
	for _, s := range x.app.List.Rows {
		ids = append(ids, s.Short()[6:])
	}
	return strings.Join(ids, " ")
}

func TestSortMenu80x24(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("s s s")
	golden.RequireEqual(t, x.screen())
}

// TestResultsFollowWhileTyping: list, counts and histogram are those of what
// was typed when the hand pauses; nothing is asked for before.
func TestResultsFollowWhileTyping(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 120, 24)
	asked := len(lib.queries)
	x.press("/")
	x.write("status:pending")
	if len(lib.queries) != asked {
		t.Error("asked before the hand paused")
	}
	earlier := x.timers
	x.timers = nil
	x.press("x backspace")
	for _, pause := range earlier {
		x.send(pause.msg)
	}
	if len(lib.queries) != asked {
		t.Error("asked for a text that was typed on")
	}
	x.pause()
	if len(lib.queries) != asked+1 {
		t.Errorf("%d questions for rows", len(lib.queries)-asked)
	}
	x.wants("8 of 11  pending")
	x.write(" score>=0.8")
	x.pause()
	x.wants("4 of 11  pending·score≥0.80", "▲0.80")
	if x.ids() != "00 01 04 08" {
		t.Errorf("rows %s", x.ids())
	}
	if h, known := x.app.Passing(); !known || h.Histogram[18] != 2 || h.Histogram[14] != 0 {
		t.Errorf("histogram %v", h.Histogram)
	}
	x.press("enter")
	x.wants("4 of 11", "33% done") // of the 6 that pass without the status
	if x.app.field != nil || x.selected() != "00000000" {
		t.Errorf("selected %s", x.selected())
	}
}

// TestEscBringsBackWhatWas: filter, list, selection, counts and the line of the
// screen it stood on.
func TestEscBringsBackWhatWas(t *testing.T) {
	x := start(t, small(1000), 80, 24)
	for range 300 {
		x.press("j")
	}
	x.press("k k k k")
	before, screen := x.selected(), x.screen()
	x.typed("topic:77")
	if x.ids() == "" || x.selected() == before {
		t.Fatal("no results")
	}
	x.press("esc")
	if x.selected() != before || x.screen() != screen {
		t.Errorf("selected %s, not %s:\n%s", x.selected(), before, x.screen())
	}
	checkWindow(t, x)
	x.press("j")
	x.typed("nothing has this")
	x.wants("Nothing passes the filter")
	x.press("esc k")
	if x.screen() != screen {
		t.Errorf("not what was:\n%s", x.screen())
	}
}

// TestOlderQuestionsAreCancelledAndTheirAnswersDropped: whatever order answers
// come in, the screen shows the last filter.
func TestOlderQuestionsAreCancelledAndTheirAnswersDropped(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 120, 24)
	x.press("/")
	x.hold = true
	for _, text := range []string{"status:approved", "status:rejected", "status:unsure"} {
		x.press("ctrl+u")
		x.write(text)
		x.pause()
	}
	held := x.held
	x.held, x.hold = nil, false
	for _, cmd := range slices.Backward(held) {
		x.run(cmd)
	}
	for _, method := range []string{"Segments", "Count", "Values"} {
		if lib.cancelled[method] != 2 {
			t.Errorf("%d questions for %s were cancelled", lib.cancelled[method], method)
		}
	}
	x.wants("1 of 11  unsure")
	if x.ids() != "03" {
		t.Errorf("rows %s", x.ids())
	}
}

func TestFiltersOfBeforeComeBack(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	for _, text := range []string{"has:stale", "score>=0.9", "has:stale"} {
		x.typed(text)
		x.press("enter")
	}
	x.press("/ ctrl+u")
	x.write(`"half"`)
	var seen []string
	for _, key := range []string{"up", "up", "up", "down", "down", "down"} {
		x.press(key)
		seen = append(seen, x.app.field.Input.Value())
	}
	if want := `[has:stale score>=0.9 score>=0.9 has:stale "half" "half"]`; fmt.Sprint(seen) != want {
		t.Errorf("%v", seen)
	}
	x.press("up up")
	x.pause()
	x.wants("4 of 11  score≥0.90")
}

func TestControlCPutsAFilterAway(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("has:sta")
	x.press("ctrl+c")
	x.wants("11 segments", "filter put away")
	if x.quit || x.app.field != nil {
		t.Fatal("quit, or still open")
	}
	x.press("/")
	if got := x.app.field.Input.Value(); got != "has:sta " {
		t.Errorf("it has %q", got)
	}
	x.press("esc /")
	if got := x.app.field.Input.Value(); got != "" {
		t.Errorf("after esc it has %q", got)
	}
}

// TestKeysAfterEnterAreForWhatTheFilterShows: a verdict typed before the rows
// have come is not given to a row of the list before.
func TestKeysAfterEnterAreForWhatTheFilterShows(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 80, 24)
	x.press("/")
	x.write("status:unsure")
	x.hold = true
	x.press("enter a")
	x.release()
	if lib.verdictOf(0) != review.Pending || lib.verdictOf(3) != review.Approved {
		t.Errorf("stored: %s %s", lib.verdictOf(0), lib.verdictOf(3))
	}
	lib.fail = map[string]error{"Segments": errors.New("locked")}
	x.typed("status:rejected")
	x.press("enter a")
	lib.fail = nil
	x.tick()
	if lib.verdictOf(5) != review.Rejected {
		t.Error("a verdict on what came later than it was typed for")
	}
	x.wants("1 of 11  rejected")
	if x.ids() != "05" {
		t.Errorf("rows %s", x.ids())
	}
}

func TestAFilterThatCouldNotBeReadIsReadAgain(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 80, 24)
	lib.fail = map[string]error{"Segments": errors.New("locked")}
	x.typed("status:rejected")
	x.wants("the list could not be read: locked")
	x.press("enter")
	lib.fail = nil
	x.tick()
	if x.ids() != "05" {
		t.Errorf("rows %s", x.ids())
	}
}

// TestEscShowsWhatChangedMeanwhile: what came while a filter was typed is in
// the list that esc brings back.
func TestEscShowsWhatChangedMeanwhile(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.typed("status:rejected")
	x.lib.change(func(l *fakeLibrary) { l.segments[1].Topic = "named by somebody" })
	x.tick()
	x.press("esc")
	x.wants("named by somebody")
}

func TestMessagesInTheLineLeaveWithTheNextCharacter(t *testing.T) {
	x := start(t, sampleLibrary(), 80, 24)
	x.press("/")
	x.app.Say("import done")
	x.wants("import done")
	x.write("t")
	if strings.Contains(x.screen(), "import done") {
		t.Error("it stays")
	}
}

// TestTextIsFoundHastilyThenInOrder: the first hits show at once, and are put
// in order when all are known.
func TestTextIsFoundHastilyThenInOrder(t *testing.T) {
	lib := small(900)
	lib.share = [2]int64{61, 100}
	x := start(t, lib, 120, 24, func(o *Options) { o.Order = review.MostTokens })
	x.press("/")
	x.write(`"number 8"`)
	x.hold = true
	x.pause()
	step := func() { // one question and its answer
		held := x.held
		x.held = nil
		x.hold = false
		for _, cmd := range held {
			x.hold = true
			x.runOne(cmd)
		}
	}
	step()
	if !x.app.List.Hasty || x.ids() == "" {
		t.Fatalf("no hasty rows: %q", x.ids())
	}
	x.release()
	if x.app.List.Hasty || x.selected() != "00000325" {
		t.Errorf("hasty %v, selected %s", x.app.List.Hasty, x.selected())
	}
	x.wants("111 of 900  “number 8”", "searching 61% of messages")
	if q := lib.queries[len(lib.queries)-2:]; !q[0].Hasty || q[1].Hasty {
		t.Errorf("asked: %+v", q)
	}
}

// runOne runs a command, and what it leads to if it is a batch; the questions
// that follow from answers are held.
func (x *harness) runOne(cmd tea.Cmd) {
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			if c != nil {
				x.runOne(c)
			}
		}
	default:
		x.send(msg)
	}
}

func TestCountsAreUnknownUntilTheyCome(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 120, 24)
	lib.fail = map[string]error{"Count": errors.New("later")}
	x.typed("score>=0.8")
	x.wants("… of 11  score≥0.80", "…% done")
	lib.fail = nil
	x.run(x.app.handleVersion(lib.version+1, nil))
	x.press("enter")
	x.wants("6 of 11  score≥0.80", "33% done")
}

func TestTypingPauseIsShorterThanOneNotices(t *testing.T) {
	if room.TypingPause > 100*time.Millisecond {
		t.Error(room.TypingPause)
	}
}

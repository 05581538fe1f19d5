package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/review"
	"winnow/tui/keys"
)

// markedRows returns the numbers of the segments that are marked.
func (x *harness) markedRows() (rows []int) {
	for i := range x.lib.segments {
		if x.app.Marked()[x.lib.segments[i].ID] {
			rows = append(rows, i)
		}
	}
	return rows
}

func (x *harness) wantsMarked(when string, want ...int) {
	x.t.Helper()
	if got := x.markedRows(); !slices.Equal(got, want) {
		x.t.Errorf("%s: %v are marked, want %v", when, got, want)
	}
}

// verdictsOf are the first letters of all verdicts.
func (l *fakeLibrary) verdictsOf() string {
	var b strings.Builder
	for i := range l.segments {
		b.WriteByte(l.segments[i].Verdict[0])
	}
	return b.String()
}

func TestMarksToggleAndGoDown(t *testing.T) {
	x := start(t, small(6), 80, 24)
	x.press("space j space")
	x.wantsMarked("two", 0, 2)
	x.wants("2 marked")
	x.press("k space")
	x.wantsMarked("one is taken away", 0)
	x.press("enter space")
	x.wantsMarked("in the reader, which stays", 0, 3)
	if x.selected() != "00000003" {
		t.Errorf("selected %s", x.selected())
	}
	x.press("v esc esc")
	x.wantsMarked("all are taken away")
	x.press("esc")
	x.wants("nothing to close")
	if x.quit {
		t.Error("esc quit")
	}
}

func TestARangeFollowsTheSelection(t *testing.T) {
	x := start(t, small(10), 80, 24)
	x.press("j space j v j j")
	x.wantsMarked("down", 1, 3, 4, 5)
	x.press("k k k k")
	x.wantsMarked("up past its beginning", 1, 2, 3)
	x.press("v G")
	x.wantsMarked("ended, and moved on", 1, 2, 3)
	x.press("v k k esc")
	x.wantsMarked("given up", 1, 2, 3)
	x.press("v k space")
	x.wantsMarked("ended by space", 1, 2, 3, 6, 7)
	x.press("q")
	x.wantsMarked("q takes them away as esc does")
	if x.quit {
		t.Error("q quit")
	}
}

// TestARangeOfRowsThatAreNotInMemory: jumping to the other end of a long list
// marks all between.
func TestARangeOfRowsThatAreNotInMemory(t *testing.T) {
	x := start(t, small(3000), 80, 24)
	x.press("j j v G")
	if marked := x.app.Marked(); len(marked) != 2998 || !marked[x.lib.segments[1500].ID] {
		t.Errorf("%d are marked", len(marked))
	}
	x.press("g v")
	x.wantsMarked("to the other end", 0, 1, 2)
}

// TestMarksStay: they are of segments, wherever these stand, and those that the
// filter does not show are told of.
func TestMarksStay(t *testing.T) {
	lib := small(8)
	for i := range lib.segments {
		lib.segments[i].TaskType = []string{"code", "ops"}[i%2]
	}
	x := start(t, lib, 100, 24)
	x.press("space space j space")
	x.wantsMarked("three", 0, 1, 3)
	x.press("/")
	x.write("type:code")
	x.press("esc / ctrl+u")
	x.write("type:code")
	x.tick()
	x.press("enter")
	x.wants("3 marked, 2 not in the filter")
	x.press("s t")
	x.lib.change(func(l *fakeLibrary) { l.segments[7].Note = "x" })
	x.tick()
	x.wantsMarked("sorted and read again", 0, 1, 3)
	x.press("A")
	x.wants("Approve the 3 marked segments?", "2 marked ones do not pass the filter")
	x.press("y")
	if got := lib.verdictsOf(); got != "aapapppp" {
		t.Errorf("verdicts %s", got)
	}
	x.wantsMarked("they have served")
}

func TestBulkAsksOnceAndIsOneAction(t *testing.T) {
	lib := small(6)
	set := func(i int, v review.Verdict, by string) { lib.segments[i].Verdict, lib.segments[i].Reviewer = v, by }
	set(1, review.Rejected, "bob")
	set(2, review.Unsure, "ann")
	set(3, review.Approved, "bob")
	x := start(t, lib, 100, 24)
	x.press("A")
	x.wants("Approve 5 segments, all there are?", "1 that you had marked unsure and 1 that bob had rejected", "1 more is already approved", "do it")
	x.press("n")
	x.wants("nothing was changed")
	x.press("A esc R q A r j y")
	if got := lib.verdictsOf(); got != "aaaaaa" || len(lib.journal) != 1 {
		t.Errorf("verdicts %s, %d entries", got, len(lib.journal))
	}
	x.wants("approved 5 segments", "6 approved", "100% done")
	x.press("A")
	x.wants("nothing to do: all 6 are already approved")
	x.press("u")
	if got := lib.verdictsOf(); got != "prua"+"pp" {
		t.Errorf("undone: %s", got)
	}
	x.wants("undo: 5 segments", "1 approved", "1 rejected", "1 unsure")
	x.press("U")
	x.wants("redo: 5 segments", "6 approved")
}

// TestBulkOfWhatPassesTheFilter: also of what is not in memory, and the counts
// follow at once.
func TestBulkOfWhatPassesTheFilter(t *testing.T) {
	lib := small(2500)
	for i := range lib.segments {
		lib.segments[i].TaskType = []string{"code", "ops"}[i%2]
	}
	x := start(t, lib, 100, 24, func(o *Options) { o.Filter = "type:code" })
	x.press("R")
	x.wants("Reject 1,250 segments that pass the filter?")
	x.hold = true
	x.press("y")
	x.wants("rejecting 1,250 segments", "keys still work", "1,250 rejected")
	x.press("j j")
	x.release()
	x.wants("1,250 rejected")
	if strings.Contains(x.screen(), "keys still work") {
		t.Error("still at it")
	}
	if got := lib.verdictsOf(); strings.Count(got, "r") != 1250 || got[:4] != "rprp" {
		t.Errorf("verdicts %s", got[:8])
	}
	x.press("u")
	x.tick()
	x.wants("0 rejected")
}

func TestABulkThatFailsIsNotGiven(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 100, 24)
	x.press("space space")
	lib.fail = map[string]error{"Judge": errors.New("disk full")}
	x.press("A y")
	x.wants("approving 2 segments: not saved: disk full", "0 approved")
	x.wantsMarked("they have not served", 0, 1)
	lib.fail = nil
	x.press("A y")
	x.wants("2 approved")
}

func TestBulkThatCannotBeCounted(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 100, 24)
	lib.fail = map[string]error{"IDs": errors.New("disk I/O error")}
	x.press("A")
	x.wants("the segments could not be counted: disk I/O error")
	if len(lib.journal) != 0 {
		t.Error("judged")
	}
}

// TestKeysWaitForTheQuestion: what is typed while the segments are counted
// answers it, and esc gives it up.
func TestKeysWaitForTheQuestion(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 100, 24)
	x.hold = true
	x.press("A y")
	x.wants("Approve all segments? counting")
	x.release()
	if got := lib.verdictsOf(); got != "aaaa" {
		t.Errorf("verdicts %s", got)
	}
	x.hold = true
	x.press("X esc")
	x.release()
	if got := lib.verdictsOf(); got != "aaaa" || x.app.Context() != keys.InList {
		t.Errorf("verdicts %s", got)
	}
}

func TestMarkedSegmentsThatAreGone(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 100, 24)
	x.press("space space space")
	lib.change(func(l *fakeLibrary) { l.segments = l.segments[1:] })
	x.press("F")
	x.wants("Mark the 2 marked segments unsure?", "1 no longer exists")
	x.press("y")
	if got := lib.verdictsOf(); got != "uup" {
		t.Errorf("verdicts %s", got)
	}
}

// TestUnsureQueue: where all is judged the way to a second look is told, and
// verdicts there go on to the next one that is unsure still.
func TestUnsureQueue(t *testing.T) {
	lib := small(4)
	x := start(t, lib, 120, 24)
	x.press("f f a f")
	x.wants("all is judged", "3 unsure want a second look: :unsure-queue")
	x.press(":")
	x.write("unsure-queue")
	x.press("enter")
	x.wants("3 of 4", "unsure")
	x.press("a")
	if x.selected() != "00000001" {
		t.Errorf("selected %s", x.selected())
	}
	x.press("j a")
	x.wants("from the top again")
	if x.selected() != "00000001" {
		t.Errorf("selected %s", x.selected())
	}
	x.press("r")
	x.wants("nothing else passes the filter")
	if got := lib.verdictsOf(); got != "araa" {
		t.Errorf("verdicts %s", got)
	}
	x.press(":")
	x.write("unsure-queue")
	x.press("enter")
	x.wants("no segment is unsure")
}

// TestAnyMarksAndBulksUndo: whatever is marked, judged and tagged at once,
// undoing it all brings back what was.
func TestAnyMarksAndBulksUndo(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(7, seed))
		lib := small(40)
		for i := range lib.segments {
			s := &lib.segments[i]
			s.Verdict, s.TaskType = review.Verdicts[r.IntN(4)], []string{"code", "ops"}[r.IntN(2)]
			if r.IntN(4) == 0 {
				s.Tags = []string{"keep"}
			}
		}
		state := func() string {
			var b strings.Builder
			for _, s := range lib.segments {
				fmt.Fprintln(&b, s.ID, s.Verdict, s.Tags)
			}
			return b.String()
		}
		before := state()
		x := start(t, lib, 100, 24, func(o *Options) { o.Filter = []string{"", "type:code", "status:pending"}[r.IntN(3)] })
		for range 60 {
			switch r.IntN(8) {
			case 0:
				x.press(pick(r, "A", "R", "F", "X") + " " + pick(r, "y", "enter", "n", "esc"))
			case 1:
				if x.app.List.Selected() == nil {
					continue
				}
				x.press("t ctrl+u")
				x.write(pick(r, "", "keep", "keep golden", "x-y"))
				x.press(pick(r, "enter", "enter", "esc"))
			case 2:
				x.press(pick(r, "/ ctrl+u enter", "0", "s t", "esc"))
				x.tick()
			default:
				x.press(pick(r, "space", "v", "j", "j j j", "k", "G", "g", "pgdown", "a", "ctrl+d"))
			}
		}
		x.press("esc esc esc 0")
		for i := 0; len(lib.journal) > 0; i++ {
			x.press("u")
			if i > 200 {
				t.Fatalf("seed %d: no end of undoing\n%s", seed, x.screen())
			}
		}
		if got := state(); got != before {
			t.Fatalf("seed %d:\n%swas\n%s", seed, got, before)
		}
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func bulkScreen(t *testing.T, w, h int, keys string) *harness {
	lib := wholeLibrary()
	lib.segments[0].Tags = []string{"keep", "golden"}
	lib.segments[2].Reviewer, lib.segments[5].Reviewer = "ann", "bob"
	x := start(t, lib, w, h)
	x.press(keys)
	return x
}

func TestBulkScreen80x24(t *testing.T) {
	golden.RequireEqual(t, bulkScreen(t, 80, 24, "space v j j j j v A").screen())
}

func TestBulkScreen200x60(t *testing.T) {
	golden.RequireEqual(t, bulkScreen(t, 200, 60, "space v j j j j v R").screen())
}

func TestMarkedScreenStyled(t *testing.T) {
	golden.RequireEqual(t, bulkScreen(t, 110, 16, "space space j v j").app.View().Content)
}

func TestMarkedScreenASCII(t *testing.T) {
	x := start(t, small(5), 80, 24, func(o *Options) { o.ASCII = true })
	x.press("space j space k")
	x.wantsASCII()
	column := func() string {
		l := x.lines()
		return l[2][:1] + l[3][:1] + l[4][:1] + l[5][:1]
	}
	if got := column(); got != "* # " {
		t.Errorf("%q:\n%s", got, x.screen())
	}
	x.press("k")
	if got := column(); got != "*>* " {
		t.Errorf("%q:\n%s", got, x.screen())
	}
}

// What acts on the marks stands in the footer while there are some.
func TestFooterTellsWhatActsOnMarks(t *testing.T) {
	x := start(t, small(6), 120, 20)
	x.press("space space")
	x.wants("A approve 2", "R reject 2", "F unsure", "t tags", "esc unmark")
	x.press("v j")
	x.wants("range: v ends it", "A approve 4")
	x.press("v esc")
	x.wants("a approve  r reject")
}

// Enter, which is pressed by habit, gives no verdict to all that pass.
func TestEnterIsNoYesToAllThatPass(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 120, 20)
	x.press("A enter")
	x.wants("3 segments, all there are?", "n leave")
	if len(lib.journal) != 0 {
		t.Fatal("enter gave verdicts")
	}
	x.press("n space A enter")
	if len(lib.journal) != 1 {
		t.Errorf("%d entries", len(lib.journal))
	}
}

package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/review"
	"winnow/core/session"
	"winnow/tui/list"
	"winnow/tui/rows"
)

// checkWindow fails unless the rows in memory are a run of the library's.
func checkWindow(t *testing.T, x *harness) {
	t.Helper()
	w := &x.app.List
	all := x.lib.segments
	if x.app.Order != review.Natural {
		all = slices.Clone(all)
		slices.SortStableFunc(all, order(x.app.Order, x.app.Looks().Seed))
	}
	if len(w.Rows) == 0 {
		if len(all) > 0 {
			t.Fatal("no rows")
		}
		return
	}
	at := slices.IndexFunc(all, func(s review.Segment) bool { return s.ID == w.Rows[0].ID })
	if at < 0 || at+len(w.Rows) > len(all) {
		t.Fatalf("row 0 is number %d of %d, %d rows", at, len(all), len(w.Rows))
	}
	for i := range w.Rows {
		if w.Rows[i].ID != all[at+i].ID {
			t.Fatalf("row %d is %s, not %s", i, w.Rows[i].Short(), all[at+i].Short())
		}
	}
	n := 0
	for _, p := range w.Pages {
		n += p.N
	}
	if n != len(w.Rows) || w.AtTop && at != 0 || w.AtEnd && at+len(w.Rows) != len(all) {
		t.Fatalf("pages of %d rows for %d, at %d, top %v, end %v of %d", n, len(w.Rows), at, w.AtTop, w.AtEnd, len(all))
	}
	if w.Cur < w.Top || w.Cur >= w.Top+w.Height || w.Cur >= len(w.Rows) || w.Top < 0 {
		t.Fatalf("row %d selected, %d to %d on screen", w.Cur, w.Top, w.Top+w.Height)
	}
	if !w.AtTop && !w.AtEnd && len(w.Pages) < 2 {
		t.Fatal("no border is known")
	}
}

func TestListOfAHundredThousandRowsLoadsWhatItShows(t *testing.T) {
	lib := small(100_000)
	x := start(t, lib, 160, 45)
	if lib.rows > 2*list.PageSize {
		t.Errorf("%d rows read for the first screen", lib.rows)
	}
	for range 100 {
		x.press("j")
	}
	x.press("G")
	if x.selected() != "0001869f" {
		t.Errorf("the last row is %s", x.selected())
	}
	x.press("pgup pgup k k")
	checkWindow(t, x)
	x.press("g")
	if x.selected() != "00000000" {
		t.Errorf("the first row is %s", x.selected())
	}
	if lib.pages > 12 || lib.rows > 12*list.PageSize {
		t.Errorf("%d pages, %d rows read", lib.pages, lib.rows)
	}
	if n := len(x.app.List.Rows); n > rows.KeepPages*list.PageSize {
		t.Errorf("%d rows kept", n)
	}
}

func TestListKeepsABoundedWindow(t *testing.T) {
	x := start(t, small(3000), 80, 24)
	for range 150 {
		x.press("pgdown")
		checkWindow(t, x)
		if n := len(x.app.List.Rows); n > (rows.KeepPages+1)*list.PageSize {
			t.Fatalf("%d rows kept", n)
		}
	}
	if x.selected() != "00000bb7" {
		t.Errorf("at the end: %s", x.selected())
	}
	for range 150 {
		x.press("pgup")
		checkWindow(t, x)
	}
	if x.selected() != "00000000" {
		t.Errorf("at the start: %s", x.selected())
	}
}

func TestSelectionStaysWhileRowsComeAndGo(t *testing.T) {
	x := start(t, small(2000), 80, 24)
	random := rand.New(rand.NewPCG(3, 4))
	keys := append(strings.Fields("j k pgdown pgup ctrl+d ctrl+u G g j j j a u N"), "s d", "s t", "s n")
	for step := range 250 / slower {
		x.press(keys[random.IntN(len(keys))])
		before, line := x.selected(), x.app.List.Cur-x.app.List.Top
		keep := x.app.List.Selected().ID
		x.lib.change(func(l *fakeLibrary) {
			for range 3 {
				at := random.IntN(len(l.segments))
				if l.segments[at].ID != keep {
					l.segments = slices.Delete(l.segments, at, at+1)
				}
				s := l.segments[0]
				s.ID, s.Topic = fmt.Sprintf("%08x-%04x-4000-8000-00000000000%d", random.IntN(2000), 1+step%60000, random.IntN(9)), "new"
				l.segments = append(l.segments, s)
			}
			slices.SortStableFunc(l.segments, order(review.Natural))
			l.segments = slices.CompactFunc(l.segments, func(a, b review.Segment) bool { return a.ID == b.ID })
		})
		x.tick()
		checkWindow(t, x)
		if x.selected() != before {
			t.Fatalf("step %d: the selection jumped from %s to %s", step, before, x.selected())
		}
		w := &x.app.List
		if got := w.Cur - w.Top; got != line && w.Top > 0 && w.Top+w.Height < len(w.Rows) {
			t.Fatalf("step %d: the selected row moved from line %d to %d", step, line, got)
		}
	}
}

func TestSelectedRowThatVanishesLeavesItsNeighbour(t *testing.T) {
	x := start(t, small(10), 80, 24)
	x.press("j j j")
	x.lib.change(func(l *fakeLibrary) { l.segments = slices.Delete(l.segments, 3, 5) })
	x.tick()
	if x.selected() != "00000005" {
		t.Errorf("selected %s", x.selected())
	}
	x.lib.change(func(l *fakeLibrary) { l.segments = l.segments[:2] })
	x.tick()
	if x.selected() != "00000001" {
		t.Errorf("selected %s", x.selected())
	}
	x.lib.change(func(l *fakeLibrary) { l.segments = nil })
	x.tick()
	x.wants("Nothing here yet")
	x.lib.change(func(l *fakeLibrary) { l.segments = manySegments(3) })
	x.tick()
	x.wants("Task number 0")
}

func TestIdleScreenAsksForTheVersionOnly(t *testing.T) {
	x := start(t, small(500), 80, 24)
	pages := x.lib.pages
	for range 20 {
		if len(x.timers) != 1 || x.timers[0].after < 500*time.Millisecond || x.timers[0].after > time.Second {
			t.Fatalf("timers: %v", x.timers)
		}
		x.tick()
	}
	if x.lib.pages != pages {
		t.Errorf("%d pages read while nothing changed", x.lib.pages-pages)
	}
}

func TestVerdictOfAColleagueAppears(t *testing.T) {
	x := start(t, small(5), 80, 24)
	x.lib.change(func(l *fakeLibrary) { l.segments[2].Verdict = review.Approved })
	x.tick()
	x.wants("1 approved", "✓")
}

// TestSortGoesThroughAllOrders: whoever sorts sees what comes first, and the
// reader shows it.
func TestSortGoesThroughAllOrders(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 120, 10)
	seen := map[review.Order]bool{}
	for _, key := range strings.Fields("s s d d t t l l f f r r n") {
		x.press("j")
		seed := x.app.Looks().Seed
		x.press("s " + key)
		checkWindow(t, x)
		if w := &x.app.List; w.Cur != 0 || w.Top != 0 || !w.AtTop || x.app.Opened.ID != w.Rows[0].ID {
			t.Errorf("%s: row %d is selected, the reader shows %s", x.app.Order, w.Cur, x.app.Opened.Short())
		}
		if seen[x.app.Order] && (x.app.Order != review.Random || x.app.Looks().Seed == seed) {
			t.Errorf("%s again", x.app.Order)
		}
		seen[x.app.Order] = true
	}
	if x.app.Order != review.Natural || len(seen) != 12 {
		t.Errorf("%d orders, at last %s", len(seen), x.app.Order)
	}
	x.press("s s")
	x.wants("~/sessions", "best score first", "sorted: best score first")
	if x.selected() != "00000008" {
		t.Errorf("the best is %s", x.selected())
	}
}

// TestKeysWaitForAnotherOrder: a verdict is for the segment that it puts first.
func TestKeysWaitForAnotherOrder(t *testing.T) {
	lib := sampleLibrary()
	x := start(t, lib, 80, 24)
	x.press("s")
	x.hold = true
	x.press("s a")
	x.release()
	if lib.verdictOf(0) != review.Pending || lib.verdictOf(8) != review.Approved {
		t.Errorf("stored: %s %s", lib.verdictOf(0), lib.verdictOf(8))
	}
}

func TestErrorsOfTheLibraryAreSaidAndPass(t *testing.T) {
	lib := small(5)
	lib.fail = map[string]error{"Segments": errors.New("database is locked\nby process 7")}
	x := start(t, lib, 120, 24)
	x.wants("the list could not be read: database is locked by process 7")
	pages := lib.pages
	x.press("j k j")
	if lib.pages > pages {
		t.Error("asked again and again")
	}
	lib.fail = map[string]error{"Version": errors.New("gone")}
	x.tick()
	x.wants("the database does not answer: gone")
	lib.fail = nil
	x.press("ctrl+l")
	x.wants("Task number 0")
}

func TestOlderAnswerIsDropped(t *testing.T) {
	x := start(t, small(1000), 80, 24)
	stale := x.app.Ask(rows.Request{Want: rows.WantEnd})
	x.press("s d")
	x.send(stale())
	if w := &x.app.List; w.Order != review.Newest || !w.AtTop || w.Cur != 0 {
		t.Error("the answer to an older question was used")
	}
	checkWindow(t, x)
}

func TestTitleStandsInForATopic(t *testing.T) {
	lib := small(3)
	lib.segments[0].Topic, lib.segments[1].Topic = "", ""
	lib.segments[1].Start = 40
	lib.titles = map[string]string{"s0": "Session about\n parsers"}
	x := start(t, lib, 80, 24)
	x.wants("Session about parsers", "s1.jsonl · from 40", "Task number 2")
}

func TestRowsThatComeInAtASeamAreReadOnce(t *testing.T) {
	x := start(t, small(1000), 80, 24)
	for range list.PageSize - 1 {
		x.press("j")
	}
	for i := range 3 { // between the last row of the first page and the next one
		x.lib.change(func(l *fakeLibrary) {
			s := l.segments[0]
			s.ID = fmt.Sprintf("%08x-1111-4000-8000-00000000000%d", list.PageSize-1, i)
			l.segments = append(l.segments, s)
		})
		x.tick()
		checkWindow(t, x)
	}
}

// TestUntitledKinAreNamedByWhereTheyComeFrom: the id that a branch begins with
// says nothing.
func TestUntitledKinAreNamedByWhereTheyComeFrom(t *testing.T) {
	lib := small(3)
	for i := range lib.segments {
		lib.segments[i].Topic = ""
	}
	lib.sessions = map[string]review.Session{
		"s0": {ID: "s0", File: "/logs/ma\x1b[2Jin.jsonl#b=0f3c", Origin: session.Origin{Kind: session.Branch, At: 1204}},
		"s1": {ID: "s1", File: "/logs/agent-7.jsonl", Origin: session.Origin{Kind: session.Subagent}},
		"s2": {ID: "s2", File: "/logs/x.jsonl#b=1", Title: "Its own", Origin: session.Origin{Kind: session.Branch}},
	}
	start(t, lib, 200, 24).wants("given-up branch at 1,204 · ma␛", "sub-agent · agent-7.jsonl", "Its own")
}

// TestRowsOfAnOlderQuestionAreDropped: the answer to a question that another one
// took the place of changes nothing.
func TestRowsOfAnOlderQuestionAreDropped(t *testing.T) {
	x := start(t, small(300), 80, 24)
	old := x.app.Ask(rows.Request{Want: rows.WantEnd})()
	x.run(x.app.Ask(rows.Request{Want: rows.WantStart}))
	before := x.screen()
	x.send(old)
	if after := x.screen(); after != before {
		t.Errorf("the list went to\n%s", after)
	}
}

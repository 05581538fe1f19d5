package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
	"winnow/core/review"
)

func filtered(text string) func(*Options) { return func(o *Options) { o.Filter = text } }

// TestJudgedRowsStayUntilTheListIsAskedForAnew: nothing moves under a hand that
// judges, undo finds everything in its place, and what was judged leaves with
// the next filter, order or reload.
func TestJudgedRowsStayUntilTheListIsAskedForAnew(t *testing.T) {
	lib := small(40)
	for i := 0; i < 40; i += 3 {
		lib.segments[i].Verdict = review.Approved
	}
	x := start(t, lib, 80, 24, filtered("status:pending"))
	all := x.ids()
	line := func() int { return x.app.list.cur - x.app.list.top }
	for i, key := range strings.Fields("a r f a a") {
		before := x.selected()
		x.press(key)
		x.tick() // the list is read again, as it is now
		if x.ids() != all || line() != i+1 || x.selected() == before {
			t.Fatalf("after %d verdicts: line %d, rows %s", i+1, line(), x.ids())
		}
	}
	x.wants("21 of 40  pending")
	x.press("u u")
	x.tick()
	if x.ids() != all || line() != 3 || x.app.list.selected().Verdict != review.Pending {
		t.Errorf("after undo: line %d, rows %s", line(), x.ids())
	}
	x.press("n")
	x.write("with a note")
	x.press("enter a")
	x.tick()
	selected := x.selected()
	x.press("ctrl+l")
	if strings.Contains(x.ids(), "01 ") || x.selected() != selected {
		t.Errorf("after a reload: selected %s, rows %s", x.selected(), x.ids())
	}
	x.press("a s t")
	if n := len(x.app.list.rows); n != 21 {
		t.Errorf("%d rows in another order", n)
	}
	x.press("a 0")
	if n := len(x.app.list.rows); n != 40 {
		t.Errorf("%d rows without a filter", n)
	}
}

// TestKeptRowsFollowTheDatabase: a row that stays shows what others did to it,
// and leaves when it is gone.
func TestKeptRowsFollowTheDatabase(t *testing.T) {
	x := start(t, small(10), 80, 24, filtered("status:pending"))
	x.press("a a a")
	x.lib.change(func(l *fakeLibrary) {
		l.segments[1].Topic = "named by somebody"
		l.segments = append(l.segments[:2:2], l.segments[3:]...)
	})
	x.tick()
	if x.ids() != "00 01 03 04 05 06 07 08 09" {
		t.Errorf("rows %s", x.ids())
	}
	x.wants("named by somebody")
}

func TestAllThatPassesMayBeJudged(t *testing.T) {
	x := start(t, small(3), 80, 24, filtered("status:pending"))
	x.press("a a a")
	x.tick()
	x.wants("0 of 3  pending", "100% done", "all is judged")
	if x.ids() != "00 01 02" {
		t.Errorf("rows %s", x.ids())
	}
	x.press("u")
	x.tick()
	x.wants("1 of 3  pending")
	x.press("ctrl+l")
	if x.ids() != "02" {
		t.Errorf("rows %s", x.ids())
	}
	x.press("a ctrl+l")
	x.wants("Nothing passes the filter", "esc  goes back", "0    shows all")
}

func TestKeptRowsAreBounded(t *testing.T) {
	x := start(t, small(600), 80, 24, filtered("status:pending"))
	for i := range 500 {
		x.press("a")
		if i%50 == 0 {
			x.tick()
		}
		if n := len(x.app.kept); n > keptMost {
			t.Fatalf("%d rows are kept", n)
		}
	}
	x.tick()
	if x.selected() != "000001f4" {
		t.Errorf("selected %s", x.selected())
	}
}

func TestCountsFollowAVerdictAtOnce(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0.7"))
	x.wants("5 of 11", "1 approved", "37% done")
	x.hold = true
	x.press("a")
	x.wants("4 of 11", "2 approved", "50% done")
	if c, _ := x.app.passing(); c.Histogram[18] != 1 {
		t.Errorf("histogram %v", c.Histogram)
	}
	x.release()
	x.wants("4 of 11", "2 approved", "50% done")
	x.press("u")
	x.wants("5 of 11", "1 approved", "37% done")
}

// TestCountsFromBeforeAVerdictDoNotTakeItBack: an answer that was on its way
// when a verdict fell is not shown.
func TestCountsFromBeforeAVerdictDoNotTakeItBack(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0.7"))
	x.app.tally.want = true
	counts := x.app.askCounts()()
	x.press("a")
	x.send(counts)
	x.wants("4 of 11", "2 approved")
}

// TestUndoShowsWhatTheFilterHides: the segment that undo goes to stays, though
// it does not pass.
func TestUndoShowsWhatTheFilterHides(t *testing.T) {
	x := start(t, small(500), 80, 24)
	x.lib.change(func(l *fakeLibrary) { l.segments[300].Verdict = review.Rejected })
	x.press("a")
	x.typed("status:rejected")
	x.press("enter u")
	if x.selected() != "00000000" {
		t.Fatalf("selected %s", x.selected())
	}
	x.tick()
	if x.selected() != "00000000" || x.ids() != "00 2c" {
		t.Errorf("selected %s of %s", x.selected(), x.ids())
	}
}

// TestRowsThatStayKeepTheirPlace: behind the same row as before; outside of
// what was read again nobody knows their place.
func TestRowsThatStayKeepTheirPlace(t *testing.T) {
	rows := manySegments(10)
	some := func(ids ...int) (out []review.Segment) {
		for _, i := range ids {
			out = append(out, rows[i])
		}
		return out
	}
	for _, c := range []struct {
		pages      [][]review.Segment
		kept       []int
		top, end   bool
		want       string
		wantLength string
	}{
		{[][]review.Segment{some(1, 2), some(5, 8)}, []int{0, 3, 4, 9}, true, true, "[0 1 2 3 4 5 8 9]", "[5 3]"},
		{[][]review.Segment{some(1, 2), some(5, 8)}, []int{0, 3, 4, 9}, false, false, "[1 2 3 4 5 8]", "[4 2]"},
		{[][]review.Segment{some(1, 2), {}}, []int{0, 3}, true, false, "[0 1 2]", "[3]"},
		{[][]review.Segment{{}, {}}, []int{4, 7}, true, true, "[4 7]", "[2]"},
		{[][]review.Segment{{}}, []int{4, 7}, false, true, "[]", "[]"},
	} {
		a := pagesLoaded{kept: map[string]review.Segment{}, atTop: c.top, atEnd: c.end}
		for _, p := range c.pages {
			a.pages = append(a.pages, review.Page{Segments: p})
		}
		for _, i := range c.kept {
			a.kept[rows[i].ID] = rows[i]
		}
		a.putKept(rows)
		got, lengths := []int{}, []int{}
		for _, p := range a.pages {
			lengths = append(lengths, len(p.Segments))
			for _, s := range p.Segments {
				got = append(got, int(s.Body))
			}
		}
		if fmt.Sprint(got) != c.want || fmt.Sprint(lengths) != c.wantLength {
			t.Errorf("%v, top %v, end %v: %v in pages of %v", c.kept, c.top, c.end, got, lengths)
		}
	}
}

func TestThresholdMovesInSteps(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending"))
	x.press("[")
	x.wants("there is no threshold")
	x.press("j ]")
	x.wants("5 of 11  pending·score≥0.70", "▲0.70")
	if x.selected() != "00000001" {
		t.Errorf("selected %s, which passes no less than before", x.selected())
	}
	x.press("]")
	x.wants("5 of 11  pending·score≥0.75", "▲0.75")
	x.press("] ] ]")
	x.wants("3 of 11  pending·score≥0.90")
	for range 20 {
		x.press("]")
	}
	x.wants("1 of 11  pending·score≥1.00", "no score is higher")
	for range 19 {
		x.press("[")
	}
	x.wants("pending·score≥0.05")
	x.press("[")
	x.wants("8 of 11  pending ")
	x = start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0"))
	x.press("[")
	x.wants("8 of 11  pending ", "any score, and none")
	x = start(t, sampleLibrary(), 120, 24, filtered("score>=0.72"))
	x.press("[")
	x.wants("score≥0.70")
	x.press("[ / ctrl+u")
	x.write("score>=0.72")
	x.press("enter ]")
	x.wants("score≥0.75")
	x = start(t, small(3), 120, 24)
	x.press("]")
	x.wants("no segment has a score yet")
}

// TestAHeldThresholdKeyAsksForTheLastOneOnly: questions do not pile up.
func TestAHeldThresholdKeyAsksForTheLastOneOnly(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.hold = true
	for range 5 {
		x.press("]")
	}
	x.wants("score≥0.90") // none of the five waited for an answer
	x.release()
	x.wants("4 of 11  score≥0.90")
	if x.app.finding || len(x.app.held) > 0 {
		t.Error("keys are held")
	}
}

func TestSavedFiltersAreANumberAway(t *testing.T) {
	saved := &fakeSaved{filters: []SavedFilter{{2, "good\x1b[2J", "score>=0.9"}, {3, "broken", "scroe:1"}}}
	x := start(t, sampleLibrary(), 160, 24, func(o *Options) { o.Saved = saved })
	x.press("2")
	x.wants("4 of 11  score≥0.90", "filtered by 2 good␛[2J")
	x.press("2")
	x.wants("already")
	x.press("3")
	x.wants("saved filter 3 broken", "column 1", "score≥0.90")
	x.press("4")
	x.wants("no filter is saved as 4: W saves the one in force")
	x.press("0")
	x.wants("11 segments")
	x.press("0 W")
	x.wants("there is no filter: these are all segments")
	x.typed("status:pending type:code")
	x.press("enter W")
	x.wants("save filter as (1-9, name)")
	if got := x.app.field.input.Value(); got != "1 " {
		t.Errorf("offered %q", got)
	}
	x.write("code to do")
	x.press("enter")
	x.wants("saved: 1 code to do")
	if len(saved.filters) != 3 || saved.filters[2] != (SavedFilter{1, "code to do", "status:pending type:code"}) {
		t.Errorf("saved %+v", saved.filters)
	}
	x.press("W ctrl+u")
	x.write("2")
	x.press("enter")
	x.wants("saved: 2 pending·code, in place of score>=0.9")
	x.press("W ctrl+u")
	x.write("twelve")
	x.press("enter")
	x.wants("not saved: it begins with a number")
	saved.fail = errors.New("filters.toml:3: bad\nline")
	x.press("1")
	x.wants("saved filters: filters.toml:3: bad line")
}

// TestKeysWaitForASavedFilter: the verdict behind its number is for what it
// shows.
func TestKeysWaitForASavedFilter(t *testing.T) {
	lib := sampleLibrary()
	saved := &fakeSaved{filters: []SavedFilter{{1, "", "status:unsure"}}}
	x := start(t, lib, 80, 24, func(o *Options) { o.Saved = saved })
	x.hold = true
	x.press("1 a")
	x.release()
	if lib.verdictOf(0) != review.Pending || lib.verdictOf(3) != review.Approved {
		t.Errorf("stored: %s %s", lib.verdictOf(0), lib.verdictOf(3))
	}
}

func TestSavedFiltersAreOfferedOnAnEmptyLine(t *testing.T) {
	saved := &fakeSaved{filters: []SavedFilter{{1, "good", "score>=0.9"}}}
	x := start(t, sampleLibrary(), 80, 24, func(o *Options) { o.Saved = saved })
	x.press("/ tab")
	x.wants("1 good", "score>=0.9", "status:")
	x.press("enter")
	if got := x.app.field.input.Value(); got != "score>=0.9 " {
		t.Errorf("typed %q", got)
	}
}

func TestNothingPassesAndTheWaysOut(t *testing.T) {
	for _, key := range []string{"esc", "q"} {
		x := start(t, sampleLibrary(), 80, 24)
		x.typed("status:pending")
		x.press("enter")
		x.typed("status:pending tokens>9000000")
		x.wants("Nothing passes the filter")
		x.press("enter")
		x.wants("Nothing passes the filter", "0 of 11", "esc", "goes back to the filter before", "changes it")
		x.press(key)
		x.wants("8 of 11  pending")
		if x.quit {
			t.Error("quit")
		}
	}
	x := start(t, &fakeLibrary{segments: sampleSegments(), version: 1}, 40, 10, filtered("tokens>9000000"))
	x.wants("Nothing passes the filter", "esc")
	checkSize(t, x, 40, 10)
	x.press("esc")
	x.wants("Fix flaky")
}

func TestFilterOfTheCommandLineThatIsWrongIsSaid(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("scroe:1"))
	x.wants("filter: column 1", "11 segments")
}

func TestNextPendingStaysInsideTheFilter(t *testing.T) {
	lib := small(2000)
	for i := range lib.segments {
		if i > 0 && i < 1500 {
			lib.segments[i].Verdict = review.Rejected
		}
		lib.segments[i].ToolCalls = i % 2
	}
	x := start(t, lib, 80, 24, filtered("toolcalls=0"))
	x.press("N")
	if x.selected() != "000005dc" {
		t.Errorf("selected %s", x.selected())
	}
	x = start(t, lib, 80, 24, filtered("status:rejected"))
	x.press("N")
	x.wants("the filter shows no pending se")
}

func TestWhatAVerdictSaysOfAFilter(t *testing.T) {
	for text, want := range map[string]string{ // what pending and approved may do
		"":                                     "may may",
		"score>=0.5":                           "maybe maybe",
		"status:pending":                       "may not",
		"-status:pending":                      "not may",
		"status:pending score>=0.5":            "maybe not",
		"status:pending or has:note":           "may maybe",
		"status:pending,unsure":                "may not",
		"-(status:pending or status:approved)": "not not",
		"reviewer:ann":                         "not maybe",
		"-reviewer:ann":                        "may maybe",
	} {
		n, err := filter.Parse(text, filter.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		var got []string
		for _, v := range []review.Verdict{review.Pending, review.Approved} {
			may, mayNot := passes(n, v)
			got = append(got, map[bool]string{true: "may", false: "not"}[may]+map[bool]string{true: "be", false: ""}[may && mayNot])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

func TestPrettyFilters(t *testing.T) {
	for text, want := range map[string]string{
		"status:pending score>=0.7":         "pending·score≥0.70",
		"type:code,data -status:rejected":   "code+data·-rejected",
		"score<=0.333 tokens>10k":           "score≤0.33·tokens>10k",
		`"connection refused" conn*`:        "“connection refused”·“conn…”",
		`-error tag:"a b"`:                  `-“error”·tag:"a b"`,
		"status:pending or score>0.5":       "(status:pending or score>0.5)",
		"(status:pending or type:code) abc": "(status:pending or type:code)·“abc”",
		"score:0.5..0.7":                    "score:0.5..0.7",
		"":                                  "",
	} {
		n, err := filter.Parse(text, filter.Options{Now: someday})
		if err != nil {
			t.Fatal(text, err)
		}
		if got := unicodeGlyphs.pretty(n); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	n, _ := filter.Parse("status:pending score>=0.7", filter.Options{})
	if got := asciiGlyphs.pretty(n); got != "pending score>=0.70" {
		t.Error(got)
	}
}

func TestSessionTextInAFilterIsHarmless(t *testing.T) {
	lib := sampleLibrary()
	lib.segments[0].Tags = []string{"a\x1b]0;x\x07", "\u202etxt", strings.Repeat("long ", 100)}
	x := start(t, lib, 80, 24)
	x.typed("tag:")
	if n := len(x.app.line.popup.items); n != 0 {
		t.Errorf("%d values offered: %+v", n, x.app.line.popup.items)
	}
	x.app.setSieve(x.app.newSieve(filter.Term{Field: filter.Tag, Op: filter.Is, Value: "\x1b[2J\u202e"}, ""))
	for _, n := range []filter.Node{x.app.sieve.node, filter.WithThreshold(x.app.sieve.node, 0.5)} {
		x.app.setSieve(x.app.newSieve(n, ""))
		for _, r := range []string{"\x1b[2J", "\u202e"} {
			if strings.Contains(x.app.View().Content, r) {
				t.Errorf("%q reached the terminal", r)
			}
		}
	}
}

// TestFilterSurvivesAnyKeys: whatever is pressed in whatever order, the rows
// are those that pass, or were judged here.
func TestFilterSurvivesAnyKeys(t *testing.T) {
	lib := sampleLibrary()
	lib.segments = append(lib.segments, manySegments(450)[11:]...)
	saved := &fakeSaved{filters: []SavedFilter{{1, "", "status:pending"}, {2, "", "toolcalls>3 -status:rejected"}, {3, "", `"number 1"`}}}
	x := start(t, lib, 110, 20, func(o *Options) { o.Saved = saved })
	keys := []string{"j", "k", "G", "g", "a", "r", "x", "u", "U", "N", "1", "2", "3", "0", "]", "[", "s d", "s s", "s r", "s n", "/ esc", "/ enter", "ctrl+l", "pgdown", "tick", "late"}
	random := newRandom(8)
	for step := range 400 {
		key := keys[random.IntN(len(keys))]
		switch key {
		case "tick":
			x.pause()
			x.tick()
			checkPassing(t, x)
		case "late":
			x.hold = true
			x.press(keys[random.IntN(20)])
			x.press(keys[random.IntN(20)])
			x.release()
		default:
			x.press(key)
		}
		a := x.app
		if a.finding || len(a.held) > 0 {
			t.Fatalf("step %d, %s: keys are held for nothing", step, key)
		}
		if a.list.key != a.sieve.key || a.list.hasty {
			t.Fatalf("step %d, %s: rows of %q under %q", step, key, a.list.key, a.sieve.key)
		}
		for i := range a.list.rows {
			s := &a.list.rows[i]
			if !lets(a.sieve.node, lib.find(s.ID)) && !strings.Contains(fmt.Sprint(a.kept), s.ID) && s.ID != a.list.selected().ID {
				t.Fatalf("step %d, %s: row %s does not pass %q", step, key, s.Short(), a.sieve.key)
			}
		}
		n := 0
		for _, p := range a.list.pages {
			n += p.n
		}
		if n != len(a.list.rows) {
			t.Fatalf("step %d, %s: pages of %d rows for %d", step, key, n, len(a.list.rows))
		}
		checkSize(t, x, 110, 20)
	}
}

// checkPassing fails unless the rows that pass are a run of all that do.
func checkPassing(t *testing.T, x *harness) {
	t.Helper()
	a := x.app
	all := slices.Clone(x.lib.passing(a.sieve.node))
	slices.SortStableFunc(all, order(a.order, a.seed))
	var rows []string
	for i := range a.list.rows {
		if s := x.lib.find(a.list.rows[i].ID); lets(a.sieve.node, s) {
			rows = append(rows, s.ID)
		}
	}
	if len(rows) == 0 {
		if len(all) > 0 && len(a.list.rows) == 0 {
			t.Fatalf("no rows of %d", len(all))
		}
		return
	}
	at := slices.IndexFunc(all, func(s review.Segment) bool { return s.ID == rows[0] })
	for i, id := range rows {
		if at+i >= len(all) || all[at+i].ID != id {
			t.Fatalf("row %d under %q by %s is %s, which does not follow the one before", i, a.sieve.key, a.order, id[:8])
		}
	}
	if a.list.atTop && at > 0 || a.list.atEnd && at+len(rows) < len(all) {
		t.Fatalf("%d rows from %d of %d, top %v, end %v", len(rows), at, len(all), a.list.atTop, a.list.atEnd)
	}
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

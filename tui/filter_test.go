package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	room "winnow/tui/review"
	"winnow/tui/work"
)

func filtered(text string) func(*Options) { return func(o *Options) { o.Filter = text } }

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

func TestCountsFollowAVerdictAtOnce(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0.7"))
	x.wants("5 of 11", "1 approved", "38% done")
	x.hold = true
	x.press("a")
	x.wants("4 of 11", "2 approved", "50% done")
	if c, _ := x.app.Passing(); c.Histogram[18] != 1 {
		t.Errorf("histogram %v", c.Histogram)
	}
	x.release()
	x.wants("4 of 11", "2 approved", "50% done")
	x.press("u")
	x.wants("5 of 11", "1 approved", "38% done")
}

// TestCountsFromBeforeAVerdictDoNotTakeItBack: an answer that was on its way
// when a verdict fell is not shown.
func TestCountsFromBeforeAVerdictDoNotTakeItBack(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0.7"))
	x.hold = true
	x.send(work.Then(func() tea.Cmd { return x.app.handleVersion(x.lib.version+1, nil) }))
	x.hold = false
	late := answers(x.held...)
	x.press("a")
	for _, m := range late {
		x.send(m)
	}
	x.wants("4 of 11", "2 approved")
}

func TestThresholdMovesInSteps(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24, filtered("status:pending"))
	x.press("[")
	x.wants("no threshold: ] sets one")
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
	x.wants("1 of 11  pending·score≥1.00", "the threshold is at its highest")
	for range 19 {
		x.press("[")
	}
	x.wants("pending·score≥0.05")
	x.press("[")
	x.wants("8 of 11  pending ")
	x = start(t, sampleLibrary(), 120, 24, filtered("status:pending score>=0"))
	x.press("[")
	x.wants("8 of 11  pending ", "no threshold: segments without a score pass, too")
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
	if x.app.Awaits() || x.app.Waiting() > 0 {
		t.Error("keys are held")
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
		if got := draw.GlyphsFor(false).Filter(n); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	n, _ := filter.Parse("status:pending score>=0.7", filter.Options{})
	if got := draw.GlyphsFor(true).Filter(n); got != "pending score>=0.70" {
		t.Error(got)
	}
}

func TestSessionTextInAFilterIsHarmless(t *testing.T) {
	lib := sampleLibrary()
	lib.segments[0].Tags = []string{"a\x1b]0;x\x07", "\u202etxt", strings.Repeat("long ", 100)}
	x := start(t, lib, 80, 24)
	x.typed("tag:")
	if n := len(x.app.field.Popup.Items); n != 0 {
		t.Errorf("%d values offered: %+v", n, x.app.field.Popup.Items)
	}
	hostile := filter.Term{Field: filter.Tag, Op: filter.Is, Value: "\x1b[2J\u202ex"}
	x.press("esc")
	x.app.Filter = x.app.NewFilter(hostile, filter.Print(hostile))
	x.press("/")
	if strings.ContainsAny(x.app.View().Content, "\u202e") {
		t.Error("the filter line shows what turns the direction of text")
	}
	x.wants("<U+202E>x")
	x.press("esc")
	x.app.Filter = x.app.NewFilter(hostile, "")
	for _, n := range []filter.Node{x.app.Filter.Node, filter.WithThreshold(x.app.Filter.Node, 0.5)} {
		x.app.Filter = x.app.NewFilter(n, "")
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
	saved := &fakeSaved{filters: []room.SavedFilter{{Number: 1, Name: "", Text: "status:pending"}, {Number: 2, Name: "", Text: "toolcalls>3 -status:rejected"}, {Number: 3, Name: "", Text: `"number 1"`}}}
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
		if a.Awaits() || a.Waiting() > 0 {
			t.Fatalf("step %d, %s: keys are held for nothing", step, key)
		}
		if a.List.Key != a.Filter.Key || a.List.Hasty {
			t.Fatalf("step %d, %s: rows of %q under %q", step, key, a.List.Key, a.Filter.Key)
		}
		for i := range a.List.Rows {
			s := &a.List.Rows[i]
			if !lets(a.Filter.Node, lib.find(s.ID)) && !strings.Contains(fmt.Sprint(a.Kept), s.ID) && s.ID != a.List.Selected().ID {
				t.Fatalf("step %d, %s: row %s does not pass %q", step, key, s.Short(), a.Filter.Key)
			}
		}
		n := 0
		for _, p := range a.List.Pages {
			n += p.N
		}
		if n != len(a.List.Rows) {
			t.Fatalf("step %d, %s: pages of %d rows for %d", step, key, n, len(a.List.Rows))
		}
		checkSize(t, x, 110, 20)
	}
}

// checkPassing fails unless the rows that pass are a run of all that do.
func checkPassing(t *testing.T, x *harness) {
	t.Helper()
	a := x.app
	all := slices.Clone(x.lib.passing(a.Filter.Node))
	slices.SortStableFunc(all, order(a.Order, a.Looks().Seed))
	var rows []string
	for i := range a.List.Rows {
		if s := x.lib.find(a.List.Rows[i].ID); lets(a.Filter.Node, s) {
			rows = append(rows, s.ID)
		}
	}
	if len(rows) == 0 {
		if len(all) > 0 && len(a.List.Rows) == 0 {
			t.Fatalf("no rows of %d", len(all))
		}
		return
	}
	at := slices.IndexFunc(all, func(s review.Segment) bool { return s.ID == rows[0] })
	for i, id := range rows {
		if at+i >= len(all) || all[at+i].ID != id {
			t.Fatalf("row %d under %q by %s is %s, which does not follow the one before", i, a.Filter.Key, a.Order, id[:8])
		}
	}
	if a.List.AtTop && at > 0 || a.List.AtEnd && at+len(rows) < len(all) {
		t.Fatalf("%d rows from %d of %d, top %v, end %v", len(rows), at, len(all), a.List.AtTop, a.List.AtEnd)
	}
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

package tui

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/review"
	room "winnow/tui/review"
	"winnow/tui/rows"
)

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
	line := func() int { return x.app.List.Cur - x.app.List.Top }
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
	if x.ids() != all || line() != 3 || x.app.List.Selected().Verdict != review.Pending {
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
	if n := len(x.app.List.Rows); n != 21 {
		t.Errorf("%d rows in another order", n)
	}
	x.press("a 0")
	if n := len(x.app.List.Rows); n != 40 {
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

func TestKeptRowsAreBounded(t *testing.T) {
	x := start(t, small(600), 80, 24, filtered("status:pending"))
	for i := range 500 {
		x.press("a")
		if i%50 == 0 {
			x.tick()
		}
		if n := len(x.app.Kept); n > room.KeptMost {
			t.Fatalf("%d rows are kept", n)
		}
	}
	x.tick()
	if x.selected() != "000001f4" {
		t.Errorf("selected %s", x.selected())
	}
}

// TestRowsThatStayKeepTheirPlace: after the same row as before; outside of
// what was read again nobody knows their place.
func TestRowsThatStayKeepTheirPlace(t *testing.T) {
	before := manySegments(10)
	some := func(ids ...int) (out []review.Segment) {
		for _, i := range ids {
			out = append(out, before[i])
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
		a := rows.Loaded{Kept: map[string]review.Segment{}, AtTop: c.top, AtEnd: c.end}
		for _, p := range c.pages {
			a.Pages = append(a.Pages, review.Page{Segments: p})
		}
		for _, i := range c.kept {
			a.Kept[before[i].ID] = before[i]
		}
		a.PutKept(before)
		got, lengths := []int{}, []int{}
		for _, p := range a.Pages {
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

// TestUpIsOfferedWhereItLeadsSomewhere: the filter that stands in the line is
// none of before.
func TestUpIsOfferedWhereItLeadsSomewhere(t *testing.T) {
	x := start(t, sampleLibrary(), 120, 24)
	x.typed("status:unsure")
	x.press("enter / esc /")
	if strings.Contains(x.screen(), "earlier filters") {
		t.Errorf("up is offered:\n%s", x.screen())
	}
	x.press("esc")
	x.typed("status:pending")
	x.press("enter / up")
	if got := x.app.field.Input.Value(); got != "status:unsure" {
		t.Errorf("up shows %q", got)
	}
}

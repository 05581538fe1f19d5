package list

import (
	"testing"

	"winnow/tui/keys"
)

// span returns n rows on screens of height.
func span(n, height int) *Span[int] {
	s := &Span[int]{Height: height, AtTop: true, AtEnd: true}
	for i := range n {
		s.Rows = append(s.Rows, i)
	}
	return s
}

// TestMotions: where each leads, and that the screen moves no more than it has to.
func TestMotions(t *testing.T) {
	for _, c := range []struct {
		name         string
		cur, top     int
		m            keys.Motion
		toCur, toTop int
	}{
		{"down on the screen", 3, 0, keys.LineDown, 4, 0},
		{"down, below it", 9, 0, keys.LineDown, 10, 1},
		{"up on the screen", 10, 5, keys.LineUp, 9, 5},
		{"up, above it", 5, 5, keys.LineUp, 4, 4},
		{"up, at the first row", 0, 0, keys.LineUp, 0, 0},
		{"down, at the last row", 99, 90, keys.LineDown, 99, 90},
		{"half a screen down", 0, 0, keys.HalfDown, 5, 0},
		{"half a screen up", 50, 50, keys.HalfUp, 45, 45},
		{"a screen down", 9, 0, keys.PageDown, 18, 9},
		{"a screen up", 50, 45, keys.PageUp, 41, 41},
		{"a screen down near the end", 95, 90, keys.PageDown, 99, 90},
		{"to the end", 0, 0, keys.ToEnd, 99, 90},
		{"to the start", 99, 90, keys.ToStart, 0, 0},
	} {
		s := span(100, 10)
		s.Cur, s.Top = c.cur, c.top
		if _, ok := s.Move(c.m); !ok || s.Cur != c.toCur || s.Top != c.toTop {
			t.Errorf("%s: row %d, from %d on; want %d, %d", c.name, s.Cur, s.Top, c.toCur, c.toTop)
		}
	}
}

// TestMotionsThatNeedRows: an end that is not in memory is asked for, and nothing
// moves until it is there.
func TestMotionsThatNeedRows(t *testing.T) {
	s := span(100, 10)
	s.AtTop, s.AtEnd, s.Cur, s.Top = false, false, 50, 45
	for m, want := range map[keys.Motion]Want{keys.ToStart: Start, keys.ToEnd: End} {
		if got, ok := s.Move(m); ok || got != want || s.Cur != 50 || s.Top != 45 {
			t.Errorf("%s: %v %v, row %d from %d on", m, got, ok, s.Cur, s.Top)
		}
	}
}

// TestPick: a row that is not there is the nearest one, and it is on screen.
func TestPick(t *testing.T) {
	for _, c := range []struct{ rows, i, cur, top int }{{100, 50, 50, 41}, {100, -1, 0, 0}, {100, 100, 99, 90}, {5, 3, 3, 0}, {0, 3, 0, 0}} {
		s := span(c.rows, 10)
		s.Pick(c.i)
		if s.Cur != c.cur || s.Top != c.top {
			t.Errorf("%d of %d: row %d, from %d on", c.i, c.rows, s.Cur, s.Top)
		}
		if p := s.Selected(); (p == nil) != (c.rows == 0) || p != nil && *p != c.cur {
			t.Errorf("%d of %d: selected %v", c.i, c.rows, p)
		}
	}
}

// TestClick: the row on the line is selected, and told if it was; a line without a
// row is none.
func TestClick(t *testing.T) {
	for _, c := range []struct {
		rows, line, cur int
		again           bool
	}{{100, 3, 48, false}, {100, 5, 50, true}, {100, 9, 54, false}, {100, -1, 50, false}, {100, 10, 50, false}, {52, 7, 50, false}} {
		s := span(c.rows, 10)
		s.Cur, s.Top = 50, 45
		if again := s.Click(c.line); again != c.again || s.Cur != c.cur {
			t.Errorf("line %d of %d rows: row %d, again %v", c.line, c.rows, s.Cur, again)
		}
	}
}

// TestResize: the selected row stays on screen, no gap opens below the last one,
// and there is always room for one row.
func TestResize(t *testing.T) {
	for _, c := range []struct{ cur, top, height, toTop, visible int }{
		{95, 90, 20, 80, 20}, // higher
		{99, 90, 3, 97, 3},   // lower
		{90, 90, 3, 90, 3},
		{50, 45, 0, 50, 1},
		{50, 45, -5, 50, 1},
		{50, 45, 200, 0, 100},
	} {
		s := span(100, 10)
		s.Cur, s.Top = c.cur, c.top
		s.Resize(c.height)
		v := s.Visible()
		if s.Top != c.toTop || len(v) != c.visible || v[0] != c.toTop {
			t.Errorf("%+v: %d rows from %d on", c, len(v), s.Top)
		}
	}
}

// TestWants: rows are needed before the last one is reached, those below first.
func TestWants(t *testing.T) {
	for _, c := range []struct {
		rows, height, cur int
		atTop, atEnd      bool
		want              int
	}{
		{0, 10, 0, false, false, 0},
		{1000, 10, 500, false, false, 0},
		{1000, 10, 1000 - Ahead, false, false, 0},
		{1000, 10, 1000 - Ahead + 1, false, false, 1},
		{1000, 10, 1000 - Ahead + 1, false, true, 0},
		{1000, 10, Ahead, false, false, 0},
		{1000, 10, Ahead - 1, false, false, -1},
		{1000, 10, Ahead - 1, true, false, 0},
		{1000, Ahead, 2*Ahead - 1, false, false, -1}, // a high screen
		{50, 10, 25, false, false, 1},
	} {
		s := span(c.rows, c.height)
		s.Cur, s.AtTop, s.AtEnd = c.cur, c.atTop, c.atEnd
		if got := s.Wants(); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

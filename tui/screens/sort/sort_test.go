package sort

import (
	"strings"
	"testing"

	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/screen/screentest"
)

// program has a list that is sorted.
type program struct{ order review.Order }

func (p *program) Order() review.Order     { return p.order }
func (p *program) SortInto(o review.Order) { p.order = o }

func TestSorts(t *testing.T) {
	p := &program{review.Newest}
	open := func() *screentest.Run {
		return screentest.Start(t, 80, 24, Rows(), func(s screen.Seat) *Screen { return New(s, p) })
	}
	for _, c := range []struct {
		keys  string
		shows string
		want  review.Order
	}{
		{"enter", "newest → oldest", review.Oldest},
		{"d", "oldest → newest", review.Newest},
		{"k enter", "", review.BestScore},
		{"esc", "", review.BestScore},
		{"G enter", "", review.Natural},
	} {
		x := open()
		x.Wants(c.shows)
		x.Press(c.keys)
		if p.order != c.want || !x.Left {
			t.Errorf("%s: sorted by %s, left %t", c.keys, p.order, x.Left)
		}
	}
	x := open()
	x.Press("n")
	x.Wants("already sorted by file")
}

// TestClicks: a row sorts, also in a box that has no room for a frame.
func TestClicks(t *testing.T) {
	for h, y := range map[int]int{24: 3, 10: 2} {
		p := &program{review.Natural}
		x := screentest.Start(t, 80, h, Rows(), func(s screen.Seat) *Screen { return New(s, p) })
		x.Layer.(*Screen).Click(40, y)
		if p.order != review.Natural {
			t.Errorf("a click beside the box sorts by %s", p.order)
		}
		if x.Layer.(*Screen).Click(39, y); p.order != review.Newest {
			t.Errorf("%d lines: sorted by %s", h, p.order)
		}
	}
}

// TestTheMenuHasAllOrders, each with words.
func TestTheMenuHasAllOrders(t *testing.T) {
	in := map[review.Order]bool{}
	for _, s := range sortings {
		in[s.first], in[s.again] = true, true
	}
	for _, o := range review.Orders {
		if !in[o] {
			t.Errorf("%s is not in the menu", o)
		}
	}
	for _, row := range Rows() {
		if row.Help == "" || strings.HasPrefix(row.Help, "; ") {
			t.Errorf("%s has no words", row.Name)
		}
	}
}

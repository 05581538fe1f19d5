package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestFitParts: as the room shrinks, what yields first is cut, all of it at once,
// and what is worth least goes.
func TestFitParts(t *testing.T) {
	d := NewPen(false)
	for _, c := range []struct {
		w    int
		want string
	}{
		{40, "name  3 pending  4 approved  place      "},
		{34, "name  3 pending  4 approved  place"},
		{33, "name  3p  4a  place              "},
		{19, "name  3p  4a  place"},
		{18, "name  3p  4a      "},
		{11, "name  4a   "},
		{8, "name  4a"},
		{7, "name   "},
		{3, "na…"},
		{0, ""},
	} {
		parts := []Part{{Text: "name", Worth: 9}, {Text: "3 pending", Short: "3p", Yield: 2, Worth: 5}, {Text: "4 approved", Short: "4a", Yield: 2, Worth: 6}, {Text: "place", Worth: 3}}
		if got := d.FitParts(parts, c.w); got != c.want {
			t.Errorf("%d cells: %q, want %q", c.w, got, c.want)
		}
	}
}

// TestDrop: what costs least goes, whichever side it is on; the first of equal ones.
func TestDrop(t *testing.T) {
	left := []Part{{Text: "a", Worth: 3}, {Text: "b", Worth: 2}}
	right := []Part{{Text: "c", Worth: 2}, {Text: "d", Worth: 1}}
	for _, want := range []string{"a  b|c", "a|c", "a|"} {
		Drop(&left, &right)
		if got := JoinParts(left) + "|" + JoinParts(right); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := JoinParts([]Part{{Text: " "}, {Text: "x"}}); got != " x" {
		t.Errorf("a name cut to a space: %q", got)
	}
}

// TestJoinTitle: what matters keeps its least width before others get any, and no
// title is longer than its line.
func TestJoinTitle(t *testing.T) {
	d := NewPen(true)
	for _, c := range []struct {
		w    int
		want string
	}{
		{38, "a long topic - 12 messages - ann - s-1"},
		{37, "a long top~ - 12 messages - ann - s-1"},
		{30, "a long topic - ann - s-1"},
		{20, "a long ~ - ann - s-1"},
		{17, "a long top~ - s-1"},
		{11, "a lo~ - s-1"},
		{10, "ann - s-1"},
		{4, "s-1"},
	} {
		parts := []TitlePart{{Text: "a long topic", Least: 5, Wish: 8, Worth: 3}, {Text: "12 messages", Worth: 1}, {Text: "ann", Worth: 2}, {Text: "s-1", Least: 3, Worth: 9}}
		got := ansi.Strip(d.JoinTitle(parts, c.w))
		if got != c.want {
			t.Errorf("%d cells: %q, want %q", c.w, got, c.want)
		}
		if n := ansi.StringWidth(strings.TrimRight(got, " ")); n > c.w {
			t.Errorf("%d cells: %q has %d", c.w, got, n)
		}
	}
}

package draw

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestCurve: curves as they are drawn, also of one point, of one value and of what is
// no number.
func TestCurve(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		points []XY
		ascii  bool
		want   string
	}{
		{"nothing", nil, true, "    |    |    "},
		{"one point", []XY{{7, 0.5}}, true, "    |  * |    "},
		{"falling", []XY{{1, 3}, {4, 1}}, true, "*   | ** |   *"},
		{"of one value", []XY{{1, 2}, {9, 2}}, true, "    |****|    "},
		{"a peak", []XY{{0, 0}, {1, 0}, {2, 5}, {3, 0}}, true, "  * |  **|** *"},
		{"with what is no number", []XY{{1, 3}, {2, nan}, {3, inf}, {4, 1}}, true, "*   | ** |   *"},
		{"of numbers too far apart", []XY{{1, math.MaxFloat64}, {4, -math.MaxFloat64}}, true, "*   | ** |   *"},
		{"in Braille", []XY{{1, 3}, {4, 1}}, false, "⠱⡀  | ⠘⡄ |  ⠈⢆"},
	} {
		got := strings.Join(Curve(c.points, 4, 3, c.ascii), "|")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if Curve([]XY{{1, 1}}, 0, 3, false) != nil || Curve([]XY{{1, 1}}, 3, 0, false) != nil {
		t.Error("drawn in no room")
	}
}

// TestPlot: whatever is drawn has the cells that it may have, and says how far it goes.
func TestPlot(t *testing.T) {
	many := make([]XY, 2000)
	for i := range many {
		many[i] = XY{float64(i * 10), 2.5 / (1 + float64(i)/200)}
	}
	for _, points := range [][]XY{nil, {{7, 0.5}}, {{1, -1e300}, {math.MaxInt64, 1e300}}, many} {
		for _, ascii := range []bool{false, true} {
			d := NewPen(ascii)
			for w := range 60 {
				for h := range 9 {
					lines := d.Plot(points, w, h, Ink{})
					if len(lines) != 0 && len(lines) != h {
						t.Fatalf("%d points in %d by %d: %d lines", len(points), w, h, len(lines))
					}
					for _, l := range lines {
						if n := ansi.StringWidth(l); n != w {
							t.Fatalf("%d points in %d by %d: %q has %d cells", len(points), w, h, l, n)
						}
					}
				}
			}
		}
	}
	got := strings.Join(NewPen(true).Plot(many, 40, 8, Ink{}), "\n")
	for _, want := range []string{"2.5 |*", "0.2274 |", "step 0 ", " 19990"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := strings.Join(NewPen(true).Plot([]XY{{7, 0.5}}, 20, 5, Ink{}), "\n"); strings.Count(got, "0.5") != 1 || !strings.Contains(got, "step 7") {
		t.Errorf("of one point:\n%s", got)
	}
}

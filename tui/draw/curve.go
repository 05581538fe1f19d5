package draw

import (
	"math"
	"strconv"
	"strings"
)

// XY is a point of a curve.
type XY struct{ X, Y float64 }

// Curve draws points, by X, into w by h cells: dots of Braille, eight a cell, or a sign
// a cell without them. Neighbours are joined. What is no number is left out.
func Curve(points []XY, w, h int, ascii bool) []string {
	if w < 1 || h < 1 {
		return nil
	}
	dx, dy := 2, 4
	if ascii {
		dx, dy = 1, 1
	}
	g := grid{w: w * dx, h: h * dy}
	g.dots = make([]bool, g.w*g.h)
	xs, ys := Spread(points)
	before, joined := [2]int{}, false
	for _, p := range points {
		if !finite(p) {
			continue
		}
		at := [2]int{xs.place(p.X, g.w), g.h - 1 - ys.place(p.Y, g.h)}
		if joined {
			g.join(before, at)
		} else {
			g.set(at[0], at[1])
		}
		before, joined = at, true
	}
	lines := make([]string, h)
	for y := range lines {
		row := make([]rune, w)
		for x := range row {
			row[x] = g.cell(x*dx, y*dy, ascii)
		}
		lines[y] = string(row)
	}
	return lines
}

// Range is from the least to the greatest value of something.
type Range struct{ Least, Most float64 }

// Spread returns how far points go, in both ways; what is no number goes nowhere.
func Spread(points []XY) (x, y Range) {
	first := true
	for _, p := range points {
		if !finite(p) {
			continue
		}
		if first {
			x, y, first = Range{p.X, p.X}, Range{p.Y, p.Y}, false
		}
		x, y = x.with(p.X), y.with(p.Y)
	}
	return x, y
}

func (r Range) with(v float64) Range { return Range{min(r.Least, v), max(r.Most, v)} }

// place is where of n places a value is: the middle one if there is one value only.
func (r Range) place(v float64, n int) int {
	if r.Most == r.Least {
		return n / 2
	}
	half := r.Most/2 - r.Least/2 // the whole may be no number
	return min(n-1, max(0, int(math.Round((v/2-r.Least/2)/half*float64(n-1)))))
}

func finite(p XY) bool {
	return !math.IsNaN(p.X) && !math.IsInf(p.X, 0) && !math.IsNaN(p.Y) && !math.IsInf(p.Y, 0)
}

// grid is dots that are set or not.
type grid struct {
	w, h int
	dots []bool
}

func (g *grid) set(x, y int) { g.dots[y*g.w+x] = true }

// join sets the dots from one to another.
func (g *grid) join(from, to [2]int) {
	n := max(1, abs(to[0]-from[0]), abs(to[1]-from[1]))
	for i := range n + 1 {
		g.set(from[0]+between(to[0]-from[0], i, n), from[1]+between(to[1]-from[1], i, n))
	}
}

func between(d, i, n int) int { return int(math.Round(float64(d) * float64(i) / float64(n))) }

func abs(n int) int { return max(n, -n) }

// braille are the bits of the dots of a cell, row by row.
var braille = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// cell is the sign of the cell whose upper left dot is given.
func (g *grid) cell(x, y int, ascii bool) rune {
	if ascii {
		if g.dots[y*g.w+x] {
			return '*'
		}
		return ' '
	}
	var bits rune
	for dy := range braille {
		for dx, bit := range braille[dy] {
			if g.dots[(y+dy)*g.w+x+dx] {
				bits |= bit
			}
		}
	}
	if bits == 0 {
		return ' '
	}
	return 0x2800 + bits
}

// Value writes a number of a curve in few cells: 0.8312, 12.41, 3.1e-05.
func Value(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// Name is what a metric is called, in few cells: a trainer gave it the name.
func (d *Pen) Name(metric string) string { return Cut(d.Shown(metric), nameWidth, d.G.More) }

// nameWidth is more than names that trainers use have.
const nameWidth = 28

// Plot draws a curve with its axes in w by h cells: the greatest and the least value
// on the left, the first and the last step below.
func (d *Pen) Plot(points []XY, w, h int, ink Ink) []string {
	x, y := Spread(points)
	most, least := Value(y.Most), Value(y.Least)
	if most == least {
		most = ""
	}
	margin := max(len(most), len(least)) + 2
	if w <= margin || h < 3 {
		return nil
	}
	lines := Curve(points, w-margin, h-2, d.ASCII)
	corner, wall := d.G.corners[2], d.G.Wall
	for i, l := range lines {
		label := ""
		switch {
		case most == "" && i == (len(lines)-1)/2, most != "" && i == len(lines)-1:
			label = least
		case i == 0:
			label = most
		}
		lines[i] = d.Ink.Muted.On(Right(label, margin-2)+" ") + d.Ink.Border.On(wall) + ink.On(l)
	}
	under, last := "step "+strconv.FormatFloat(x.Least, 'f', 0, 64), ""
	if x.Most != x.Least {
		last = strconv.FormatFloat(x.Most, 'f', 0, 64)
	}
	room := w - margin
	under = Cut(under, room, d.G.More)
	under += Right(last, max(0, room-len(under)))
	return append(lines, Right("", margin-1)+d.Ink.Border.On(corner+strings.Repeat(d.G.Rule, room)), Right("", margin)+d.Ink.Muted.On(under))
}

package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/reader"
)

// minPlace is the width a path always gets: enough for a folder's name.
const minPlace = 14

// placeParts says where the segments come from, if that is known.
func (a *App) placeParts(w, worth int) []draw.Part {
	if a.opt.Place == "" {
		return nil
	}
	return []draw.Part{{Text: a.Ink.Muted.On(draw.Tail(clean.Line(draw.Head(a.opt.Place)), max(minPlace, w/5), a.G.More)), Worth: worth}}
}

// windowTitle names the terminal's window: what is reviewed, and how much of
// what passes the filter has a verdict.
func (a *App) windowTitle() string {
	parts := []string{"winnow"}
	if place := clean.Line(draw.Head(a.opt.Place)); place != "" {
		parts = append(parts, draw.Tail(place, titleWidth, a.G.More))
	}
	if c, known := a.Base(); known && c.Segments > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", c.Done(), c.Segments))
	}
	return strings.Join(parts, " "+a.G.Dot+" ")
}

// titleWidth is the longest place in the window's title, in cells.
const titleWidth = 60

// headerLine says where the segments come from, how many there are and how
// far the work is.
func (a *App) headerLine(w int) string {
	of, rightSide := a.HeaderParts(w)
	if a.Reader.Status().View == reader.Recorded && !a.Covered() {
		of = append([]draw.Part{{Text: a.Ink.Warn.On("recorded view"), Worth: 10}}, of...)
	}
	of = slices.Concat(a.arrivedParts(), of)
	left := slices.Concat([]draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}}, a.placeParts(w, 4), of)
	for {
		l, right := draw.JoinParts(left), draw.JoinParts(rightSide)
		gap := w - ansi.StringWidth(l) - ansi.StringWidth(right) - 1
		if gap >= 2 || len(left)+len(rightSide) <= 1 {
			return draw.Fit(l+strings.Repeat(" ", max(0, gap))+right, w, a.G.More)
		}
		draw.Drop(&left, &rightSide)
	}
}

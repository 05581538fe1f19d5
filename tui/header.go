package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// minPlace is the width a path always gets: enough for a folder's name.
const minPlace = 14

// placeParts says where the segments come from, if that is known.
func (a *App) placeParts(w, worth int) []draw.Part {
	if a.place == "" {
		return nil
	}
	return []draw.Part{{Text: a.Ink.Muted.On(draw.Tail(clean.Line(draw.Head(a.place)), max(minPlace, w/5), a.G.More)), Worth: worth}}
}

// windowTitle names the terminal's window: what is reviewed, and how much of
// what passes the filter has a verdict.
func (a *App) windowTitle() string {
	parts := []string{"winnow"}
	if place := clean.Line(draw.Head(a.place)); place != "" {
		parts = append(parts, draw.Tail(place, titleWidth, a.G.More))
	}
	if c, known := a.base(); known && c.Segments > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", c.Done(), c.Segments))
	}
	return strings.Join(parts, " "+a.G.Dot+" ")
}

// titleWidth is the longest place in the window's title, in cells.
const titleWidth = 60

// headerLine says where the segments come from, how many there are and how
// far the work is.
func (a *App) headerLine(w int) string {
	of, rightSide := a.headerParts(w)
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

// headerParts say how many segments there are, and how far the work is.
func (r *Room) headerParts(w int) (shown, progress []draw.Part) {
	if r.totals.Segments == 0 {
		return nil, nil
	}
	return r.shownParts(w, r.listParts()...), r.workParts()
}

// listParts say which rows of the list are marked, and in which order they are.
func (r *Room) listParts() []draw.Part {
	var parts []draw.Part
	if text := r.marksText(); text != "" {
		parts = append(parts, draw.Part{Text: r.Ink.Warn.On(text), Worth: 8, Short: r.Ink.Warn.On(draw.Grouped(len(r.marks.ids)) + " marked"), Yield: 4})
	}
	if r.order != review.Natural {
		parts = append(parts, draw.Part{Text: r.Ink.Muted.On(r.orderText()), Worth: 5})
	}
	return parts
}

// shownParts say how many segments there are, through which filter, what more
// there is to say, and how far they are searched.
func (r *Room) shownParts(w int, more ...draw.Part) []draw.Part {
	parts := []draw.Part{{Text: r.Ink.Text.On(r.shownCount()), Worth: 7}}
	if r.sieve.node != nil {
		text := r.sieve.pretty
		p := draw.Part{Text: r.Ink.Key.On(draw.Cut(text, max(w/3, 20), r.G.More)), Worth: 6}
		if ansi.StringWidth(text) > shortFilter {
			p.Short, p.Yield = r.Ink.Key.On(draw.Cut(text, shortFilter, r.G.More)), 4
		}
		parts = append(parts, p)
	}
	parts = append(parts, more...)
	if share := r.searching(); share != "" {
		parts = append(parts, draw.Part{Text: r.Ink.Warn.On(share), Worth: 7})
	}
	return parts
}

// shortFilter is what a filter is cut to in a narrow header.
const shortFilter = 18

// workParts say how the work stands: the scores of what passes, and what is
// decided of it.
func (r *Room) workParts() []draw.Part {
	var parts []draw.Part
	if r.totals.Scored > 0 {
		parts = append(parts, draw.Part{Text: r.histogram(1), Worth: 5, Short: r.histogram(2)})
		if x, ok := filter.Threshold(r.sieve.node); ok {
			parts = append(parts, draw.Part{Text: r.Ink.Score(x).On(r.G.Threshold + strconv.FormatFloat(x, 'f', 2, 64)), Worth: 1})
		}
	}
	c, known := r.base()
	count := func(v review.Verdict, k draw.Ink, worth int) {
		n := r.G.More
		if known {
			n = draw.Grouped(c.ByVerdict[v])
		}
		parts = append(parts, draw.Part{Text: k.On(n) + r.Ink.Muted.On(" "+string(v)), Worth: worth, Short: k.On(r.G.Verdict[v] + " " + n), Yield: 2})
	}
	count(review.Approved, r.Ink.Approved, 6)
	count(review.Rejected, r.Ink.Rejected, 6)
	if c.ByVerdict[review.Unsure] > 0 {
		count(review.Unsure, r.Ink.Unsure, 3)
	}
	done, word := r.G.More, " done"
	if known {
		if done = strconv.Itoa(percent(&c)); done == "100" && r.pendingOutside() > 0 {
			word = " of these done"
		}
	}
	return append(parts, draw.Part{Text: r.Ink.Name.On(done+"%") + r.Ink.Muted.On(word), Worth: 8})
}

// shownCount says how many segments there are, and how many of them pass the
// filter.
func (r *Room) shownCount() string {
	if r.sieve.node == nil {
		return draw.Plural(r.totals.Segments, "segment")
	}
	n := r.G.More
	if c, known := r.passing(); known {
		n = draw.Grouped(c.Segments)
	}
	return n + " of " + draw.Grouped(r.totals.Segments)
}

// counted is shownCount with the filter.
func (r *Room) counted() string {
	if r.sieve.node == nil {
		return r.shownCount()
	}
	return r.shownCount() + "  " + r.sieve.pretty
}

// percent returns how much is judged.
func percent(c *review.Counts) int {
	if c.Segments <= 0 {
		return 0
	}
	return max(0, min(100, draw.Percent(c.Done(), c.Segments)))
}

// histogram draws the distribution of the scores of what passes the filter, the
// highest bar full; what is empty, or not counted yet, is the ground line, told
// apart by its colour.
// Each bar stands for as many steps of 0.05 as it is told.
func (r *Room) histogram(steps int) string {
	var h []int
	if c, known := r.passing(); known {
		for at := range slices.Chunk(c.Histogram[:], steps) {
			n := 0
			for _, i := range at {
				n += i
			}
			h = append(h, n)
		}
	} else {
		h = make([]int, len(c.Histogram)/steps)
	}
	top := slices.Max(h)
	var b strings.Builder
	for i, n := range h {
		if n == 0 {
			b.WriteString(r.Ink.Border.On(r.G.Bars[0]))
			continue
		}
		bar := r.G.Bars[1+(len(r.G.Bars)-2)*n/top]
		b.WriteString(r.Ink.Score((float64(i) + 0.5) / float64(len(h))).On(bar))
	}
	return b.String()
}

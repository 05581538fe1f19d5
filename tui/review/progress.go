package review

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
)

// HeaderParts say how many segments there are, and how far the work is.
func (r *Room) HeaderParts(w int) (shown, progress []draw.Part) {
	if r.Totals.Segments == 0 {
		return nil, nil
	}
	return r.ShownParts(w, r.listParts()...), r.workParts()
}

// listParts say which rows of the list are marked, and in which order they are.
func (r *Room) listParts() []draw.Part {
	var parts []draw.Part
	if r.readOnly {
		parts = append(parts, draw.Part{Text: r.Ink.Warn.On("read-only: verdicts are off"), Worth: 8, Short: r.Ink.Warn.On("read-only"), Yield: 5})
	}
	if text := r.marksText(); text != "" {
		parts = append(parts, draw.Part{Text: r.Ink.Warn.On(text), Worth: 8, Short: r.Ink.Warn.On(draw.Grouped(len(r.marks.IDs)) + " marked"), Yield: 4})
	}
	if r.Order != review.Natural {
		parts = append(parts, draw.Part{Text: r.Ink.Muted.On(r.orderText()), Worth: 5, Short: r.Ink.Muted.On(r.Order.Words()), Yield: 3})
	}
	return parts
}

// ShownParts say how many segments there are, through which filter, what more
// there is to say, and how far they are searched.
func (r *Room) ShownParts(w int, more ...draw.Part) []draw.Part {
	parts := []draw.Part{{Text: r.Ink.Text.On(r.ShownCount()), Worth: 7}}
	if r.Filter.Node != nil {
		text := r.Filter.Pretty
		p := draw.Part{Text: r.Ink.Key.On(draw.Cut(text, max(w/3, 20), r.G.More)), Worth: 6}
		if ansi.StringWidth(text) > shortFilter {
			p.Short, p.Yield = r.Ink.Key.On(draw.Cut(text, shortFilter, r.G.More)), 4
		}
		parts = append(parts, p)
	}
	parts = append(parts, more...)
	if share := r.Searching(); share != "" {
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
	if r.Totals.Scored > 0 {
		parts = append(parts, draw.Part{Text: r.histogram(1), Worth: 5, Short: r.histogram(2)})
		if x, ok := filter.Threshold(r.Filter.Node); ok {
			parts = append(parts, draw.Part{Text: r.Ink.Score(x).On(r.G.Threshold + strconv.FormatFloat(x, 'f', 2, 64)), Worth: 1})
		}
	}
	c, known := r.Base()
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

// ShownCount says how many segments there are, and how many of them pass the
// filter.
func (r *Room) ShownCount() string {
	if r.Filter.Node == nil {
		return draw.Plural(r.Totals.Segments, "segment")
	}
	n := r.G.More
	if c, known := r.Passing(); known {
		n = draw.Grouped(c.Segments)
	}
	return n + " of " + draw.Grouped(r.Totals.Segments)
}

// counted is ShownCount with the filter.
func (r *Room) counted() string {
	if r.Filter.Node == nil {
		return r.ShownCount()
	}
	return r.ShownCount() + "  " + r.Filter.Pretty
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
	if c, known := r.Passing(); known {
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

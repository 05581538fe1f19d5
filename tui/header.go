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
)

// part is a piece of the header. When there is no room for all of them, the
// one with the lowest worth goes first.
type part struct {
	text  string
	worth int
	// short is what it is cut to instead, when yield is the lowest.
	short string
	yield int
}

// cost is what is lost with the next cut of a piece.
func (p *part) cost() int {
	if p.short != "" {
		return p.yield
	}
	return p.worth
}

// minPlace is the width a path always gets: enough for a folder's name.
const minPlace = 14

// tail cuts text from the left to w cells: the end of a path says more.
func tail(text string, w int, more string) string {
	n := ansi.StringWidth(text)
	if n <= w {
		return text
	}
	return ansi.TruncateLeft(text, n-w+ansi.StringWidth(more), more)
}

// placeParts says where the segments come from, if that is known.
func (a *App) placeParts(w, worth int) []part {
	if a.place == "" {
		return nil
	}
	return []part{{text: a.ink.muted.on(tail(clean.Line(head(a.place)), max(minPlace, w/5), a.g.more)), worth: worth}}
}

// fitParts joins parts in w cells: what is worth least goes first.
func (a *App) fitParts(parts []part, w int) string {
	for ansi.StringWidth(joinParts(parts)) > w && len(parts) > 1 {
		drop(&parts)
	}
	return fit(joinParts(parts), w, a.g.more)
}

// windowTitle names the terminal's window: what is reviewed, and how much of
// what passes the filter has a verdict.
func (a *App) windowTitle() string {
	parts := []string{"winnow"}
	if place := clean.Line(head(a.place)); place != "" {
		parts = append(parts, tail(place, titleWidth, a.g.more))
	}
	if c, known := a.base(); known && c.Segments > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", c.Done(), c.Segments))
	}
	return strings.Join(parts, " "+a.g.dot+" ")
}

// titleWidth is the longest place in the window's title, in cells.
const titleWidth = 60

// headerLine says where the segments come from, how many there are and how
// far the work is.
func (a *App) headerLine(w int) string {
	left := []part{{text: " " + a.ink.name.on("winnow"), worth: 9, short: " ", yield: 3}}
	left = append(left, a.placeParts(w, 4)...)
	var rightSide []part
	if a.totals.Segments > 0 {
		left = append(left, a.shownParts(w)...)
		rightSide = a.workParts()
	}
	for {
		l, r := joinParts(left), joinParts(rightSide)
		gap := w - ansi.StringWidth(l) - ansi.StringWidth(r) - 1
		if gap >= 2 || len(left)+len(rightSide) <= 1 {
			return fit(l+strings.Repeat(" ", max(0, gap))+r, w, a.g.more)
		}
		drop(&left, &rightSide)
	}
}

// shownParts say what the list shows: how many segments, through which filter,
// in which order.
func (a *App) shownParts(w int) []part {
	parts := []part{{text: a.ink.text.on(a.shownCount()), worth: 7}}
	if a.sieve.node != nil {
		text := a.sieve.pretty
		p := part{text: a.ink.key.on(cutCells(text, max(w/3, 20), a.g.more)), worth: 6}
		if ansi.StringWidth(text) > shortFilter {
			p.short, p.yield = a.ink.key.on(cutCells(text, shortFilter, a.g.more)), 4
		}
		parts = append(parts, p)
	}
	if text := a.marksText(); text != "" && a.statistics == nil {
		parts = append(parts, part{text: a.ink.warn.on(text), worth: 8, short: a.ink.warn.on(grouped(len(a.marks.ids)) + " marked"), yield: 4})
	}
	if a.order != review.Natural && a.statistics == nil {
		parts = append(parts, part{text: a.ink.muted.on(a.orderText()), worth: 5})
	}
	if share := a.searching(); share != "" {
		parts = append(parts, part{text: a.ink.warn.on(share), worth: 7})
	}
	return parts
}

// shortFilter is what a filter is cut to in a narrow header.
const shortFilter = 18

// cutCells cuts text to at most w cells.
func cutCells(text string, w int, more string) string {
	return fit(text, min(w, ansi.StringWidth(text)), more)
}

// workParts say how the work stands: the scores of what passes, and what is
// decided of it.
func (a *App) workParts() []part {
	var parts []part
	if a.totals.Scored > 0 {
		parts = append(parts, part{text: a.histogram(1), worth: 5, short: a.histogram(2)})
		if x, ok := filter.Threshold(a.sieve.node); ok {
			parts = append(parts, part{text: a.ink.score(x).on(a.g.threshold + strconv.FormatFloat(x, 'f', 2, 64)), worth: 1})
		}
	}
	c, known := a.base()
	count := func(v review.Verdict, k ink, worth int) {
		n := a.g.more
		if known {
			n = grouped(c.ByVerdict[v])
		}
		parts = append(parts, part{text: k.on(n) + a.ink.muted.on(" "+string(v)), worth: worth, short: k.on(a.g.verdict[v] + " " + n), yield: 2})
	}
	count(review.Approved, a.ink.approved, 6)
	count(review.Rejected, a.ink.rejected, 6)
	if c.ByVerdict[review.Unsure] > 0 {
		count(review.Unsure, a.ink.unsure, 3)
	}
	done := a.g.more
	if known {
		done = strconv.Itoa(percent(&c))
	}
	return append(parts, part{text: a.ink.name.on(done+"%") + a.ink.muted.on(" done"), worth: 8})
}

// joinParts puts the pieces two cells apart. A name cut to a space is the
// margin of the line.
func joinParts(parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	text := strings.Join(texts, "  ")
	if len(parts) > 1 && parts[0].text == " " {
		return text[len("  "):]
	}
	return text
}

// drop cuts the pieces that cost least, or removes the one that does.
func drop(sides ...*[]part) {
	var from *[]part
	var least *part
	at := 0
	for _, side := range sides {
		for i := range *side {
			if p := &(*side)[i]; least == nil || p.cost() < least.cost() {
				least, from, at = p, side, i
			}
		}
	}
	if least.short != "" {
		cut(least.yield, sides)
		return
	}
	*from = slices.Delete(*from, at, at+1)
}

// cut shortens what yields first, all of it: half the counts in words and half
// in signs would be read as different things.
func cut(yield int, sides []*[]part) {
	for _, side := range sides {
		for i := range *side {
			if p := &(*side)[i]; p.short != "" && p.yield == yield {
				p.text, p.short = p.short, ""
			}
		}
	}
}

// shownCount says how many segments there are, and how many of them pass the
// filter.
func (a *App) shownCount() string {
	if a.sieve.node == nil {
		return plural(a.totals.Segments, "segment")
	}
	n := a.g.more
	if c, known := a.passing(); known {
		n = grouped(c.Segments)
	}
	return n + " of " + grouped(a.totals.Segments)
}

// counted is shownCount with the filter.
func (a *App) counted() string {
	if a.sieve.node == nil {
		return a.shownCount()
	}
	return a.shownCount() + "  " + a.sieve.pretty
}

// percent returns how much is judged.
func percent(c *review.Counts) int {
	if c.Segments <= 0 {
		return 0
	}
	return max(0, min(100, share(c.Done(), c.Segments)))
}

// share is a part of the whole in per cent, to the nearest one. It is 100 only
// if it is all.
func share(n, of int) int {
	if n >= of {
		return 100
	}
	return min(99, (n*200+of)/(2*of))
}

// histogram draws the distribution of the scores of what passes the filter, the
// highest bar full; what is empty, or not counted yet, is the ground line, told
// apart by its colour.
// Each bar stands for as many steps of 0.05 as it is told.
func (a *App) histogram(steps int) string {
	var h []int
	if c, known := a.passing(); known {
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
			b.WriteString(a.ink.border.on(a.g.bars[0]))
			continue
		}
		bar := a.g.bars[1+(len(a.g.bars)-2)*n/top]
		b.WriteString(a.ink.score((float64(i) + 0.5) / float64(len(h))).on(bar))
	}
	return b.String()
}

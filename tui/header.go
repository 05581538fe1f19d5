package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
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

// headerLine says where the segments come from, how many there are and how
// far the work is.
func (a *App) headerLine(w int) string {
	left := []part{{text: " " + a.ink.name.on("winnow"), worth: 9, short: " ", yield: 3}}
	if a.place != "" {
		left = append(left, part{text: a.ink.muted.on(tail(clean.Line(head(a.place)), max(minPlace, w/5), a.g.more)), worth: 4})
	}
	var rightSide []part
	if t := a.totals; t.Segments > 0 {
		left = append(left, part{text: a.ink.text.on(a.counted()), worth: 7})
		if a.order != review.Natural {
			left = append(left, part{text: a.ink.muted.on("by " + orderNames[a.order]), worth: 5})
		}
		if t.Scored > 0 {
			rightSide = append(rightSide, part{text: a.histogram(), worth: 1})
		}
		rightSide = append(rightSide, a.countPart(review.Approved, a.ink.approved, 6), a.countPart(review.Rejected, a.ink.rejected, 6))
		if t.ByVerdict[review.Unsure] > 0 {
			rightSide = append(rightSide, a.countPart(review.Unsure, a.ink.unsure, 3))
		}
		rightSide = append(rightSide, part{text: a.ink.name.on(fmt.Sprintf("%d%%", a.percent())) + a.ink.muted.on(" done"), worth: 8})
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

// countPart says how many segments have a verdict.
func (a *App) countPart(v review.Verdict, k ink, worth int) part {
	n := grouped(a.totals.ByVerdict[v])
	return part{text: k.on(n) + a.ink.muted.on(" "+string(v)), worth: worth, short: k.on(a.g.verdict[v] + " " + n), yield: 2}
}

// joinParts puts the pieces two cells apart.
func joinParts(parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return strings.Join(texts, "  ")
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

// counted says how many segments there are, and how many of them pass the
// filter.
func (a *App) counted() string {
	t := a.totals
	if len(a.verdicts) == 0 {
		return plural(t.Segments, "segment")
	}
	shown, names := 0, make([]string, len(a.verdicts))
	for i, v := range a.verdicts {
		shown += t.ByVerdict[v]
		names[i] = string(v)
	}
	return fmt.Sprintf("%s of %s  %s", grouped(shown), grouped(t.Segments), strings.Join(names, "+"))
}

// percent returns how much is judged. It is 100 only when all is.
func (a *App) percent() int {
	t := a.totals
	if t.Segments <= 0 {
		return 0
	}
	return max(0, min(100, t.Done()*100/t.Segments))
}

// histogram draws the distribution of scores, the highest bar full; what
// is empty is the ground line, told apart by its colour.
func (a *App) histogram() string {
	h := a.totals.Histogram
	top := slices.Max(h[:])
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

// orderNames say in words how a list is sorted.
var orderNames = map[review.Order]string{
	review.Natural: "file", review.Newest: "newest", review.Oldest: "oldest", review.BestScore: "best score",
	review.WorstScore: "worst score", review.MostTokens: "most tokens", review.LeastToken: "fewest tokens",
}

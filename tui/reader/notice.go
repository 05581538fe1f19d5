package reader

import (
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
)

// What a find says when it goes round.
const (
	fromTop    = "from the top again"
	fromBottom = "from the end again"
)

// none says that a find has no hits. Long queries are cut: the notice stands
// beside the keys.
func (r *Reader) none() string {
	const cells = 24
	return `no "` + ansi.Truncate(clean.Line(r.find.query), cells, r.glyphs.more) + `" in this segment`
}

// arrived says which of its kind message n is, if the index tells: how many
// there are is only known when all of it is here.
func (r *Reader) arrived(g goal, n int) string {
	before, known := r.count(g, r.seg.Start, n)
	if g.name != "failure" || !known {
		return ""
	}
	text := g.name + " " + draw.Grouped(before)
	if behind, known := r.count(g, n+1, r.seg.End); known {
		text += " of " + draw.Grouped(before+behind)
	}
	return text
}

// missed says that a jump led nowhere.
func (r *Reader) missed(j jump) string {
	switch n, known := r.count(j.goal, r.seg.Start, r.seg.End); {
	case n == 0 && known:
		return "no " + j.name + " in this segment"
	case j.step < 0:
		return "first " + j.name
	}
	return "no further " + j.name
}

// count counts the messages of a kind in from..to. known is false if index
// entries of some of them are not here.
func (r *Reader) count(g goal, from, to int) (n int, known bool) {
	known = true
	for i := from; i <= to; i++ {
		h, _ := r.head(i)
		known = known && r.heads[(i-r.seg.Start)/headPage] != nil
		if g.is(&h) {
			n++
		}
	}
	return n, known
}

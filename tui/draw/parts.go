package draw

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Part is a piece of the header. When there is no room for all of them, the
// one with the lowest worth goes first.
type Part struct {
	Text  string
	Worth int
	// Short is what it is cut to instead, when Yield is the lowest.
	Short string
	Yield int
}

// cost is what is lost with the next cut of a piece.
func (p *Part) cost() int {
	if p.Short != "" {
		return p.Yield
	}
	return p.Worth
}

// FitParts joins parts in w cells: what is worth least goes first.
func (d *Pen) FitParts(parts []Part, w int) string {
	for ansi.StringWidth(JoinParts(parts)) > w && len(parts) > 1 {
		Drop(&parts)
	}
	return Fit(JoinParts(parts), w, d.G.More)
}

// JoinParts puts the pieces two cells apart. A name cut to a space is the
// margin of the line.
func JoinParts(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	text := strings.Join(texts, "  ")
	if len(parts) > 1 && parts[0].Text == " " {
		return text[len("  "):]
	}
	return text
}

// Drop cuts the pieces that cost least, or removes the one that does.
func Drop(sides ...*[]Part) {
	var from *[]Part
	var least *Part
	at := 0
	for _, side := range sides {
		for i := range *side {
			if p := &(*side)[i]; least == nil || p.cost() < least.cost() {
				least, from, at = p, side, i
			}
		}
	}
	if least.Short == "" {
		*from = slices.Delete(*from, at, at+1)
		return
	}
	yield := least.Yield // all that yields so soon: half the counts in words and half in signs would be read as different things
	for _, side := range sides {
		for i := range *side {
			if p := &(*side)[i]; p.Short != "" && p.Yield == yield {
				p.Text, p.Short = p.Short, ""
			}
		}
	}
}

// TitlePart is a piece of the title line. It is drawn whole, or cut to no less
// than least cells.
type TitlePart struct {
	Text  string
	Ink   Ink
	Least int // 0: never cut
	Wish  int // cells it gets before those worth less get any
	Worth int // those with less are left out first
	cells int // it got; 0: left out
}

// JoinTitle joins the pieces that have room in w cells. First all that matter
// get their least width, then their wish, then come the others.
func (d *Pen) JoinTitle(parts []TitlePart, w int) string {
	dot := " " + d.G.Dot + " "
	room := w + len(" . ") // the first one has none before it
	byWorth := make([]*TitlePart, len(parts))
	for i := range parts {
		byWorth[i] = &parts[i]
	}
	slices.SortStableFunc(byWorth, func(p, q *TitlePart) int { return cmp.Compare(q.Worth, p.Worth) })
	take := func(p *TitlePart, n int) {
		if n+len(" . ") <= room {
			p.cells = n
			room -= n + len(" . ")
		}
	}
	grow := func(p *TitlePart, to int) {
		if n := min(room, min(to, ansi.StringWidth(p.Text))-p.cells); p.cells > 0 && n > 0 {
			p.cells += n
			room -= n
		}
	}
	for _, p := range byWorth {
		if p.Least > 0 {
			take(p, min(p.Least, ansi.StringWidth(p.Text)))
		}
	}
	for _, p := range byWorth {
		grow(p, p.Wish)
	}
	for _, p := range byWorth {
		if p.Least == 0 {
			take(p, ansi.StringWidth(p.Text))
		}
	}
	var drawn []string
	for i := range parts {
		if p := &parts[i]; p.cells > 0 {
			grow(p, 1<<20)
			drawn = append(drawn, p.Ink.On(Fit(p.Text, p.cells, d.G.More)))
		}
	}
	return strings.Join(drawn, d.Ink.Muted.On(dot))
}

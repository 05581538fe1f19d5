package segment

import (
	"slices"
	"sort"
	"strings"

	"winnow/core/review"
)

// legacy is what rows that leave bequeath to one new row, in their order.
type legacy struct {
	rows   []int // indices of old rows
	shared []int // messages that each shares with the new one
}

// inherit retires the rows that found no piece, and gives what curators left on
// them to new rows.
func (o *Outcome) inherit(m *matching) {
	legacies := map[int]*legacy{}
	var order []int
	shift, next := 0, 0
	for i := range m.old {
		if m.pieceOf[i] >= 0 {
			continue
		}
		to := heir{row: -1}
		if s := &m.old[i]; bequeaths(s) {
			g := gap{pieces: [2]int{0, len(m.pieces)}}
			if m.moved {
				g, next = m.around(i, next)
				shift = 0
				if g.pieces[0] < g.pieces[1] {
					shift = m.pieces[g.pieces[0]].Start - m.old[g.rows[0]].Start
				}
			}
			row, shared := m.heir(g, s.Start+shift, s.End+shift)
			if to.row = row; row >= 0 {
				l := legacies[row]
				if l == nil {
					l = &legacy{}
					legacies[row] = l
					order = append(order, row)
				}
				l.rows, l.shared = append(l.rows, len(o.Retired)), append(l.shared, shared)
			}
		}
		o.Retired, o.heirs = append(o.Retired, m.old[i]), append(o.heirs, to)
	}
	if !m.moved {
		o.remask()
	}
	for _, row := range order {
		o.bequeath(legacies[row], &o.Rows[row].Segment, m.hand)
	}
}

// remask gives new rows the training marks of the messages in them, where
// numbers mean the same messages as before.
func (o *Outcome) remask() {
	for i := range o.Retired {
		s := &o.Retired[i]
		for _, place := range s.Masked {
			o.mask(s.Start + place - 1)
		}
	}
}

// mask marks message n, if it is in a new row.
func (o *Outcome) mask(n int) {
	at := sort.Search(len(o.Rows), func(i int) bool { return o.Rows[i].End >= n })
	if at < len(o.Rows) && o.Rows[at].ID == "" {
		to := &o.Rows[at].Segment
		to.Masked = to.MaskedWith([]int{n - to.Start + 1}, nil)
	}
}

// maskedIn returns the training marks of a segment that lie on messages
// from..to, as places in a segment of just those.
func maskedIn(s *review.Segment, from, to int) (places []int) {
	for _, place := range s.Masked {
		if n := s.Start + place - 1; n >= from && n <= to {
			places = append(places, n-from+1)
		}
	}
	return places
}

// bequeaths reports whether a curator left anything on a row.
func bequeaths(s *review.Segment) bool { return marked(s) || s.Named }

// around returns the gap of the chain that row i lies in. from is where to look
// from on, next that for later rows.
func (m *matching) around(i, from int) (g gap, next int) {
	for from < len(m.chain) && m.chain[from][0] < i {
		from++
	}
	g = gap{rows: [2]int{0, len(m.old)}, pieces: [2]int{0, len(m.pieces)}}
	if from > 0 {
		g.rows[0], g.pieces[0] = m.chain[from-1][0]+1, m.chain[from-1][1]+1
	}
	if from < len(m.chain) {
		g.rows[1], g.pieces[1] = m.chain[from][0], m.chain[from][1]
	}
	return g, from
}

// heir returns the new piece of a gap that shares most of messages start..end,
// the first of several, and how many: -1 if none does. In another body, where
// places are only about right, a piece next to them is meant.
func (m *matching) heir(g gap, start, end int) (piece, shared int) {
	piece = -1
	at, _ := slices.BinarySearchFunc(m.pieces[g.pieces[0]:g.pieces[1]], start, func(p Piece, n int) int {
		if p.End < n {
			return -1
		}
		return 1
	})
	for j := g.pieces[0] + at; j < g.pieces[1] && m.pieces[j].Start <= end; j++ {
		p := &m.pieces[j]
		if n := min(end, p.End) - max(start, p.Start) + 1; m.rowOf[j] < 0 && n > shared {
			piece, shared = j, n
		}
	}
	if piece >= 0 || !m.moved {
		return piece, shared
	}
	for j := g.pieces[1] - 1; j >= g.pieces[0]; j-- {
		if m.rowOf[j] < 0 {
			return j, 0
		}
	}
	return -1, 0
}

// bequeath gives a new row what a curator left on those that it replaces: all
// notes and tags, and the verdict of the one that it shares most with.
func (o *Outcome) bequeath(l *legacy, to *review.Segment, hand bool) {
	verdict, named := -1, -1 // indices in l
	for k, r := range l.rows {
		s := &o.Retired[r]
		better := func(best int) bool { return best < 0 || l.shared[k] > l.shared[best] }
		if judged := s.Verdict.Judged(); judged || s.Stale {
			former := verdict >= 0 && o.Retired[l.rows[verdict]].Verdict.Judged()
			if judged && !former || judged == former && better(verdict) {
				verdict = k
			}
		}
		if s.Named && better(named) {
			named = k
		}
		noted(to, s)
	}
	if verdict >= 0 {
		remind(to, &o.Retired[l.rows[verdict]])
	}
	if named >= 0 && !to.Named && !hand {
		to.Topic, to.Named = o.Retired[l.rows[named]].Topic, true
	}
	for _, r := range l.rows {
		s := &o.Retired[r]
		o.heirs[r].shown = s.Verdict == to.Was
		if s.Named && !hand && s.Topic != to.Topic {
			to.Note = join(to.Note, s.Topic)
		}
	}
}

// remind makes a row stale that takes the place of another one with a verdict,
// or with a memory of one.
func remind(to, of *review.Segment) {
	switch {
	case of.Verdict.Judged():
		to.Stale, to.Was, to.WasBy, to.WasAt = true, of.Verdict, of.Reviewer, of.ReviewedAt
		to.WasBody, to.WasStart, to.WasEnd = of.Body, of.Start, of.End
	case of.Stale:
		to.Stale, to.Was, to.WasBy, to.WasAt = true, of.Was, of.WasBy, of.WasAt
		to.WasBody, to.WasStart, to.WasEnd = of.WasBody, of.WasStart, of.WasEnd
	}
}

// noted adds the note and the tags of a row to those of another one.
func noted(to, of *review.Segment) {
	to.Note = join(to.Note, of.Note)
	for _, tag := range of.Tags {
		if !slices.Contains(to.Tags, tag) {
			to.Tags = append(to.Tags[:len(to.Tags):len(to.Tags)], tag)
		}
	}
}

// join adds a note to others, unless it is among them.
func join(notes, note string) string {
	switch {
	case note == "" || strings.Contains("\n"+notes+"\n", "\n"+note+"\n"):
		return notes
	case notes == "":
		return note
	}
	return notes + "\n" + note
}

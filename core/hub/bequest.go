package hub

import (
	"cmp"
	"slices"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/review"
	"winnow/core/segment"
)

// bequest is what becomes of the segments of a family's members: each goes to
// the session that holds most of its messages.
type bequest struct {
	of      [][]heirloom // by trunk
	foreign []bool       // trunks that get one on which a curator left something from elsewhere
	unused  []review.Segment
	owner   map[string]int // members by the id of a segment
}

// heirloom is a segment, and where its messages are to be.
type heirloom struct {
	row    review.Segment
	member int
	to     []int // numbers in the trunk, 0 for those that are elsewhere
}

// whole reports whether all messages of a segment are together, and from where.
func (h *heirloom) whole() (from int, ok bool) {
	for i, n := range h.to {
		if n == 0 || n != h.to[0]+i {
			return 0, false
		}
	}
	return h.to[0], true
}

// together is how many messages of a segment are together, 0 unless all are.
func together(h *heirloom) int {
	if _, ok := h.whole(); !ok {
		return 0
	}
	return len(h.to)
}

// left reports whether a curator left anything on a segment.
func left(s *review.Segment) bool {
	return s.Verdict.Judged() || s.Stale || s.Note != "" || len(s.Tags) > 0 || len(s.Masked) > 0 || s.Named || s.CutBy == review.CutCurator
}

// bequeath finds out where the segments go. as tells the sessions whose
// messages are as they were.
func (g *grouping) bequeath(as []bool) *bequest {
	b := &bequest{of: make([][]heirloom, len(g.trunks)), foreign: make([]bool, len(g.trunks)), owner: map[string]int{}}
	stays := make(map[int]int, len(as)) // trunks by the member that they are, message by message
	for t := range as {
		if as[t] {
			stays[g.kept[t]] = t
		}
	}
	for m := range g.Members {
		for i := range g.Members[m].Segments {
			s := g.Members[m].Segments[i].Segment
			b.owner[s.ID] = m
			if t, ok := stays[m]; ok {
				h := heirloom{row: s, member: m}
				for n := s.Start; n <= s.End; n++ {
					h.to = append(h.to, n)
				}
				b.of[t] = append(b.of[t], h)
				continue
			}
			spots := make([]spot, 0, s.End-s.Start+1)
			shared, best := map[int]int{}, -1
			for n := s.Start; n <= s.End; n++ {
				at := spot{trunk: -1}
				if k := g.wood.stored[ref{m, n}]; k != nil {
					at = g.spots[k]
					shared[at.trunk]++
				}
				spots = append(spots, at)
			}
			for t, n := range shared {
				if best < 0 || n > shared[best] || n == shared[best] && t < best {
					best = t
				}
			}
			if best < 0 {
				b.unused = append(b.unused, s)
				continue
			}
			h := heirloom{row: s, member: m}
			for _, at := range spots {
				if at.trunk != best {
					at.n = 0
				}
				h.to = append(h.to, at.n)
			}
			b.of[best] = append(b.of[best], h)
			b.foreign[best] = b.foreign[best] || m != g.kept[best] && left(&h.row)
		}
	}
	for t := range b.of {
		if !as[t] || b.foreign[t] {
			continue
		}
		for _, h := range b.of[t] {
			if h.member != g.kept[t] {
				b.unused = append(b.unused, h.row)
			}
		}
	}
	return b
}

// retire adds the segments that no session takes over to those that leave.
func (b *bequest) retire(g *grouping) {
	for i := range b.unused {
		s := &b.unused[i]
		t := slices.Index(g.kept, b.owner[s.ID])
		if t < 0 || g.out.Sessions[t].Write == nil {
			continue // its session leaves
		}
		w := g.out.Sessions[t].Write
		if _, known := w.Verdicts[s.ID]; !known {
			w.Retire = append(w.Retire, s.ID)
			w.Verdicts[s.ID] = s.Verdict
		}
	}
}

// cuts returns the segments of a session of n messages: those that came whole
// and that somebody cut or judged, and what is between them.
func cuts(list []heirloom, kept, n int) (pieces []segment.Piece) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	weight := func(h *heirloom) int {
		switch {
		case h.row.Verdict.Judged():
			return 2
		case left(&h.row):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &list[a], &list[b]
		own := func(h *heirloom) int {
			if h.member == kept {
				return 1
			}
			return 0
		}
		// Who judged the whole of a session that was still growing in another
		// file has judged its beginning, too.
		return cmp.Or(weight(y)-weight(x), together(y)-together(x), own(y)-own(x))
	})
	taken, begins := make([]bool, n+2), make([]bool, n+2)
	for _, i := range order {
		h := &list[i]
		loose := !left(&h.row) && (h.row.CutBy == review.CutProvisional || h.row.CutBy == review.CutSingle)
		if loose {
			continue
		}
		from, whole := h.whole()
		end := from + len(h.to) - 1
		if whole && !slices.Contains(taken[from:end+1], true) {
			for j := from; j <= end; j++ {
				taken[j] = true
			}
			begins[from], begins[end+1] = true, true
			continue
		}
		for j, at := range h.to {
			if at == 0 || taken[at] {
				continue
			}
			if j == 0 || h.to[j-1] != at-1 {
				begins[at] = true
			}
			if j == len(h.to)-1 || h.to[j+1] != at+1 {
				begins[at+1] = true
			}
		}
	}
	for at := 1; at <= n; at++ {
		inside := taken[at] && at > 1 && taken[at-1] && !begins[at]
		if at == 1 || begins[at] && !inside {
			pieces = append(pieces, segment.Piece{Cut: segment.Cut{Start: at}, By: review.CutProvisional, Body: elsewhere})
		}
		pieces[len(pieces)-1].End = at
	}
	return pieces
}

// fill gives a session its messages, and its segments.
func (g *grouping) fill(t int, r *Regrouped, list []filling, b *bequest) error {
	w := r.Write
	pieces := cuts(b.of[t], g.kept[t], len(list))
	p := segment.NewPrinting(pieces, len(list), len(list))
	pack := &packer{}
	var follow outcome.Follower
	var tally review.Tally
	row := &w.Session
	row.Started, row.Ended, row.Model = "", "", ""
	broke := false
	for i, c := range list {
		m := c.whole
		if m == nil {
			var err error
			if m, err = g.text(g.ctx, c.at); err != nil {
				return err
			}
		}
		if g.Members[c.at.row].SourceID != r.Source {
			m.SourceLine, m.SourceOffset = 0, 0 // of another source
		}
		m.N = i + 1
		it := measured(m)
		it.head.Judge(follow.Add(m))
		if pack.full(m.Size()) {
			chunk := pack.chunk()
			chunk.Heads = slices.Clone(chunk.Heads)
			w.Chunks = append(w.Chunks, chunk)
			pack.reset()
		}
		w.Trail.Follow(m, pack.add(m, it.head))
		tally = tally.Plus(it.tally)
		if err := p.Add(m); err != nil {
			return err
		}
		if m.Role == chat.Assistant {
			broke = review.Broke(m)
		}
		if row.Model == "" {
			row.Model = m.Model
		}
		if at := isoTime(m.Timestamp); at != "" {
			if row.Started == "" {
				row.Started = at
			}
			row.Ended = at
		}
	}
	w.Chunks = append(w.Chunks, pack.chunk())
	w.Trail.Trace = w.Trail.Settled
	row.Tally, row.Failed = tally, broke || row.Completed != nil && !*row.Completed
	if len(pieces) == 1 && len(list) <= segment.SingleMax {
		pieces[0].By = review.CutSingle
	}
	return g.reconcile(w, b.of[t], pieces, p.State)
}

// reconcile decides which segments a session keeps.
func (g *grouping) reconcile(w *SessionWrite, list []heirloom, pieces []segment.Piece, state []byte) error {
	for _, h := range idle(list) {
		w.Retire = append(w.Retire, h.row.ID)
		w.Verdicts[h.row.ID] = h.row.Verdict
		list = slices.DeleteFunc(list, func(o heirloom) bool { return o.row.ID == h.row.ID })
	}
	slices.SortStableFunc(list, func(a, b heirloom) int { return cmp.Compare(first(a.to), first(b.to)) })
	rows, were, to := make([]review.Segment, len(list)), make([]review.Segment, len(list)), map[int]int{}
	next := 1
	for i := range list {
		h := &list[i]
		rows[i], were[i] = h.row, h.row
		// Places are those in the session as it is to be, and the body tells
		// which of the rows it is.
		rows[i].Start, rows[i].End, rows[i].Body = first(h.to), slices.Max(h.to), int64(-2-i)
		were[i].Start = next
		for j, n := range h.to {
			to[next+j] = n
		}
		next += len(h.to)
	}
	out := segment.Reconcile(rows, pieces, false)
	out.Remask(were, to)
	for i := range out.Rows {
		if s := &out.Rows[i].Segment; s.WasBody <= -2 {
			was := &list[-2-s.WasBody].row
			s.WasBody, s.WasStart, s.WasEnd = was.Body, was.Start, was.End
		}
	}
	for i := range out.Retired {
		out.Retired[i] = list[-2-out.Retired[i].Body].row
	}
	cover, err := segment.CarriedCover(out, state, nil, nil)
	if err != nil {
		return err
	}
	snap, err := cover.Snapshot()
	if err != nil {
		return err
	}
	w.take(&snap)
	return nil
}

// idle returns the segments that nobody left anything on, and that are where
// one is that somebody did: they are the same.
func idle(list []heirloom) (idle []heirloom) {
	for i := range list {
		h := &list[i]
		if together(h) > 0 && !left(&h.row) && slices.ContainsFunc(list, func(o heirloom) bool { return left(&o.row) && slices.Equal(o.to, h.to) }) {
			idle = append(idle, *h)
		}
	}
	return idle
}

// first is the smallest number, but for the 0 of messages elsewhere.
func first(to []int) int {
	least := 0
	for _, n := range to {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

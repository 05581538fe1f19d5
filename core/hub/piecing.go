package hub

import (
	"slices"

	"winnow/core/chat"
)

// locate finds out where the messages of each source's sessions are, and
// returns those that have become copies, or parts of others.
func (g *grouping) locate() (copied, joined []*Raw) {
	held := map[*knot]int{} // by how many sources that stay known
	for _, p := range g.wood.paths {
		for _, k := range p.knots {
			held[k]++
		}
	}
	givers := g.givers()
	for i, p := range g.wood.paths {
		w := RawWrite{Raw: p.raw, Copy: -1}
		home := slices.Index(g.homes, i)
		for _, k := range p.knots {
			at := g.spots[k]
			if n := len(w.Pieces); n > 0 && w.Pieces[n-1].Session == at.trunk && w.Pieces[n-1].At+w.Pieces[n-1].Messages == at.n {
				w.Pieces[n-1].Messages++
			} else {
				w.Pieces = append(w.Pieces, PieceWrite{Session: at.trunk, At: at.n, Messages: 1})
			}
			q := &w.Pieces[len(w.Pieces)-1]
			q.Sum = g.sum(q.Sum, &g.texts[at.trunk][at.n-1])
			if givers[k] == i {
				w.Own++
			}
		}
		switch {
		case home >= 0 && len(w.Pieces) == 1 && w.Pieces[0].Session == home && w.Pieces[0].Messages == len(g.trunks[home].knots) && g.own(home, p):
			w.Pieces = nil
			g.out.Sessions[home].Gathered = false
		case home < 0:
			longest := 0
			for _, q := range w.Pieces {
				if q.Messages > longest {
					w.Copy, longest = q.Session, q.Messages
				}
			}
			w.Joined = w.Own > 0 || slices.ContainsFunc(p.knots, func(k *knot) bool { return g.filling(k).whole != nil })
			alone := slices.ContainsFunc(p.knots, func(k *knot) bool { return held[k] < 2 || len(g.wood.distinct(k.at)) > 1 })
			if !alone && g.there(i) == 0 {
				w.Forget, w.Joined, w.Pieces, w.Copy = true, false, nil, -1
				for _, k := range p.knots {
					held[k]--
				}
			}
			if g.member(p.raw) >= 0 && w.Joined {
				joined = append(joined, p.raw)
			} else if g.member(p.raw) >= 0 {
				copied = append(copied, p.raw)
			}
		}
		if p.raw.Source != 0 {
			g.out.Raws = append(g.out.Raws, w)
		}
	}
	g.offspring()
	return copied, joined
}

// filling returns what a session says where a knot stands in it.
func (g *grouping) filling(k *knot) *filling {
	at := g.spots[k]
	return &g.texts[at.trunk][at.n-1]
}

// givers returns the path that gives each message: of those that say what the
// session does, the one it is named after, else the first whose file is there.
func (g *grouping) givers() map[*knot]int {
	givers, ranks := map[*knot]int{}, map[*knot]int{}
	for i, p := range g.wood.paths {
		for n, k := range p.knots {
			rank := 1 + g.there(i)
			c := g.filling(k)
			switch says := c.whole != nil || g.wood.trait(c.at).sum == g.wood.trait(p.at[n]).sum; {
			case says && g.homes[g.spots[k].trunk] == i:
				rank += 4
			case says:
				rank += 2
			}
			if p.raw.Source != 0 && rank > ranks[k] {
				givers[k], ranks[k] = i, rank
			}
		}
	}
	return givers
}

// own reports whether a session says just what the one of a source does.
func (g *grouping) own(t int, p *path) bool {
	for i, c := range g.texts[t] {
		if c.whole != nil || g.wood.trait(c.at).sum != g.wood.trait(p.at[i]).sum {
			return false
		}
	}
	return true
}

// sum adds the ids of a message to a sum.
func (g *grouping) sum(sum uint32, c *filling) uint32 {
	if c.whole != nil {
		return IDSum(sum, c.whole)
	}
	m := g.wood.trait(c.at)
	return IDSum(sum, &chat.Message{Role: m.role, NativeID: m.native, TurnID: m.turn, ToolCallID: m.call})
}

// offspring finds out where the sessions of sub-agents belong.
func (g *grouping) offspring() {
	for i := range g.Offspring {
		o := &g.Offspring[i]
		key, n, ok := g.rawAt(o.Source, o.Parent, max(o.At, 1))
		if !ok {
			continue
		}
		for _, p := range g.wood.paths {
			if p.raw.Source != o.Source || p.raw.Key != key || n > len(p.knots) {
				continue
			}
			at := g.spots[p.knots[n-1]]
			w := OffspringWrite{o.ID, at.trunk, at.n}
			if o.At == 0 {
				w.At = 0
			}
			if s := &g.out.Sessions[at.trunk]; s.ID != o.Parent || w.At != o.At {
				g.out.Offspring = append(g.out.Offspring, w)
			}
		}
	}
}

// changes reports whether anything is other than it is stored.
func (g *grouping) changes() bool {
	if len(g.out.Leave)+len(g.out.Offspring) > 0 {
		return true
	}
	for t := range g.out.Sessions {
		s := &g.out.Sessions[t]
		if s.Write != nil {
			return true
		}
		was, parent := &g.Members[g.kept[t]], s.ParentID
		if s.Parent >= 0 {
			parent = g.out.Sessions[s.Parent].ID
		}
		if was.Gathered != s.Gathered || was.Parent != parent || was.Origin.Kind != s.Kind || was.Origin.At != s.At {
			return true
		}
	}
	for i := range g.out.Raws {
		w := &g.out.Raws[i]
		stored := slices.IndexFunc(g.Family.Raws, func(r Raw) bool { return &r == w.Raw || r.Source == w.Raw.Source && r.Key == w.Raw.Key })
		if stored < 0 != (len(w.Pieces) == 0) || w.Forget {
			return true
		}
		if stored < 0 {
			continue
		}
		if len(w.Pieces) != len(w.Raw.Pieces) {
			return true
		}
		for j, q := range w.Pieces {
			if have := w.Raw.Pieces[j]; have.Session != g.out.Sessions[q.Session].ID || have.At != q.At || have.Messages != q.Messages {
				return true
			}
		}
	}
	return false
}

// count adds what became copies, or parts of others, to the report.
func (g *grouping) count(copied, joined []*Raw) {
	r := g.run
	there := func(list []*Raw) (n int) {
		for _, raw := range list {
			if r.presentAt(raw.Source, raw.Path) && !r.apart[rawName{raw.Source, raw.Key}] {
				n++
			}
		}
		return n
	}
	copies, joins := there(copied), there(joined)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Copies += copies
	r.report.Joined += joins
}

// rawName names a session as a source holds it.
type rawName struct {
	source int64
	key    string
}

// countApart remembers which copies got their own messages back so that a source
// can be read: they are not told of as new ones in the end. The sessions that
// left, as they lie in no source alone, are then those that they were.
func (g *grouping) countApart() {
	r := g.run
	if r.apart == nil {
		r.apart, r.parted, r.left = map[rawName]bool{}, map[int64]bool{}, map[string]string{}
	}
	for _, raw := range g.raws {
		lent := func(p Piece) bool { i, ok := g.row[p.Session]; return !ok || g.Members[i].SourceID != raw.Source }
		if slices.ContainsFunc(raw.Pieces, lent) {
			r.parted[raw.Source] = true
		}
	}
	for _, l := range g.out.Leave {
		r.left[g.Members[g.row[l.ID]].File] = l.ID
	}
	for i := range g.out.Raws {
		if w := g.out.Raws[i].Raw; g.member(w) < 0 {
			r.apart[rawName{w.Source, w.Key}] = true
		}
	}
}

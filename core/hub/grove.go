package hub

import (
	"cmp"
	"slices"

	"winnow/core/chat"
	"winnow/core/session"
)

// trunk is a session as it is to be: messages one after the other.
type trunk struct {
	knots  []*knot
	parent int // index of the session that it left, -1 without one
	at     int // number of the message after which it left
}

// spot is where a message is to be: its number in a session.
type spot struct{ trunk, n int }

// join lets sessions that begin after the last message of another source's
// go on there: their first entry names that one as its parent, or names none
// and is of the same answer.
func (f *forest) join() {
	for _, p := range f.paths {
		if len(p.knots) == 0 {
			continue
		}
		first := p.knots[0]
		if first.prev != nil {
			continue
		}
		m := f.trait(p.at[0])
		behind := f.behind(p, m.parent)
		if m.turn != "" && m.role == chat.Assistant && m.parent == "" {
			behind = f.other(p, p.raw.Row.Format+" turn "+m.turn)
		}
		if behind == nil || behind.follows(first) {
			continue
		}
		end := f.end(behind)
		if end.follows(first) {
			continue // a circle
		}
		if answer := f.answer(end); answer != nil && m.turn != "" && f.trait(answer.at[0]).turn == m.turn && m.role == chat.Assistant {
			f.glue(answer, first, end)
			answer.glued = true
			continue
		}
		first.follow(end)
	}
}

// after returns the message that an entry, which a session names as its
// parent, gave: nil if no other source holds it.
func (f *forest) behind(p *path, id string) *knot {
	for range len(f.paths) {
		if id == "" {
			return nil
		}
		if k := f.other(p, p.raw.Row.Format+" "+id); k != nil {
			return k
		}
		next := ""
		for _, o := range f.paths {
			key, n, follows, ok := f.entry(o.raw, id)
			switch {
			case !ok || key != o.raw.Key:
			case o.source == p.source:
				next = follows
			case n > 0 && n <= len(o.knots):
				return o.knots[n-1]
			default:
				next = follows
			}
		}
		id = next
	}
	return nil
}

// other returns the newest message with an id that the source of a session
// does not hold.
func (f *forest) other(p *path, id string) *knot {
	for _, k := range slices.Backward(f.byID[id]) {
		if !slices.Contains(k.sources, p.source) {
			return k
		}
	}
	return nil
}

// result returns the result of a tool that follows a message, nil if there is
// none.
func (f *forest) result(k *knot) *knot {
	for _, next := range k.kids {
		if f.trait(next.at[0]).role == chat.Tool {
			return next
		}
	}
	return nil
}

// end returns the last of the results that follow a message, which is it if
// there are none.
func (f *forest) end(k *knot) *knot {
	for next := f.result(k); next != nil; next = f.result(k) {
		k = next
	}
	return k
}

// answer returns the assistant's message that results come after, or that is
// one itself.
func (f *forest) answer(k *knot) *knot {
	for k != nil && f.trait(k.at[0]).role == chat.Tool {
		k = k.prev
	}
	if k == nil || f.trait(k.at[0]).role != chat.Assistant {
		return nil
	}
	return k
}

// unite makes one message of two, parts of a third one that is in one of them,
// unless a source holds both or they differ. It returns the one that stays,
// which is where it would be if the first one had been whole.
func (f *forest) unite(k, o *knot) *knot {
	if slices.ContainsFunc(o.sources, func(source int) bool { return slices.Contains(k.sources, source) }) {
		return k
	}
	if _, ok := f.whole(slices.Concat(k.at, o.at), false); !ok {
		return k
	}
	if k.follows(o) || k.order > o.order && !o.follows(k) {
		k, o = o, k
	}
	k.order = min(k.order, o.order)
	if prev := o.prev; prev != nil {
		prev.kids = slices.DeleteFunc(prev.kids, func(kid *knot) bool { return kid == o })
		if k.prev == nil && !prev.follows(k) {
			k.follow(prev)
		}
	}
	f.glue(k, o, f.end(k))
	return k
}

// glue makes one message of two parts of an answer. What follows the second
// one then follows end.
func (f *forest) glue(answer, part, end *knot) {
	answer.at = append(answer.at, part.at...)
	answer.sources = append(answer.sources, part.sources...)
	for _, at := range part.at {
		f.stored[at] = answer
	}
	for _, p := range f.paths {
		for i, k := range p.knots {
			if k != part {
				continue
			}
			p.knots[i] = answer
			for _, id := range ids(p, f.trait(p.at[i])) {
				f.byID[id] = slices.DeleteFunc(f.byID[id], func(k *knot) bool { return k == part || k == answer })
				f.byID[id] = append(f.byID[id], answer)
			}
		}
	}
	for _, k := range part.kids {
		k.follow(end)
	}
	part.kids, part.gone = nil, true
}

// trunks returns the sessions that hold all messages, each once: from every
// beginning on to the end, the others of those that follow one message being
// branches. Those come after what they left.
func (f *forest) trunks() (list []trunk, spots map[*knot]spot) {
	var begin []*knot
	for _, k := range f.knots {
		if k.prev == nil && !k.gone {
			begin = append(begin, k)
		}
	}
	spots = make(map[*knot]spot, len(f.knots))
	for {
		if len(begin) == 0 {
			if begin = f.circle(spots); begin == nil {
				return list, spots
			}
		}
		k := begin[0]
		begin = begin[1:]
		t := trunk{parent: -1}
		if s, ok := spots[k.prev]; ok && k.prev != nil {
			t.parent, t.at = s.trunk, s.n
		}
		for k != nil {
			t.knots = append(t.knots, k)
			spots[k] = spot{len(list), len(t.knots)}
			if len(k.kids) == 0 {
				break
			}
			slices.SortFunc(k.kids, func(a, b *knot) int { return cmp.Compare(a.order, b.order) })
			begin = append(begin, k.kids[1:]...)
			k = k.kids[0]
		}
		list = append(list, t)
	}
}

// circle opens a circle of messages that follow each other, as damaged files may
// have them, so that none is left out. It returns where, nil if there is none.
func (f *forest) circle(spots map[*knot]spot) []*knot {
	if len(spots) == len(f.knots) {
		return nil
	}
	for _, k := range f.knots {
		if !k.gone && spots[k].n == 0 {
			k.prev.kids = slices.DeleteFunc(k.prev.kids, func(o *knot) bool { return o == k })
			k.prev = nil
			return []*knot{k}
		}
	}
	return nil
}

// plant adds the sessions of a family, source by source: those first that hold
// most, as what they hold alone stays in one piece, and of equal ones the oldest,
// as files may change names.
func (f *forest) plant(raws []*Raw, piece func(Piece) []ref) {
	type tree struct {
		raws []*Raw
		size int
	}
	var trees []*tree
	of := map[int64]*tree{}
	for _, r := range raws {
		t := of[r.Source]
		if t == nil || r.Source == 0 {
			t = &tree{}
			trees = append(trees, t)
			of[r.Source] = t
		}
		t.raws = append(t.raws, r)
		t.size += r.messages()
	}
	for _, t := range trees {
		slices.SortFunc(t.raws, func(a, b *Raw) int {
			return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.Key, b.Key))
		})
	}
	slices.SortFunc(trees, func(a, b *tree) int {
		x, y := a.raws[0], b.raws[0]
		gone := func(r *Raw) int {
			if r.Source == 0 {
				return 1
			}
			return 0
		}
		return cmp.Or(gone(x)-gone(y), b.size-a.size, cmp.Compare(x.Row.Started, y.Row.Started), cmp.Compare(x.Row.Ended, y.Row.Ended),
			cmp.Compare(x.Path, y.Path), cmp.Compare(x.Row.File, y.Row.File))
	})
	for i, t := range trees {
		paths := map[string]*path{}
		for _, r := range t.raws {
			p := &path{raw: r, source: i}
			for _, q := range r.Pieces {
				p.at = append(p.at, piece(q)...)
			}
			var behind *knot
			if o := paths[r.Row.Origin.Key]; r.Row.Origin.Kind == session.Branch && r.depth > 0 && o != nil && r.Row.Origin.At > 0 && r.Row.Origin.At <= len(o.knots) {
				behind = o.knots[r.Row.Origin.At-1]
			}
			f.add(p, behind)
			paths[r.Key] = p
		}
	}
}

// apart returns the sessions as their sources hold them.
func (f *forest) apart(raws []*Raw, piece func(Piece) []ref) (list []trunk, spots map[*knot]spot) {
	spots = map[*knot]spot{}
	at := map[[2]any]int{}
	for i, r := range raws {
		p := &path{raw: r, source: i}
		t := trunk{parent: -1}
		for _, q := range r.Pieces {
			for _, s := range piece(q) {
				k := &knot{at: []ref{s}, sources: []int{i}}
				if f.stored[s] == nil {
					f.stored[s] = k
				}
				t.knots, p.knots, p.at = append(t.knots, k), append(p.knots, k), append(p.at, s)
				spots[k] = spot{i, len(t.knots)}
			}
		}
		f.paths, list = append(f.paths, p), append(list, t)
		at[[2]any{r.Source, r.Key}] = i
	}
	for i, r := range raws {
		if o, ok := at[[2]any{r.Source, r.Row.Origin.Key}]; ok && r.depth > 0 && o != i {
			list[i].parent, list[i].at = o, r.Row.Origin.At
		}
	}
	return list, spots
}

package hub

import (
	"cmp"
	"slices"

	"winnow/core/chat"
)

// ref is a stored message: its number in a session of a family.
type ref struct{ row, n int }

// trait is what tells a message from others: what is in it, and its ids.
type trait struct {
	role         chat.Role
	sum          uint64 // of all that can be trained on
	native, turn string
	parent, time string
	call         string // that a result answers
}

// bare reports whether a message has no id of its own.
func (m *trait) bare() bool { return m.native == "" && m.turn == "" }

// knot is a message that some sources of a family hold.
type knot struct {
	at      []ref // where it is stored; several if sources that were not compared hold it
	sources []int // that hold it, as indices of trees
	prev    *knot
	kids    []*knot
	order   int  // in which knots were made
	glued   bool // of parts that follow each other
	gone    bool // it became a part of another one
}

// follow puts a message after another one, nil for none.
func (k *knot) follow(prev *knot) {
	if k.prev = prev; prev != nil {
		prev.kids = append(prev.kids, k)
	}
}

// forest is what all sources of a family hold together. Each message is in it
// once, after the one that it follows.
type forest struct {
	traits [][]trait // of the stored sessions, by number less one
	text   func(ref) (*chat.Message, error)
	// entry tells where an entry is in a source, as session.Entries.Place.
	entry  func(r *Raw, id string) (key string, n int, follows string, ok bool)
	knots  []*knot
	stored map[ref]*knot
	byID   map[string][]*knot
	begun  map[start][]*path // by first message
	paths  []*path
	err    error
}

// start is what sessions have in common that may begin alike.
type start struct {
	format string
	role   chat.Role
	sum    uint64
	time   string
}

// path is a session of one source, message by message.
type path struct {
	raw    *Raw
	source int // index of its tree
	at     []ref
	knots  []*knot
}

func newForest(traits [][]trait, text func(ref) (*chat.Message, error)) *forest {
	return &forest{traits: traits, text: text, stored: map[ref]*knot{}, byID: map[string][]*knot{}, begun: map[start][]*path{}}
}

func (f *forest) trait(s ref) *trait { return &f.traits[s.row][s.n-1] }

// add adds a session of a source that goes on after a message, nil for none.
func (f *forest) add(p *path, behind *knot) {
	known := f.aligned(p)
	f.paths = append(f.paths, p)
	cur := behind
	for i, at := range p.at {
		found := f.find(p, at)
		if i < len(known) && !slices.Contains(known[i].sources, p.source) {
			found = append([]*knot{known[i]}, found...)
		}
		if len(found) == 0 {
			k := &knot{order: len(f.knots)}
			k.follow(cur)
			f.knots = append(f.knots, k)
			found = append(found, k)
		}
		k := found[0]
		f.hold(k, p, at)
		p.knots = append(p.knots, k)
		for _, o := range found[1:] {
			k = f.unite(k, o)
		}
		if k.prev == nil && cur != nil && !cur.follows(k) {
			k.follow(cur)
		}
		cur = k
	}
	if len(p.at) > 0 {
		first := f.start(p)
		f.begun[first] = append(f.begun[first], p)
	}
}

func (f *forest) start(p *path) start {
	m := f.trait(p.at[0])
	return start{p.raw.Row.Format, m.role, m.sum, m.time}
}

// hold notes that a source holds a message, and where it is stored.
func (f *forest) hold(k *knot, p *path, at ref) {
	k.sources = append(k.sources, p.source)
	if slices.Contains(k.at, at) {
		return
	}
	k.at = append(k.at, at)
	f.stored[at] = k
	for _, id := range ids(p, f.trait(at)) {
		if !slices.Contains(f.byID[id], k) {
			f.byID[id] = append(f.byID[id], k)
		}
	}
}

// ids are the keys by which a message is found again.
func ids(p *path, m *trait) (list []string) {
	if m.native != "" {
		list = append(list, p.raw.Row.Format+" "+m.native)
	}
	if m.turn != "" {
		list = append(list, p.raw.Row.Format+" turn "+m.turn)
	}
	return list
}

// follows reports whether a message comes after another one, or is it.
func (k *knot) follows(other *knot) bool {
	for ; k != nil; k = k.prev {
		if k == other {
			return true
		}
	}
	return false
}

// find returns the messages of other sources that one is: none if it is new,
// several if it holds what parts of it do that have nothing in common.
func (f *forest) find(p *path, at ref) (found []*knot) {
	if k := f.stored[at]; k != nil && !slices.Contains(k.sources, p.source) {
		found = append(found, k)
	}
	for _, id := range ids(p, f.trait(at)) {
		for _, k := range f.byID[id] {
			if !slices.Contains(found, k) && !slices.Contains(k.sources, p.source) && f.is(k, at) {
				found = append(found, k)
			}
		}
	}
	return found
}

// is reports whether a stored message, which has an id of another one, is that:
// nothing in it is different.
func (f *forest) is(k *knot, at ref) bool {
	m := f.trait(at)
	for _, other := range k.at {
		o := f.trait(other)
		if m.role == o.role && m.sum == o.sum {
			return true
		}
	}
	if m.role != chat.Assistant {
		return false
	}
	whole, _ := f.whole(k.at, k.glued)
	if whole == nil {
		return false
	}
	part, err := f.text(at)
	if err != nil {
		f.err = err
		return false
	}
	_, ok := united(whole, part, false)
	return ok
}

// whole returns the message that stored parts give together, and whether all of
// them are in it. Parts that follow each other need nothing in common.
func (f *forest) whole(at []ref, follow bool) (whole *chat.Message, all bool) {
	parts := f.distinct(at)
	for more := true; more; {
		more = false
		parts = slices.DeleteFunc(parts, func(at ref) bool {
			part, err := f.text(at)
			if err != nil {
				f.err = err
				return false
			}
			m, ok := *part, true
			if whole != nil {
				m, ok = united(whole, part, follow)
			}
			if ok {
				whole, more = &m, true
			}
			return ok
		})
	}
	return whole, len(parts) == 0
}

// distinct are those of the places of a message where different texts are
// stored, in the order of their times.
func (f *forest) distinct(at []ref) (list []ref) {
	for _, s := range at {
		if !slices.ContainsFunc(list, func(o ref) bool { return f.trait(o).sum == f.trait(s).sum }) {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b ref) int { return cmp.Compare(f.trait(a).time, f.trait(b).time) })
	return list
}

// named reports whether two sessions have one native id.
func (f *forest) named(a, b *path) bool {
	return a.raw.Row.NativeID != "" && a.raw.Row.NativeID == b.raw.Row.NativeID
}

// aligned returns the messages that a session has in common with the beginning
// of another one, which are told by their times where they have no ids: only
// those that are alike in everything, one after the other. Different ids say
// that messages are different ones, unless all of a session is there.
func (f *forest) aligned(p *path) (best []*knot) {
	if len(p.at) == 0 || len(f.find(p, p.at[0])) > 0 && !f.trait(p.at[0]).bare() {
		return nil
	}
	for _, o := range f.begun[f.start(p)] {
		if o.source == p.source {
			continue
		}
		same, all, proven, proves := 0, 0, false, false
		for ; all < len(p.at) && all < len(o.at); all++ {
			a, b := f.trait(p.at[all]), f.trait(o.at[all])
			if a.role != b.role || a.sum != b.sum || a.time != b.time || slices.Contains(o.knots[all].sources, p.source) {
				break
			}
			proves = proves || a.time != ""
			if all == same && (a.bare() && b.bare() || a.native == b.native && a.turn == b.turn) {
				same, proven = same+1, proves || !a.bare()
			}
		}
		switch {
		case all == len(p.at) && (proves || all == same && (all == len(o.at) || f.named(p, o))):
			return o.knots[:all]
		case proven && same > len(best):
			best = o.knots[:same]
		}
	}
	return best
}

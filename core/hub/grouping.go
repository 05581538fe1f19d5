package hub

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// Regrouping brings the sessions of a family to a new state, in one
// transaction.
type Regrouping struct {
	Was       []Member // what it goes on from: else it is a review.ErrConflict
	Apart     bool     // each source has its own messages, until the next comparison
	Sessions  []Regrouped
	Leave     []Leaving
	Raws      []RawWrite
	Offspring []OffspringWrite
}

// Regrouped is a session of a family as it is to be.
type Regrouped struct {
	ID     string // "" for a new one
	Source int64
	Path   string        // of it
	Write  *SessionWrite // nil: its messages and segments are as they were
	// Gathered says that it does not hold just what one session of its source
	// does.
	Gathered bool
	Kind     session.Kind
	Parent   int // index of the session that it is a branch of, -1: ParentID
	ParentID string
	At       int
}

// Leaving is a session all of whose messages are in others, most in one.
type Leaving struct {
	ID   string
	Body int64
	Heir int // index of that in Sessions
}

// RawWrite says where the messages of a session are that a source holds.
// Without pieces it is kept as it is.
type RawWrite struct {
	Raw    *Raw
	Pieces []PieceWrite
	Copy   int  // index of the session that it is kept as, -1: it has one of its own
	Own    int  // messages that this source gives: each is given by one
	Joined bool // others do not hold all of what it has, which is kept as a part of Copy
	Forget bool // its file is gone, and others hold all of it
}

// PieceWrite is a run of messages of a session, with the sum of their ids.
type PieceWrite struct {
	Session, At, Messages int
	Sum                   uint32
}

// IDSum adds the ids of a message to a sum. They stay when lines are added to
// it.
func IDSum(sum uint32, m *chat.Message) uint32 {
	return crc32.Update(sum, castagnoli, []byte(string(m.Role)+"\x00"+m.NativeID+"\x00"+m.TurnID+"\x00"+m.ToolCallID))
}

// OffspringWrite says where a session belongs whose parent has changed.
type OffspringWrite struct {
	ID      string
	Session int
	At      int
}

// grouping makes the writes that give a family its new state.
type grouping struct {
	*kinship
	ctx    context.Context
	wood   *forest
	trunks []trunk
	spots  map[*knot]spot

	homes []int // paths that trunks are named after, by trunk; -1 for none
	best  []int // the paths that hold most of them
	kept  []int // members that stay for them, -1: new
	texts [][]filling
	out   Regrouping
}

// write stores the new state.
func (g *grouping) write(apart bool) error {
	if len(g.trunks) == 0 {
		return nil
	}
	g.chooseHomes()
	g.chooseRows()
	if err := g.sessions(); err != nil {
		return err
	}
	copied, joined := g.locate()
	if !g.changes() {
		return nil
	}
	g.out.Was, g.out.Apart = g.Members, apart
	done, err := g.run.im.Store.Regroup(g.ctx, &g.out)
	if err != nil {
		return err
	}
	g.run.count(done, true)
	for i := range g.out.Sessions {
		if w := g.out.Sessions[i].Write; w != nil {
			delete(g.run.left, w.Session.File)
		}
	}
	if apart {
		g.countApart()
	} else {
		g.count(copied, joined)
	}
	return nil
}

// member returns the member that lies where a source holds a session, -1
// without one.
func (g *grouping) member(r *Raw) int {
	return slices.IndexFunc(g.Members, func(m Member) bool {
		return m.SourceID == r.Source && keyOf(m.File, m.Path) == r.Key && m.Path == r.Path
	})
}

// chooseHomes finds out whose name each session has: that of the session which
// holds most of it in one source.
func (g *grouping) chooseHomes() {
	shared := make([]map[int]int, len(g.trunks))
	for i, p := range g.wood.paths {
		for _, k := range p.knots {
			if t := g.spots[k].trunk; shared[t] == nil {
				shared[t] = map[int]int{i: 1}
			} else {
				shared[t][i]++
			}
		}
	}
	born := make([]int64, len(g.wood.paths))
	for i, p := range g.wood.paths {
		born[i] = math.MaxInt64
		if m := g.member(p.raw); m >= 0 {
			born[i] = g.Members[m].Born
		}
	}
	used := map[int]bool{}
	for t := range g.trunks {
		var list []int
		for i := range shared[t] {
			list = append(list, i)
		}
		slices.SortFunc(list, func(a, b int) int {
			return cmp.Or(shared[t][b]-shared[t][a], g.there(b)-g.there(a), cmp.Compare(born[a], born[b]), a-b)
		})
		g.best, g.homes = append(g.best, list[0]), append(g.homes, -1)
		for _, i := range list {
			if !used[i] {
				g.homes[t], used[i] = i, true
				break
			}
		}
	}
}

// there is 1 for a path whose file is there.
func (g *grouping) there(path int) int {
	if g.run.presentAt(g.wood.paths[path].raw.Source, g.wood.paths[path].raw.Path) {
		return 1
	}
	return 0
}

// chooseRows finds out which row each session keeps: the one that lies there,
// or one that would leave, if a curator left something on it or it is older.
func (g *grouping) chooseRows() {
	g.kept = make([]int, len(g.trunks))
	candidates := make([][]int, len(g.trunks))
	stays := map[int]bool{}
	for t, home := range g.homes {
		g.kept[t] = -1
		if home < 0 {
			continue
		}
		if m := g.member(g.wood.paths[home].raw); m >= 0 {
			candidates[t], stays[m] = append(candidates[t], m), true
		}
	}
	for m := range g.Members {
		if !stays[m] {
			if t := g.heir(m); t >= 0 {
				candidates[t] = append(candidates[t], m)
			}
		}
	}
	for t, list := range candidates {
		slices.SortFunc(list, func(a, b int) int {
			x, y := &g.Members[a], &g.Members[b]
			switch {
			case x.marked != y.marked && x.marked:
				return -1
			case x.marked != y.marked:
				return 1
			}
			return cmp.Or(cmp.Compare(x.Born, y.Born), cmp.Compare(x.File, y.File))
		})
		if len(list) > 0 {
			g.kept[t] = list[0]
		}
	}
}

// heir returns the session that most of a member's messages go to.
func (g *grouping) heir(m int) int {
	shared := make([]int, len(g.trunks))
	best := -1
	for n := range g.traits[m] {
		if k := g.wood.stored[ref{m, n + 1}]; k != nil {
			t := g.spots[k].trunk
			if shared[t]++; best < 0 || shared[t] > shared[best] || shared[t] == shared[best] && t < best {
				best = t
			}
		}
	}
	return best
}

// sessions decides what becomes of each session.
func (g *grouping) sessions() error {
	g.texts = make([][]filling, len(g.trunks))
	as := make([]bool, len(g.trunks)) // whose messages are as they were
	for t := range g.trunks {
		var err error
		if g.texts[t], as[t], err = g.content(t); err != nil {
			return err
		}
	}
	for t := range g.trunks {
		r := g.named(t)
		kept := g.kept[t]
		as[t] = as[t] && g.Members[kept].File == r.Write.Session.File
		g.out.Sessions = append(g.out.Sessions, *r)
	}
	legacy := g.bequeath(as)
	for t := range g.trunks {
		r := &g.out.Sessions[t]
		if as[t] && !legacy.foreign[t] {
			r.Write = nil
		} else if err := g.fill(t, r, g.texts[t], legacy); err != nil {
			return err
		}
	}
	legacy.retire(g)
	for m := range g.Members {
		if !slices.Contains(g.kept, m) {
			heir := g.heir(m)
			g.out.Leave = append(g.out.Leave, Leaving{g.Members[m].ID, g.Members[m].Body, heir})
		}
	}
	return nil
}

// filling is a message of a session as it is to be: a stored one, or what
// several give together.
type filling struct {
	at    ref
	whole *chat.Message
}

// content returns the messages of a session, and whether its row has just
// those.
func (g *grouping) content(t int) (list []filling, as bool, err error) {
	kept := g.kept[t]
	as = kept >= 0 && len(g.trunks[t].knots) == g.Members[kept].Messages
	source := g.wood.paths[g.best[t]].raw.Source
	if home := g.homes[t]; home >= 0 {
		source = g.wood.paths[home].raw.Source
	}
	for i, k := range g.trunks[t].knots {
		c := filling{at: k.at[0]}
		from := k.at
		if len(g.wood.distinct(k.at)) > 1 {
			whole, _ := g.wood.whole(k.at, k.glued)
			if g.wood.err != nil {
				return nil, false, g.wood.err
			}
			sum := traitOf(whole).sum
			from = slices.DeleteFunc(slices.Clone(k.at), func(s ref) bool { return g.wood.trait(s).sum != sum })
			if len(from) == 0 {
				c.whole = whole
			}
		}
		rank := func(s ref) (n int) {
			if g.Members[s.row].SourceID == source { // knows the line
				n = 2
			}
			if s == (ref{kept, i + 1}) {
				n++
			}
			return n
		}
		if len(from) > 0 {
			c.at = slices.MaxFunc(from, func(a, b ref) int { return rank(a) - rank(b) })
		}
		as = as && c.whole == nil && c.at == ref{kept, i + 1}
		list = append(list, c)
	}
	return list, as, nil
}

// named returns a session with what its sources tell of it, but for messages.
func (g *grouping) named(t int) *Regrouped {
	raw := g.wood.paths[g.best[t]].raw
	row := raw.Row
	key := raw.Key
	if g.homes[t] >= 0 {
		raw = g.wood.paths[g.homes[t]].raw
		row, key = raw.Row, raw.Key
	} else {
		first := g.wood.trait(g.trunks[t].knots[0].at[0])
		row.NativeID, row.Usage, row.Completed = first.native, session.Usage{}, nil
		for n := 0; key == raw.Key || g.taken(t, raw, key); n++ {
			if key = "b=" + first.native; n > 0 || first.native == "" {
				key += fmt.Sprintf(".%d", n+1)
			}
		}
	}
	r := &Regrouped{Source: raw.Source, Path: raw.Path, Parent: g.trunks[t].parent, At: g.trunks[t].at, Gathered: true}
	switch {
	case raw.Source == 0: // nothing lies where it lay
	case key == "":
		row.File = raw.Path
	default:
		row.File = raw.Path + "#" + key
	}
	row.ID, row.Body, row.SourceID = g.run.left[row.File], 0, raw.Source
	if kept := g.kept[t]; kept >= 0 {
		r.ID, row.ID, row.Body, row.CreatedAt = g.Members[kept].ID, g.Members[kept].ID, g.Members[kept].Body, g.Members[kept].CreatedAt
	}
	switch {
	case r.Parent >= 0:
		r.Kind = session.Branch
		row.Origin = session.Origin{Kind: session.Branch, At: r.At}
	case g.homes[t] < 0:
		row.Origin, row.Parent = session.Origin{}, ""
	default:
		r.Kind, r.ParentID, r.At = row.Origin.Kind, row.Parent, row.Origin.At
		if row.Origin.Kind == session.Branch && raw.Source != 0 { // it has lost what it left
			r.Kind, r.ParentID, r.At, row.Origin, row.Parent = "", "", 0, session.Origin{}, ""
		}
	}
	row.Origin.Key = ""
	r.Write = &SessionWrite{Session: row, New: r.ID == "", NewBody: true, Verdicts: map[string]review.Verdict{}}
	return r
}

// taken reports whether another session has a key in a source.
func (g *grouping) taken(t int, raw *Raw, key string) bool {
	file := raw.Path + "#" + key
	for _, r := range g.raws {
		if r.Source == raw.Source && r.Key == key {
			return true
		}
	}
	for m := range g.Members {
		if g.Members[m].File == file && m != g.kept[t] {
			return true
		}
	}
	return slices.ContainsFunc(g.out.Sessions, func(o Regrouped) bool { return o.Write != nil && o.Write.Session.File == file })
}

package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/session"
)

// Piece is a run of messages of a stored session.
type Piece struct {
	Session      string // its id
	At, Messages int
}

// Raw is a session as its source holds it, whatever it is kept as.
type Raw struct {
	Source int64  // 0: none holds it any more
	Path   string // of the source
	Key    string // as in session_file
	// Row is what the source tells of it. Its parent in the same source, if it
	// is a branch, is named by Origin.Key.
	Row    review.Session
	Pieces []Piece // where its messages are, in order

	depth int // of branches, 0 for a session that left none
}

func (r *Raw) messages() (n int) {
	for _, p := range r.Pieces {
		n += p.Messages
	}
	return n
}

// Member is a stored session of a family.
type Member struct {
	review.StoredSession
	Path     string // of its source
	Born     int64
	Gathered bool // Raws tell what its messages are

	marked bool // a curator left something on it
}

// Offspring is a session that some member is the parent of, without being of
// the family itself: what a sub-agent said.
type Offspring struct {
	ID     string
	Source int64
	Parent string
	At     int
}

// Family is all that is stored of sessions that may hold the same messages: of
// one native id, with their branches, and all that holds pieces of theirs.
type Family struct {
	Members   []Member
	Raws      []Raw // of sources whose session is not a member as it is there
	Offspring []Offspring
}

// kinship is a family whose messages are being compared.
type kinship struct {
	*Family
	run     *run
	row     map[string]int // members by id
	raws    []*Raw         // of all sources
	traits  [][]trait
	chunk   []chat.Message // read last
	in      int            // the member that it is of
	entries map[int64]*session.Entries
}

// kin loads a family.
func (r *run) kin(ctx context.Context, f *Family) (*kinship, error) {
	k := &kinship{Family: f, run: r, row: map[string]int{}, traits: make([][]trait, len(f.Members)), in: -1}
	for i := range f.Members {
		m := &f.Members[i]
		k.row[m.ID] = i
		for j := range m.Segments {
			m.marked = m.marked || left(&m.Segments[j].Segment)
		}
		if !m.Gathered {
			k.raws = append(k.raws, &Raw{
				Source: m.SourceID, Path: m.Path, Key: keyOf(m.File, m.Path), Row: m.Session, Pieces: []Piece{{m.ID, 1, m.Messages}},
			})
		}
		err := eachOf(ctx, r.im.Store, m.Body, m.Messages, func(msg *chat.Message) error {
			k.traits[i] = append(k.traits[i], traitOf(msg))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range f.Raws {
		k.raws = append(k.raws, &f.Raws[i])
	}
	k.locateBranches()
	return k, nil
}

// keyOf is the key of a session_file.
func keyOf(file, path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(file, path), "#")
}

// traitOf returns what tells a message from others.
func traitOf(m *chat.Message) trait {
	same := *m
	same.Name = "" // of a result whose call is elsewhere it is not known
	sum := sha256.Sum256(chat.AppendCanonical(nil, &same))
	return trait{m.Role, binary.LittleEndian.Uint64(sum[:]), m.NativeID, m.TurnID, m.ParentID, m.Timestamp, m.ToolCallID}
}

// locateBranches tells of each branch where it left which session of its source.
func (k *kinship) locateBranches() {
	for _, r := range k.raws {
		if r.Row.Origin.Kind != session.Branch || r.Row.Origin.Key != "" || r.Row.ID == "" {
			continue
		}
		if key, n, ok := k.rawAt(r.Source, r.Row.Parent, max(r.Row.Origin.At, 1)); ok {
			r.Row.Origin.Key, r.depth = key, 1
			if r.Row.Origin.At > 0 {
				r.Row.Origin.At = n
			}
		}
	}
	byKey := map[[2]any]*Raw{}
	for _, r := range k.raws {
		byKey[[2]any{r.Source, r.Key}] = r
	}
	for _, r := range k.raws {
		r.depth = 0
		for o := r; o != nil && o.Row.Origin.Kind == session.Branch && o.Source != 0 && r.depth < len(k.raws); r.depth++ {
			next := byKey[[2]any{o.Source, o.Row.Origin.Key}]
			if next == o {
				break
			}
			o = next
		}
	}
}

// rawAt returns the key of the session of a source that holds message n of a
// stored one, and the number that it has there.
func (k *kinship) rawAt(source int64, id string, n int) (key string, at int, ok bool) {
	for _, r := range k.raws {
		if r.Source != source {
			continue
		}
		before := 0
		for _, p := range r.Pieces {
			if p.Session == id && n >= p.At && n < p.At+p.Messages {
				return r.Key, before + n - p.At + 1, true
			}
			before += p.Messages
		}
	}
	return "", 0, false
}

// refs are the messages of a piece.
func (k *kinship) refs(p Piece) (list []ref) {
	row, ok := k.row[p.Session]
	for n := p.At; ok && n < p.At+p.Messages && n <= len(k.traits[row]); n++ {
		list = append(list, ref{row, n})
	}
	return list
}

// text returns a stored message.
func (k *kinship) text(ctx context.Context, s ref) (*chat.Message, error) {
	if k.in != s.row || len(k.chunk) == 0 || s.n < k.chunk[0].N || s.n > k.chunk[len(k.chunk)-1].N {
		list, err := k.run.im.Store.Chunk(ctx, k.Members[s.row].Body, s.n)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 || s.n < list[0].N || s.n > list[len(list)-1].N {
			return nil, review.ErrConflict
		}
		k.in, k.chunk = s.row, list
	}
	m := k.chunk[s.n-k.chunk[0].N]
	return &m, nil
}

// entry tells where an entry is in the source of a session.
func (k *kinship) entry(ctx context.Context, r *Raw, id string) (key string, n int, follows string, ok bool) {
	if r.Source == 0 {
		return "", 0, "", false
	}
	list, known := k.entries[r.Source]
	if !known {
		if s, err := k.run.im.Store.Source(ctx, r.Source); err == nil {
			list = s.State.Entries()
		}
		if k.entries == nil {
			k.entries = map[int64]*session.Entries{}
		}
		k.entries[r.Source] = list
	}
	if list == nil {
		return "", 0, "", false
	}
	return list.Find(id)
}

// linkFamilies finds what the sessions of an agent that were written since
// import transaction from hold in common.
func (r *run) linkFamilies(ctx context.Context, from, to int64) error {
	done := map[string]bool{}
	for after := (*Group)(nil); ; {
		groups, err := r.im.Store.Alike(ctx, r.im.Agent, ByNative, from, to, after, twinBatch)
		if err != nil {
			return err
		}
		for i := range groups {
			if err := r.linkFamily(ctx, &groups[i], done); err != nil {
				return err
			}
		}
		if len(groups) < twinBatch {
			return nil
		}
		after = &groups[len(groups)-1]
	}
}

// linkFamily links the family of a group, unless it is done: what it was
// compared with may have changed meanwhile.
func (r *run) linkFamily(ctx context.Context, g *Group, done map[string]bool) error {
	for try := 0; ; try++ {
		f, err := r.im.Store.Family(ctx, r.im.Agent, g)
		if err != nil || len(f.Members) < 2 || done[f.Members[0].ID] {
			return err
		}
		err = r.regroup(ctx, f, false)
		if err == nil || try == tries {
			for i := range f.Members {
				done[f.Members[i].ID] = true
			}
			return err
		}
		if gone(err) != nil {
			return err
		}
	}
}

// part gives each session that a source holds, and those that hold pieces of
// such, its own messages back, so that the source can be read.
func (r *run) part(ctx context.Context, source int64) error {
	r.parting.Lock()
	defer r.parting.Unlock()
	for try := 0; ; try++ {
		f, err := r.im.Store.SourceFamily(ctx, source)
		if err != nil {
			return err
		}
		if err = r.regroup(ctx, f, true); err == nil || gone(err) != nil || try == tries {
			return err
		}
	}
}

// regroup stores the sessions of a family as they are to be: each message in
// one, or with apart as their sources hold them.
func (r *run) regroup(ctx context.Context, f *Family, apart bool) error {
	k, err := r.kin(ctx, f)
	if err != nil {
		return err
	}
	wood := newForest(k.traits, func(s ref) (*chat.Message, error) { return k.text(ctx, s) })
	wood.entry = func(raw *Raw, id string) (string, int, string, bool) { return k.entry(ctx, raw, id) }
	var trunks []trunk
	var spots map[*knot]spot
	if apart {
		slices.SortStableFunc(k.raws, func(a, b *Raw) int { return cmp.Compare(k.owned(b), k.owned(a)) })
		trunks, spots = wood.apart(k.raws, k.refs)
	} else {
		wood.plant(k.raws, k.refs)
		wood.join()
		trunks, spots = wood.trunks()
	}
	if wood.err != nil {
		return wood.err
	}
	g := &grouping{kinship: k, ctx: ctx, wood: wood, trunks: trunks, spots: spots}
	return g.write(apart)
}

// wasParted reports whether a source got messages back from sessions of others.
func (r *run) wasParted(source int64) bool {
	r.parting.Lock()
	defer r.parting.Unlock()
	return r.parted[source]
}

// owned is 1 for a session that a member is kept for.
func (k *kinship) owned(r *Raw) int {
	for i := range k.Members {
		if m := &k.Members[i]; m.SourceID == r.Source && keyOf(m.File, m.Path) == r.Key {
			return 1
		}
	}
	return 0
}

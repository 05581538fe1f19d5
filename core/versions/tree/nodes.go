package tree

import (
	"context"
	"errors"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/graph"
	"winnow/core/review"
	"winnow/core/session"
	"winnow/core/versions"
)

// Messages is a Source that has recorded messages, and edits of former versions.
type Messages interface {
	Source
	EachRecorded(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error
	// EditsAt returns the edits that lay over a session after each of the entries.
	EditsAt(ctx context.Context, session string, entries ...int64) ([][]edit.Edit, error)
}

// Node is a message after exactly what stands before it.
type Node struct {
	ID, Parent graph.NodeID // the zero parent: nothing stands before it
	N, Part    int
	Session    string
	Role       chat.Role
	Sampled    bool // a model wrote it to exactly that
	// By, Why and Entry tell of a curator's message who wrote it, and what for; they
	// are empty of what was recorded.
	By    string
	Why   edit.Why
	Entry int64
}

const (
	// mostVersions bounds the versions of which nodes are made: the newest ones.
	mostVersions = 64
	// mostParents bounds the sessions that one branches off.
	mostParents = 16
)

// Nodes returns the messages of a tree as nodes, parents first: what was recorded,
// what differs in versions that are not lost, in the newest ones of many, and the
// branches and sub-agents. What stands in front of a branch is there, too; of sessions
// that only begin alike nothing is.
func Nodes(ctx context.Context, src Messages, t *Tree) ([]Node, error) {
	b := &builder{ctx: ctx, src: src, at: map[graph.NodeID]int{}}
	from, err := b.before(&t.Session)
	if err != nil {
		return nil, err
	}
	forks := map[int]graph.NodeID{0: from}
	for i := range t.Beside {
		if one := &t.Beside[i]; one.Kind == session.Branch && one.At > 0 {
			forks[one.At] = graph.NodeID{}
		}
	}
	chains := []*chain{{at: from}}
	lists, err := src.EditsAt(ctx, t.Session.ID, newest(t.Versions)...)
	if err != nil {
		return nil, err
	}
	for _, over := range lists {
		chains = append(chains, &chain{at: from, edits: over, over: edit.NewOverlay(over)})
	}
	b.by = map[int64]string{}
	for i := range t.Versions {
		b.by[t.Versions[i].Entry] = t.Versions[i].By
	}
	if err := b.follow(&t.Session, t.Session.Messages, chains, forks); err != nil {
		return nil, err
	}
	for i := range t.Beside {
		one := &t.Beside[i]
		if one.Kind == Same {
			continue
		}
		sess, err := src.Session(ctx, one.ID)
		if err != nil {
			return nil, err
		}
		at := graph.NodeID{}
		if one.Kind == session.Branch {
			at = forks[one.At]
		}
		if err := b.follow(&sess, sess.Messages, []*chain{{at: at}}, nil); err != nil {
			return nil, err
		}
	}
	return b.nodes, nil
}

// newest are the entries of the versions of which nodes are made.
func newest(list []versions.Version) (entries []int64) {
	for i := range slices.Backward(list) {
		if v := &list[i]; v.Lost == "" && len(entries) < mostVersions {
			entries = append(entries, v.Entry)
		}
	}
	return entries
}

// builder gathers nodes.
type builder struct {
	ctx   context.Context
	src   Messages
	nodes []Node
	at    map[graph.NodeID]int
	by    map[int64]string // curators, by entry
}

// chain is a version while its messages are followed; the first one is what was
// recorded.
type chain struct {
	at    graph.NodeID
	edits []edit.Edit
	over  *edit.Overlay
}

// before adds what stands in front of a branch, as it was recorded, and returns its
// last node.
func (b *builder) before(s *review.Session) (at graph.NodeID, err error) {
	type part struct {
		session review.Session
		to      int
	}
	var path []part
	for s.Origin.Kind == session.Branch && s.Parent != "" && s.Origin.At > 0 && len(path) < mostParents {
		parent, err := b.src.Session(b.ctx, s.Parent)
		if errors.Is(err, review.ErrNotFound) {
			break
		}
		if err != nil {
			return at, err
		}
		path = append(path, part{parent, s.Origin.At})
		s = &parent
	}
	for _, p := range slices.Backward(path) {
		one := &chain{at: at}
		if err := b.follow(&p.session, p.to, []*chain{one}, nil); err != nil {
			return at, err
		}
		at = one.at
	}
	return at, nil
}

// follow adds the messages of chains up to message to. forks gets the recorded nodes
// of the numbers that it has.
func (b *builder) follow(s *review.Session, to int, chains []*chain, forks map[int]graph.NodeID) error {
	return b.src.EachRecorded(b.ctx, s.Body, 1, to, func(m *chat.Message) error {
		recorded := *m
		for i, c := range chains {
			for now := range c.over.At(&recorded) {
				n := Node{Parent: c.at, N: now.N, Part: now.Part, Session: s.ID, Role: now.Role}
				n.ID = c.at.Next(now)
				c.at = n.ID
				if i == 0 {
					n.Sampled = versions.Own(now)
				} else if e := editAt(c.edits, now.N, now.Part); e != nil {
					n.By, n.Why, n.Entry = b.by[e.Entry], e.Why, e.Entry
				}
				b.add(n, i == 0)
			}
		}
		if _, wanted := forks[recorded.N]; wanted {
			forks[recorded.N] = chains[0].at
		}
		return nil
	})
}

// editAt returns the edit in force at a place, nil for none.
func editAt(edits []edit.Edit, n, part int) *edit.Edit {
	i, found := slices.BinarySearchFunc(edits, edit.Place{N: n, Part: part}, func(e edit.Edit, p edit.Place) int {
		return versions.ComparePlaces(edit.Place{N: e.N, Part: e.Part}, p)
	})
	if !found || edits[i].Clash {
		return nil
	}
	return &edits[i]
}

// add adds a node, once. What was recorded stands for what is equal to it.
func (b *builder) add(n Node, recorded bool) {
	i, met := b.at[n.ID]
	switch {
	case !met:
		b.at[n.ID] = len(b.nodes)
		b.nodes = append(b.nodes, n)
	case recorded && (b.nodes[i].Entry != 0 || n.Sampled && !b.nodes[i].Sampled):
		b.nodes[i] = n
	}
}

package session

// tree follows sessions whose entries name the entry they follow. A session is
// the path to its newest entry. Where an entry follows another than the
// newest, what stands after that one is given up: it becomes a session of its
// own, a branch, which holds only what follows the fork. So every message is
// in exactly one session.
//
// Several entries can be one node: the lines of one answer and the results of
// its calls do not fork.
//
// The entries remembered are the newest maxEntries: an entry that follows an
// older one is taken to follow the newest, like one whose parent is not in the
// source at all.
type tree struct {
	entries  []treeEntry    // oldest first
	byID     map[string]int // place in entries, plus dropped
	dropped  int            // entries forgotten
	nodes    []node         // oldest first; entries refer to them by place, plus forgot
	forgot   int            // nodes forgotten
	branches []branch       // oldest first
	named    int            // sessions that needed a number in their key
	spent    int            // what going back did cost lately
}

type treeEntry struct {
	id   string
	node int
	sum  uint32 // digest of what stood in the entry, 0 unknown
	// first and last number the messages that it gave, or belongs to, in the session
	// of its node. One that gave none stands in front of first, behind last; 0, 0
	// unknown.
	first, last int
}

// node is a message, or several that can't be told apart by what follows them.
type node struct {
	id   string // of its first entry
	key  string // of its session
	last int    // number of its last message in that session
}

// branch is a session that belongs after a message of another: one that was
// forked off, or of another kind that its decoder told.
type branch struct {
	key    string
	parent string // key of the session it left
	at     int    // number of the last message that both share
	kind   Kind
	call   string // as in Origin
}

func (b *branch) origin() Origin { return Origin{Kind: b.kind, Key: b.parent, At: b.at, Call: b.call} }

const (
	// maxEntries bounds what is remembered: going back further than
	// thousands of entries is rare, and each takes about 20 bytes of a state.
	maxEntries = 4096
	// maxEntryID is the longest id of an entry that is remembered.
	maxEntryID = 256
	// maxBranches bounds the branches whose place is remembered: going back
	// into an older one does not bring it back to the main path.
	maxBranches = 256
	// maxSpent bounds what going back costs, as all messages of a session that
	// some are moved out of; maxMoves of them are forgiven for each entry. A
	// source that goes back and forth all the time would else cost the square
	// of its size.
	maxSpent = 1 << 19
	maxMoves = 32
)

func (t *tree) empty() bool { return len(t.entries) == 0 }

// find returns the node of an entry, nil if it is not known.
func (t *tree) find(id string) *node {
	entry := t.entry(id)
	if entry == nil {
		return nil
	}
	n := entry.node - t.forgot
	if n < 0 {
		return nil
	}
	return &t.nodes[n]
}

// before returns the number of the last message before an entry, in the
// session with that key; ok is false if the entry, or what stands before it, is
// not known.
func (t *tree) before(id, key string) (at int, ok bool) {
	n := t.find(id)
	if n == nil || n.key != key {
		return 0, false
	}
	found := false
	for i := len(t.nodes) - 1; i >= 0; i-- {
		switch {
		case &t.nodes[i] == n:
			found = true
		case found && t.nodes[i].key == key:
			return t.nodes[i].last, true
		}
	}
	return 0, t.forgot == 0
}

// entry returns the newest entry with that id, nil if it is not known.
func (t *tree) entry(id string) *treeEntry {
	i, ok := t.byID[id]
	if i -= t.dropped; !ok || i < len(t.entries)-maxEntries {
		return nil // what is left of older ones depends on when a state was taken
	}
	return &t.entries[i]
}

// seal remembers a digest of what stood in the entry that was added last, if
// it has that id.
func (t *tree) seal(id string, sum uint32) {
	if n := len(t.entries) - 1; n >= 0 && t.entries[n].id == id {
		t.entries[n].sum = sum
	}
}

// place remembers which messages stood in the entry that was added last, if it has
// that id.
func (t *tree) place(id string, first, last int) {
	if n := len(t.entries) - 1; n >= 0 && t.entries[n].id == id {
		t.entries[n].first, t.entries[n].last = first, last
	}
}

// numbers returns which messages of a session stood in an entry; see treeEntry.
func (t *tree) numbers(id, key string) (first, last int, ok bool) {
	e, n := t.entry(id), t.find(id)
	if n == nil || n.key != key || e.first == 0 {
		return 0, 0, false
	}
	return e.first, e.last, true
}

// shift follows messages after a number of a session into another one.
func (t *tree) shift(from string, after int, to string, by int) {
	moved := make(map[int]bool)
	for i := range t.nodes {
		if n := &t.nodes[i]; n.key == from && n.last > after {
			n.key, n.last = to, n.last+by
			moved[i+t.forgot] = true
		}
	}
	for i := range t.entries {
		if e := &t.entries[i]; e.first > 0 && moved[e.node] {
			e.first, e.last = e.first+by, e.last+by
		}
	}
}

// sealed reports whether an entry with that id and digest is known.
func (t *tree) sealed(id string, sum uint32) bool {
	entry := t.entry(id)
	return entry != nil && entry.sum == sum
}

// newest returns the last node of a session that is remembered, nil without one.
func (t *tree) newest(key string) *node {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if t.nodes[i].key == key {
			return &t.nodes[i]
		}
	}
	return nil
}

// add remembers an entry that begins a node, whose last message has that
// number in its session.
func (t *tree) add(id, key string, last int) {
	if id == "" || len(id) > maxEntryID {
		return
	}
	t.nodes = append(t.nodes, node{id, key, last})
	t.link(id, t.forgot+len(t.nodes)-1)
	if len(t.nodes) >= 2*maxEntries {
		over := len(t.nodes) - maxEntries
		t.nodes = append(t.nodes[:0], t.nodes[over:]...)
		t.forgot += over
	}
}

// join remembers an entry that belongs to a node. last is the number of its
// last message, 0 if it gave none.
func (t *tree) join(id string, n *node, last int) {
	if n == nil {
		return
	}
	n.last = max(n.last, last)
	if id == "" || len(id) > maxEntryID {
		return
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if &t.nodes[i] == n {
			t.link(id, t.forgot+i)
			return
		}
	}
}

func (t *tree) link(id string, node int) {
	if t.byID == nil {
		t.byID = map[string]int{}
	}
	t.spent = max(0, t.spent-maxMoves)
	t.entries = append(t.entries, treeEntry{id: id, node: node})
	t.byID[id] = t.dropped + len(t.entries) - 1
	if len(t.entries) < 2*maxEntries {
		return
	}
	over := len(t.entries) - maxEntries
	for i, e := range t.entries[:over] {
		if t.byID[e.id] == t.dropped+i {
			delete(t.byID, e.id)
		}
	}
	t.entries = append(t.entries[:0], t.entries[over:]...)
	t.dropped += over
}

// root returns the key of the session whose main path a branch left.
func (t *tree) root(key string) string {
	b := t.branch(key)
	for n := 0; b != nil && n < maxBranches; n++ {
		key, b = b.parent, t.branch(b.parent)
	}
	return key
}

// branch returns the branch with that key, nil if it is none, or too old.
func (t *tree) branch(key string) *branch {
	for i := range t.branches {
		if b := &t.branches[i]; b.key == key && b.kind == Branch {
			return b
		}
	}
	return nil
}

// leave remembers where a session belongs.
func (t *tree) leave(b branch) {
	if len(t.branches) == maxBranches {
		t.branches = append(t.branches[:0], t.branches[1:]...)
	}
	t.branches = append(t.branches, b)
}

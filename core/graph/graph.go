// Package graph holds conversations that are edited, and keeps the books: what
// was written first, which answers a model gave to exactly which context, what
// may train.
//
// A Conversation is a list of messages with versions and branches. A change
// that an answer depends on leaves the old version as it was and makes another
// one; any other change replaces the list in place. Nodes, which are messages
// after exactly their prefix, are shared among versions and conversations, so
// that each answer of a model trains once.
//
// The package is pure: no database, no files, no screen.
package graph

import (
	"fmt"
	"slices"

	"winnow/core/chat"
)

// Main is the branch that each conversation has from its beginning.
const Main = "main"

// Verdict is what was judged of a version.
type Verdict string

// The verdicts. Pending is the absence of one.
const (
	Pending  Verdict = ""
	Approved Verdict = "approved"
	Rejected Verdict = "rejected"
)

// Why says what a change of a message is for.
type Why int

const (
	// Fix mends a message. What it said may still be the rejected side of a
	// pair.
	Fix Why = iota
	// Redact takes out what must never be seen: all that was ever said at the
	// place is sealed, in all conversations.
	Redact
)

// Graph is a set of conversations that share nodes. The zero Graph is empty and
// ready. It is not safe for concurrent use.
type Graph struct {
	conversations []*Conversation
	sampled       map[NodeID]bool
	sealed        map[Saying]bool
}

// Conversation is a list of messages with its versions and branches. Methods
// that change it refuse what makes no sense with an error, and change nothing
// then. Positions count from 0.
type Conversation struct {
	graph    *Graph
	name     string
	of       *place // the place of another conversation it belongs to, or nil
	versions []*version
	branches []*branch
	current  *branch
	broke    bool
}

// branch stands on a version.
type branch struct {
	name string
	on   *version
}

// Open adds an empty conversation. It fails if the name is taken.
func (g *Graph) Open(name string) (*Conversation, error) { return g.open(name, nil) }

// OpenIn adds an empty conversation that belongs to the place of message at in
// the head of parent, as a sub-agent's does to the result of a tool. It stays
// with that place, whatever becomes of the message.
func (g *Graph) OpenIn(name string, parent *Conversation, at int) (*Conversation, error) {
	if err := parent.within(at, 1); err != nil {
		return nil, err
	}
	return g.open(name, parent.head()[at].place)
}

func (g *Graph) open(name string, of *place) (*Conversation, error) {
	if name == "" {
		return nil, fmt.Errorf("a conversation needs a name")
	}
	if g.Conversation(name) != nil {
		return nil, fmt.Errorf("there is a conversation %q already", name)
	}
	first := &version{}
	main := &branch{name: Main, on: first}
	c := &Conversation{graph: g, name: name, of: of, versions: []*version{first}, branches: []*branch{main}, current: main}
	g.conversations = append(g.conversations, c)
	return c, nil
}

// Conversation returns the conversation of that name, or nil.
func (g *Graph) Conversation(name string) *Conversation {
	for _, c := range g.conversations {
		if c.name == name {
			return c
		}
	}
	return nil
}

// Sealed reports whether m says what a redaction took out.
func (g *Graph) Sealed(m *chat.Message) bool { return len(g.sealed) > 0 && g.sealed[SayingOf(m)] }

// Nested is where a conversation belongs in another one.
type Nested struct {
	Of, Name string
	At       int // the position in the head of Of
}

// Nested returns the conversations that belong to a place of another one's
// head, in the order in which they were opened.
func (g *Graph) Nested() []Nested {
	var found []Nested
	for _, c := range g.conversations {
		if c.of == nil {
			continue
		}
		for _, outer := range g.conversations {
			at := slices.IndexFunc(outer.head(), func(e entry) bool { return e.place == c.of })
			if at >= 0 {
				found = append(found, Nested{Of: outer.name, Name: c.name, At: at})
			}
		}
	}
	return found
}

// Name returns the name the conversation was opened with.
func (c *Conversation) Name() string { return c.name }

// Len returns the number of messages of the head.
func (c *Conversation) Len() int { return len(c.head()) }

// At returns a copy of message i of the head. It panics if there is none.
func (c *Conversation) At(i int) chat.Message { return clone(*c.head()[i].message) }

// Sampled reports whether a model wrote message i of the head to exactly what
// stands before it.
func (c *Conversation) Sampled(i int) bool { return c.graph.sampled[c.head()[i].node] }

// Broke reports whether the last change broke a prefix: whether an answer stood
// at or after the first message that differs.
func (c *Conversation) Broke() bool { return c.broke }

// Versions returns how many versions there are, and which of them is the head.
func (c *Conversation) Versions() (n, head int) {
	return len(c.versions), slices.Index(c.versions, c.current.on)
}

// Version returns copies of the messages of a version.
func (c *Conversation) Version(i int) []chat.Message { return messages(c.versions[i].entries) }

// Branches returns for each branch the position of the version it stands on.
func (c *Conversation) Branches() map[string]int {
	on := make(map[string]int, len(c.branches))
	for _, b := range c.branches {
		on[b.name] = slices.Index(c.versions, b.on)
	}
	return on
}

func (c *Conversation) head() []entry { return c.current.on.entries }

func messages(entries []entry) []chat.Message {
	list := make([]chat.Message, len(entries))
	for i, e := range entries {
		list[i] = clone(*e.message)
	}
	return list
}

// within refuses a range that is empty or does not lie in the head.
func (c *Conversation) within(at, count int) error {
	switch n := c.Len(); {
	case at < 0 || at >= n:
		return fmt.Errorf("message %d is not among the %d of %q", at, n, c.name)
	case count < 1 || count > n-at:
		return fmt.Errorf("%d messages from %d on are not among the %d of %q", count, at, n, c.name)
	}
	return nil
}

// between refuses a position that is not in front of, between or after messages.
func (c *Conversation) between(at int) error {
	if at < 0 || at > c.Len() {
		return fmt.Errorf("position %d is outside of the %d messages of %q", at, c.Len(), c.name)
	}
	return nil
}

func checkRole(m *chat.Message) error {
	switch m.Role {
	case chat.System, chat.User, chat.Assistant, chat.Tool:
		return nil
	}
	return fmt.Errorf("%q is no role; there are system, user, assistant and tool", m.Role)
}

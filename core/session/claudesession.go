package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// read delivers what a message holds, after the entry it follows.
func (c *claude) read(role chat.Role, content []byte, a *spoken) outcome {
	if content != nil && !rawjson.IsNull(content) && !rawjson.IsText(content) && !rawjson.IsList(content) {
		return bad("content is not text: " + rawjson.Kind(content))
	}
	tree, digest := &c.mem.tree, sum(content)
	if c.id != "" && tree.sealed(c.id, digest) {
		return skipped("recorded before")
	}
	t := c.thread()
	answers, others := false, true
	if role != chat.Assistant && rawjson.IsList(content) {
		answers, others = resultsIn(c.o.parts(content))
	}
	adds := a != nil && a.turn != "" && t.hasLast && t.sent && turnID(&t.last) == a.turn
	if n := tree.find(c.parent); answers && n != nil && n.key != t.key && tree.root(n.key) == t.key {
		t = c.mem.thread(n.key) // of a call that was given up
	}
	c.use(t)
	if !answers && !adds {
		c.follows = c.parent
	}
	if c.compact {
		c.kept = c.keeps(t, role, content)
	}
	before, number := c.sent, t.messages-t.after
	gave := c.give(role, content, a)
	if !adds && gave && t.messages <= c.sent-before {
		c.facts(t)
	}
	if c.compact && gave {
		t.compact(c.kept)
	}
	c.link(t, gave, adds || answers && !others)
	tree.seal(c.id, digest)
	if adds {
		tree.place(c.id, number, number)
	} else if gave {
		tree.place(c.id, t.messages-(c.sent-before)+1, t.messages)
	}
	if a != nil {
		c.answered(t, a)
	}
	return readIf(gave)
}

// resultsIn tells whether results stand in a content list, and whether
// anything else does.
func resultsIn(parts partWalk) (results, others bool) {
	for p := parts.next(); p != nil; p = parts.next() {
		if strings.HasSuffix(p.kind, "tool_result") {
			results = true
		} else {
			others = true
		}
	}
	return results, others
}

// give delivers the messages of a content, and reports whether it gave any.
func (c *claude) give(role chat.Role, content []byte, a *spoken) bool {
	m := c.entry.message(role)
	m.NativeID, m.ParentID, m.Timestamp = c.id, c.parent, c.time
	if role == chat.User && rawjson.IsList(content) {
		m.Child = c.childOf()
	}
	if c.compact {
		m.Marks |= chat.MarkCompaction
		m.Kept = c.kept
	}
	if a != nil {
		m.TurnID, m.Model, m.StopReason = a.turn, a.model, a.stop
	}
	return c.blocks(c.o, m, content, c.entry)
}

// link puts the entry into the tree. It belongs to the newest node if it adds
// to that, and to the one it follows if it gave nothing.
func (c *claude) link(t *thread, gave, adds bool) {
	tree := &c.mem.tree
	newest := tree.newest(t.key)
	switch {
	case !gave && !adds:
		c.pass()
	case newest != nil && (adds || c.compact):
		tree.join(c.id, newest, t.messages)
	default:
		tree.add(c.id, t.key, t.messages)
	}
}

// pass remembers an entry that gave no message as one with what it follows, so
// that what follows it finds its place.
func (c *claude) pass() {
	tree := &c.mem.tree
	if c.id == "" || tree.find(c.id) != nil {
		return
	}
	if n := tree.find(c.parent); n != nil {
		tree.join(c.id, n, 0)
		tree.place(c.id, n.last+1, n.last)
		return
	}
	if c.side {
		return
	}
	t := c.main()
	if n := tree.newest(t.key); n != nil && n.last == t.messages {
		tree.join(c.id, n, 0)
		tree.place(c.id, n.last+1, n.last)
		return
	}
	tree.add(c.id, t.key, t.messages)
	tree.place(c.id, t.messages+1, t.messages)
	if n := tree.find(c.id); n != nil && t.messages == 0 && c.parent != "" && len(c.parent) <= maxEntryID {
		n.id = c.parent // Entries.Place tells it
	}
}

// thread returns the session that a message of the entry belongs to.
func (c *claude) thread() *thread {
	if c.side && c.document == nil {
		return c.sidechain()
	}
	return c.main()
}

// main returns the session of the entry's sessionId; that of the line before
// if it has none.
func (c *claude) main() *thread {
	m := c.mem
	if c.document != nil {
		return c.document
	}
	t := m.native(c.session)
	if t == nil && c.session == "" && m.hasStream {
		if t = m.thread(m.stream); t.side {
			t = nil
		}
	}
	if t == nil {
		if t = c.vacant(); t == nil {
			key := "s=" + c.session
			if !m.first || c.session == "" {
				key = c.newKey()
			}
			t = m.thread(key)
		}
		if t.native = c.session; t.native == "" {
			t.native = unnamed
		}
	}
	m.hasStream, m.stream = true, t.key
	return t
}

// native returns the session of that id that is no sidechain, nil without one.
func (m *memory) native(id string) *thread {
	for i := len(m.threads) - 1; i >= 0 && id != ""; i-- {
		if t := m.threads[i]; t.native == id && !t.side {
			return m.touch(i)
		}
	}
	return nil
}

// unnamed is the id of a session none of whose lines had one so far.
const unnamed = "?"

// nativeID is the recorder's id of the session, "" if its lines tell none, or
// only the part of it that names a sub-agent.
func (t *thread) nativeID() string {
	if t.native == unnamed || strings.HasPrefix(t.native, "/") {
		return ""
	}
	return t.native
}

// vacant returns the session that lines without a session id began, or of
// which there is nothing yet: it is the one of the first id that comes.
func (c *claude) vacant() *thread {
	if !c.mem.hasStream {
		return nil
	}
	t := c.mem.thread(c.mem.stream)
	if t.side || t.native != unnamed && (t.native == "" || t.messages > 0 || t.titled > 0) {
		return nil
	}
	return t
}

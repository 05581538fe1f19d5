package session

import (
	"strings"

	"winnow/core/rawjson"
)

// sidechain returns the session of what a sub-agent says: the one with its id,
// else the one that the entry before it belongs to. A text without either
// begins another.
func (c *claude) sidechain() *thread {
	m := c.mem
	if c.agent != "" {
		for i := len(m.threads) - 1; i >= 0; i-- {
			if t := m.threads[i]; t.side && t.isAgent(c.session, c.agent) {
				return m.touch(i)
			}
		}
		return c.newSide(c.agent)
	}
	if n := m.tree.find(c.parent); n != nil {
		if t := m.known(m.tree.root(n.key)); t != nil && t.side {
			return t
		}
	}
	if !c.speaks() {
		for i := len(m.threads) - 1; i >= 0; i-- {
			if t := m.threads[i]; t.side && t.isAgent(c.session, "") {
				return m.touch(i)
			}
		}
	}
	return c.newSide(c.id)
}

// isAgent reports whether a session is that of a sub-agent, or with "" of any
// sub-agent, of the session with that id.
func (t *thread) isAgent(session, agent string) bool {
	rest, ok := strings.CutPrefix(t.native, session)
	return ok && strings.HasPrefix(rest, "/") && (agent == "" || rest[1:] == agent)
}

// speaks reports whether the entry is what a sub-agent was told.
func (c *claude) speaks() bool {
	if c.kind != "user" {
		return false
	}
	content := rawjson.Get(c.in.Get("message"), "content")
	if !rawjson.IsList(content) {
		return content != nil
	}
	results, _ := resultsIn(c.o.parts(content))
	return !results
}

// newSide begins the session of a sub-agent. In a file of its own it is a
// session like any other; else it belongs to the one that started it.
func (c *claude) newSide(id string) *thread {
	m := c.mem
	parent := c.parentOf()
	var t *thread
	if parent == nil {
		if t = c.vacant(); t != nil && t.messages > 0 {
			t = nil
		}
		if t == nil && !m.first {
			t = m.thread(c.newKey())
			m.hasStream, m.stream = true, t.key
		}
	}
	if t == nil {
		t = m.thread(c.newChild(id))
	}
	t.side, t.native = true, c.session+"/"+id
	return t
}

// parentOf returns the session of the source that started the sub-agent, nil
// if that is elsewhere.
func (c *claude) parentOf() *thread {
	m := c.mem
	t := m.native(c.session)
	if c.session == "" && m.hasStream {
		t = m.known(m.stream)
	}
	if t == nil || t.side || t.messages == 0 {
		return nil
	}
	return t
}

// task finds where a sub-agent belongs, once its first message is there.
func (c *claude) task(t *thread) Origin {
	tree := &c.mem.tree
	for i := range tree.branches {
		if b := &tree.branches[i]; b.key == t.key && b.kind == Subagent {
			return b.origin()
		}
	}
	parent := c.parentOf()
	if parent == nil {
		if c.session == "" {
			return Origin{}
		}
		return Origin{Kind: Subagent, NativeID: c.session}
	}
	b := branch{key: t.key, parent: parent.key, at: parent.messages, kind: Subagent}
	call := parent.starts(promptSum(c.msg.Content))
	if c.started {
		b.call, call = c.agent, parent.open(c.agent)
	}
	if call != nil {
		b.at, b.call, call.task = call.at, call.id, taskTaken
	} else if n := tree.find(c.parent); n != nil && n.key == parent.key {
		b.at = n.last
	}
	tree.leave(b)
	return b.origin()
}

// taskTaken is the task of a call whose sub-agent was found.
const taskTaken = 1

// promptSum is the digest of what a sub-agent is told, none of the values that
// mean something else.
func promptSum(prompt string) uint32 { return sum([]byte(strings.TrimSpace(prompt))) | 2 }

// tasked remembers that an open call gives a task to a sub-agent.
func (t *thread) tasked(id string, task uint32) {
	if call := t.open(id); call != nil && call.task == 0 {
		call.task = task
	}
}

// open returns the newest open call with that id, nil without one.
func (t *thread) open(id string) *openCall {
	for i := len(t.calls) - 1; i >= 0; i-- {
		if t.calls[i].id == id {
			return &t.calls[i]
		}
	}
	return nil
}

// starts returns the open call that started a sub-agent with that task: the
// oldest that gives it, else the newest that gives any; nil without one.
func (t *thread) starts(task uint32) *openCall {
	var newest *openCall
	for i := range t.calls {
		switch call := &t.calls[i]; call.task {
		case task:
			return call
		case 0, taskTaken:
		default:
			newest = call
		}
	}
	return newest
}

package session

import (
	"slices"
	"strconv"
)

// goOn makes the entry named parent the end of its session's main path. If the
// entry is not known, or belongs to another session than the one with the key
// main, nothing changes.
func (e *entry) goOn(main, parent string) {
	t := &e.mem.tree
	n := t.find(parent)
	if n == nil || t.root(n.key) != main || n.key == main && n.last >= e.mem.thread(main).messages {
		return
	}
	e.goBack(main, n.key, n.last)
}

const noteRestless = "goes back too often, taken to follow the newest message"

// goBack makes message number at of a session the end of the main path: all
// that comes after it and after the forks that lead to it becomes branches,
// and the branches on the way become part of the path. A source that goes back
// too often stays where it is.
func (e *entry) goBack(main, key string, at int) {
	t := &e.mem.tree
	if t.spent > maxSpent {
		e.note(noteRestless, "")
		return
	}
	var way []branch // from the session to the main path; cutting forgets old ones
	for b := t.branch(key); b != nil && len(way) < maxBranches; b = t.branch(b.parent) {
		way = append(way, *b)
	}
	e.cut(key, at)
	for _, b := range way {
		e.cut(b.parent, b.at)
	}
	for _, b := range slices.Backward(way) {
		e.move(b.key, 0, main)
		t.branches = slices.DeleteFunc(t.branches, func(have branch) bool { return have.key == b.key && have.kind == Branch })
	}
}

// cut makes what stands after message number at of a session a branch, if
// there is anything.
func (e *entry) cut(key string, at int) {
	if at >= e.mem.thread(key).messages {
		return
	}
	t := &e.mem.tree
	first := ""
	for i := range t.nodes {
		if n := &t.nodes[i]; n.key == key && n.last > at {
			first = n.id
			break
		}
	}
	if first == "" {
		return // not remembered, so that it can't be named
	}
	b := branch{key: e.newChild(first), parent: key, at: at, kind: Branch}
	e.move(key, at, b.key)
	t.leave(b)
	e.tellTo(e.mem.thread(b.key), Meta{NativeID: first})
	e.tellOrigin(&b)
}

// tellOrigin tells where a session belongs.
func (e *entry) tellOrigin(b *branch) {
	if e.err == nil {
		e.err = e.sink.Meta(b.key, Meta{Origin: b.origin()})
	}
}

// newChild returns the key of a session whose first entry has that id.
func (e *entry) newChild(id string) string {
	t := &e.mem.tree
	key := "b=" + id
	taken := slices.ContainsFunc(t.branches, func(b branch) bool { return b.key == key || b.parent == key })
	if have := e.mem.known(key); taken || have != nil && have.messages > 0 {
		t.named++
		key += "." + strconv.Itoa(t.named)
	}
	return key
}

// move moves what stands after message number after of a session to the end
// of another.
func (e *entry) move(from string, after int, to string) {
	e.keep(e.amendLast())
	t := &e.mem.tree
	source, target := e.mem.thread(from), e.mem.thread(to)
	shift := target.messages - after
	if source.messages > after && e.err == nil {
		e.err = e.sink.Move(from, after, to)
	}
	t.spent += source.messages
	target.messages += source.messages - after
	source.messages = after
	source.forget()
	target.forget()
	if after == 0 {
		source.told, source.model, source.titled = "", "", 0 // the sink knows nothing of an empty session
	}
	source.handCalls(target, after, shift)
	source.handCompactions(target, after, shift)
	t.shift(from, after, to, shift)
	for i := range t.branches {
		if b := &t.branches[i]; b.parent == from && b.at > after {
			b.parent, b.at = to, b.at+shift
			e.tellOrigin(b)
		}
	}
}

// handCalls hands the open calls after a message over to another session.
func (t *thread) handCalls(to *thread, after, shift int) {
	kept := t.calls[:0]
	for _, c := range t.calls {
		if c.at <= after {
			kept = append(kept, c)
			continue
		}
		c.at += shift
		to.calls = append(to.calls, c)
	}
	t.calls, to.turn = kept, max(to.turn, t.turn)
}

package session

import (
	"bytes"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// callOf opens one call of a tool, which has its result; ok is false for what
// is none.
func (g *gemini) callOf(val []byte) (n *rawjson.Object, ok bool) {
	n = g.open(inner, val)
	return n, g.name(n.Get("name")) != ""
}

// call adds one call. What is no call is kept as text.
func (g *gemini) call(m *chat.Message, val []byte) {
	n := g.open(inner, val)
	g.addCall(m, val, n.Get("id"), n.Get("name"), n.Get("args"))
}

// results delivers the results of calls as tool messages, in the order of the
// calls. again says that the answer was recorded before: then only those that
// are not given yet.
func (g *gemini) results(list []byte, again bool) (gave bool) {
	given := 0
	if again {
		given = g.t.after
	}
	nth := 1
	for val := range rawjson.Elements(list) {
		n, ok := g.callOf(val)
		if !ok {
			continue
		}
		if !again || g.waits(n.Get("id"), nth > given) {
			m := g.message(chat.Tool)
			m.ToolCallID, m.Name = rawjson.Recorded(n.Get("id")), g.name(n.Get("name"))
			m.Timestamp, m.Child = stamp(n.Get("timestamp")), textual(n.Get("agentId"))
			if g.result(m, n) {
				gave = g.deliver(m) || gave
			}
		}
		nth++
	}
	return gave
}

// waits reports whether a call of the message remembered last has no result
// yet; without an id, fresh tells.
func (g *gemini) waits(id []byte, fresh bool) bool {
	if rawjson.IsNull(id) {
		return fresh
	}
	return g.t.open(rawjson.Recorded(id)) != nil
}

// result sets the text of a tool message from its call, and reports whether
// that has a result.
func (g *gemini) result(m *chat.Message, n *rawjson.Object) (has bool) {
	status := textual(n.Get("status"))
	m.IsError = status == "error"
	own := hasOwn(n)
	g.parts(n.Get("result"), func(name string, val []byte) {
		switch name {
		case "functionResponse":
			if r := g.open(innermost, val); !own || bytes.Equal(r.Get("id"), n.Get("id")) {
				has = true
				g.response(m, r)
			}
		case "thought":
			g.text.text(val, "\n")
		default:
			m.Marks |= g.media(name, val)
		}
	})
	has = has || g.text.n > 0
	if !has && (status == "success" || status == "error" || status == "cancelled") {
		if shown := textual(n.Get("resultDisplay")); shown != "" { // what the user was shown is all that is left
			has = true
			g.text.add(shown, "\n")
		}
	}
	m.Content = g.text.take()
	return has
}

// hasOwn reports whether a result of several parts names its call. It may then
// hold those of the calls beside it too, which don't count.
func hasOwn(n *rawjson.Object) bool {
	id, result := n.Get("id"), n.Get("result")
	if rawjson.IsNull(id) || !rawjson.IsList(result) {
		return false
	}
	c := rawjson.Within(result)
	if _, ok := c.Element(); !ok || !c.More() {
		return false
	}
	for val := range rawjson.Elements(result) {
		if bytes.Equal(rawjson.Get(rawjson.Get(val, "functionResponse"), "id"), id) {
			return true
		}
	}
	return false
}

// response adds the text of what a tool answered: its output, else its error,
// else all of it as JSON.
func (g *gemini) response(m *chat.Message, r *rawjson.Object) {
	all := r.Get("response")
	output, failure := rawjson.Get(all, "output"), rawjson.Get(all, "error")
	switch {
	case !rawjson.IsNull(output):
		g.addValue(output)
	case !rawjson.IsNull(failure):
		m.IsError = true
		g.addValue(failure)
	default:
		g.addValue(all)
	}
	g.parts(r.Get("parts"), func(name string, val []byte) { m.Marks |= g.media(name, val) })
}

// addValue adds a text, or the JSON of any other value.
func (g *gemini) addValue(val []byte) {
	switch {
	case rawjson.IsNull(val):
	case rawjson.IsText(val):
		g.text.text(val, "\n")
	default:
		g.text.recorded(val, "\n")
	}
}

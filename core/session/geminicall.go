package session

import (
	"bytes"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// geminiCall is one call of a tool with its result, its values as recorded.
type geminiCall struct {
	id, name, args, result, display, timestamp, agent []byte
	status                                            string
}

// geminiCallOf reads a call; ok is false for what is none.
func geminiCallOf(val []byte) (n geminiCall, ok bool) {
	if !rawjson.IsObject(val) {
		return n, false
	}
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "id":
			n.id = val
		case "name":
			n.name = val
		case "args":
			n.args = val
		case "result":
			n.result = val
		case "resultDisplay":
			n.display = val
		case "timestamp":
			n.timestamp = val
		case "agentId":
			n.agent = val
		case "status":
			n.status = textual(val)
		}
	}
	return n, rawjson.IsText(n.name) && len(n.name) > len(`""`)
}

// calls adds the calls of an answer.
func (g *gemini) calls(m *chat.Message, list []byte) {
	for val := range rawjson.Elements(list) {
		if !rawjson.IsNull(val) {
			g.call(m, val)
		}
	}
}

// call adds one call. What is no call is kept as text.
func (g *gemini) call(m *chat.Message, val []byte) {
	n, ok := geminiCallOf(val)
	if !ok {
		m.Marks |= chat.MarkMalformedCall
		g.note(noteMalformed, "")
		g.text.recorded(val, "\n")
		return
	}
	m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: rawjson.Recorded(n.id), Name: g.names.text(n.name), Arguments: rawjson.Recorded(n.args)})
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
		n, ok := geminiCallOf(val)
		if !ok {
			continue
		}
		if !again || g.open(n.id, nth > given) {
			m := g.message(chat.Tool)
			m.ToolCallID, m.Name = rawjson.Recorded(n.id), g.names.text(n.name)
			m.Timestamp, m.Child = stamp(n.timestamp), textual(n.agent)
			if g.result(m, &n) {
				gave = g.deliver(m) || gave
			}
		}
		nth++
	}
	return gave
}

// open reports whether a call of the message remembered last has no result
// yet; without an id, fresh tells.
func (g *gemini) open(id []byte, fresh bool) bool {
	if rawjson.IsNull(id) {
		return fresh
	}
	want := rawjson.Recorded(id)
	for i := range g.t.calls {
		if g.t.calls[i].id == want {
			return true
		}
	}
	return false
}

// result sets the text of a tool message from its call, and reports whether
// that has a result.
func (g *gemini) result(m *chat.Message, n *geminiCall) (has bool) {
	m.IsError = n.status == "error"
	own := g.hasOwn(n)
	g.parts(n.result, func(name string, val []byte) {
		switch name {
		case "functionResponse":
			if r := geminiResponseOf(val); !own || bytes.Equal(r.id, n.id) {
				has = true
				g.response(m, &r)
			}
		case "thought":
			g.text.text(val, "\n")
		default:
			m.Marks |= g.media(name, val)
		}
	})
	has = has || g.text.n > 0
	if !has && rawjson.IsText(n.display) && len(n.display) > len(`""`) {
		switch n.status {
		case "success", "error", "cancelled": // what the user was shown is all that is left
			has = true
			g.text.text(n.display, "\n")
		}
	}
	m.Content = g.text.take()
	return has
}

// hasOwn reports whether a result of several parts names its call. It may then
// hold those of the calls beside it too, which don't count.
func (g *gemini) hasOwn(n *geminiCall) bool {
	if rawjson.IsNull(n.id) || !rawjson.IsList(n.result) {
		return false
	}
	c := rawjson.Within(n.result)
	if _, ok := c.Element(); !ok || !c.More() {
		return false
	}
	for val := range rawjson.Elements(n.result) {
		if bytes.Equal(rawjson.Get(rawjson.Get(val, "functionResponse"), "id"), n.id) {
			return true
		}
	}
	return false
}

// geminiResponse is what a tool answered, its values as recorded.
type geminiResponse struct{ id, name, response, parts []byte }

func geminiResponseOf(val []byte) (r geminiResponse) {
	if !rawjson.IsObject(val) {
		return r
	}
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "id":
			r.id = val
		case "name":
			r.name = val
		case "response":
			r.response = val
		case "parts":
			r.parts = val
		}
	}
	return r
}

// response adds the text of what a tool answered: its output, else its error,
// else all of it as JSON.
func (g *gemini) response(m *chat.Message, r *geminiResponse) {
	var output, failure []byte
	for name, val := range rawjson.Members(r.response) {
		switch string(name) {
		case "output":
			output = val
		case "error":
			failure = val
		}
	}
	switch {
	case !rawjson.IsNull(output):
		g.textOrJSON(output)
	case !rawjson.IsNull(failure):
		m.IsError = true
		g.textOrJSON(failure)
	default:
		g.textOrJSON(r.response)
	}
	g.parts(r.parts, func(name string, val []byte) { m.Marks |= g.media(name, val) })
}

// textOrJSON adds a text, or the JSON of any other value.
func (g *gemini) textOrJSON(val []byte) {
	switch {
	case rawjson.IsNull(val):
	case rawjson.IsText(val):
		g.text.text(val, "\n")
	default:
		g.text.recorded(val, "\n")
	}
}

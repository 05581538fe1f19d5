package session

import (
	"bytes"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// openAICalls adds the calls of a list. What is no call is kept as text.
func (e *entry) openAICalls(m *chat.Message, val []byte) {
	switch {
	case rawjson.IsNull(val):
		return
	case rawjson.IsObject(val):
		e.openAICall(m, val)
		return
	case !rawjson.IsList(val):
		e.malformedCall(m, val)
		return
	}
	for call := range rawjson.Elements(val) {
		switch {
		case rawjson.IsObject(call):
			e.openAICall(m, call)
		case !rawjson.IsNull(call):
			e.malformedCall(m, call)
		}
	}
}

// openAICall adds one call; what has no name is none, and kept as text.
func (e *entry) openAICall(m *chat.Message, obj []byte) {
	call, ok := e.readCall(obj)
	if !ok {
		e.malformedCall(m, obj)
		return
	}
	m.ToolCalls = append(m.ToolCalls, call)
}

// readCall reads a call: {"id","function":{"name","arguments"}}, the same
// without the inner object, or a custom tool's {"custom":{"name","input"}}.
func (e *entry) readCall(obj []byte) (call chat.ToolCall, ok bool) {
	if !rawjson.IsObject(obj) {
		return call, false
	}
	var arguments []byte
	inner := obj
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "id":
			call.ID = rawjson.Recorded(val)
		case "function", "custom":
			if rawjson.IsObject(val) {
				inner = val
			}
		}
	}
	for name, val := range rawjson.Members(inner) {
		switch string(name) {
		case "name":
			call.Name = ""
			if rawjson.IsText(val) {
				call.Name = e.names.text(val)
			}
		case "arguments", "input", "parameters":
			arguments = val
		}
	}
	if call.Name == "" {
		return call, false
	}
	call.Arguments = rawjson.Recorded(arguments)
	if e.exact && len(arguments) > 0 && rawjson.IsNull(arguments) {
		call.Arguments = string(arguments)
	}
	return call, true
}

const noteMalformed = "malformed tool call, kept as text"

// malformedCall keeps what was recorded in place of a call as text, after the
// content.
func (e *entry) malformedCall(m *chat.Message, val []byte) {
	e.behind(m)
	m.Marks |= chat.MarkMalformedCall
	e.text.recorded(val, "\n")
	e.note(noteMalformed, "")
}

// addCall adds a call to a message. What has no name is no call, and kept as
// it was recorded.
func (e *entry) addCall(m *chat.Message, val, id, name, arguments []byte) {
	if called := e.name(name); called != "" {
		m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: rawjson.Recorded(id), Name: called, Arguments: rawjson.Recorded(arguments)})
		return
	}
	e.malformedCall(m, val)
}

// writtenCalls adds the calls that a text holds as JSON: one object, or a list
// of them. If any of it is no call, nothing is added and ok is false.
func (e *entry) writtenCalls(m *chat.Message, text string) (ok bool) {
	e.buf = append(e.buf[:0], text...)
	val := bytes.TrimSpace(e.buf)
	if !rawjson.IsObject(val) && !rawjson.IsList(val) || !e.valid(val) {
		return false
	}
	before := len(m.ToolCalls)
	if rawjson.IsObject(val) {
		if call, ok := e.readCall(val); ok {
			m.ToolCalls = append(m.ToolCalls, call)
		}
		return len(m.ToolCalls) > before
	}
	for obj := range rawjson.Elements(val) {
		call, ok := e.readCall(obj)
		if !ok {
			m.ToolCalls = m.ToolCalls[:before]
			return false
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	return len(m.ToolCalls) > before
}

// valid reports whether a text from inside of a value is JSON without defects.
// That it is UTF-8 is known.
func (e *entry) valid(b []byte) bool {
	return e.scan.Whole(b) && !e.scan.Flawed
}

// writtenPart adds the calls of a part that holds them as JSON text.
func (e *entry) writtenPart(m *chat.Message, p *part) {
	if p.text != nil && e.writtenCalls(m, rawjson.Unquote(p.text)) {
		return
	}
	if p.text == nil {
		e.malformedCall(m, p.raw)
		return
	}
	m.Marks |= chat.MarkMalformedCall
	e.note(noteMalformed, "")
	e.text.text(p.text, "\n")
}

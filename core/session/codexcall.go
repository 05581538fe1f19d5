package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// functionCall reads {"name","arguments"}, or the same in "function".
func (c *codexReader) functionCall(it *codexItem, obj []byte) outcome {
	if rawjson.IsObject(it.inside) {
		var in codexItem
		in.read(it.inside)
		if it.name == nil {
			it.name = in.name
		}
		if it.arguments == nil {
			it.arguments = in.arguments
		}
	}
	name := ""
	if rawjson.IsText(it.name) {
		name = c.names.text(it.name)
	}
	if space := textual(it.namespace); space != "" && name != "" {
		if !strings.HasSuffix(space, "_") {
			space += "."
		}
		name = space + name
	}
	return c.call(it, obj, name, rawjson.Recorded(it.arguments))
}

// freeform returns the input of a custom tool, which is any text, as the
// arguments that the function variant of such tools takes.
func freeform(input []byte) string {
	if !rawjson.IsText(input) {
		return rawjson.Recorded(input)
	}
	return `{"input":` + string(input) + `}`
}

// call adds a call to the model's answer. What has no name is kept as text.
func (c *codexReader) call(it *codexItem, obj []byte, name, arguments string) outcome {
	m := c.answer(it.id)
	if name == "" {
		c.malformedCall(m, obj)
		m.Content = c.text.take()
		return c.gave(m)
	}
	m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: it.call(), Name: name, Arguments: arguments})
	return c.gave(m)
}

// call returns the id by which results name the call.
func (it *codexItem) call() string {
	if !rawjson.IsNull(it.callID) {
		return rawjson.Recorded(it.callID)
	}
	return rawjson.Recorded(it.id)
}

// imageCall reads a call of the image generator, which holds its result.
func (c *codexReader) imageCall(it *codexItem, obj []byte) outcome {
	arguments := "{}"
	if rawjson.IsText(it.rePrompted) {
		arguments = `{"prompt":` + string(it.rePrompted) + `}`
	}
	out := c.call(it, obj, "image_generation", arguments)
	if !rawjson.IsText(it.result) || len(it.result) == len(`""`) {
		return out
	}
	m := c.message(chat.Tool)
	m.Content, m.Marks = placeholder(chat.MarkImage), chat.MarkImage
	return c.answered(m, it)
}

// answered delivers the result of a call.
func (c *codexReader) answered(m *chat.Message, it *codexItem) outcome {
	c.head(m, it.id)
	m.ToolCallID = it.call()
	if rawjson.IsText(it.name) {
		m.Name = c.names.text(it.name)
	}
	m.Child = spawned(m.Content)
	return c.gave(m)
}

// output reads the result of a call: text, a list of parts, or an object with
// either. Results that tell the exit code are JSON in a text, which stays.
func (c *codexReader) output(it *codexItem, val []byte) outcome {
	m := c.message(chat.Tool)
	switch {
	case rawjson.IsList(val):
		m.Content = c.listText(partWalk{rest: rawjson.Within(val)}, m)
	case rawjson.IsObject(val):
		c.outputObject(m, val)
	default:
		m.Content = rawjson.Recorded(val)
	}
	return c.answered(m, it)
}

// outputObject reads {"content","success"} or one part; any other object is
// kept as its JSON text.
func (c *codexReader) outputObject(m *chat.Message, obj []byte) {
	var content, kind []byte
	wrapped := false
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "success":
			wrapped, m.IsError = true, string(val) == "false"
		case "content", "content_items":
			if rawjson.IsText(val) || rawjson.IsList(val) {
				wrapped, content = true, val
			}
		case "type":
			kind = val
		}
	}
	var p part
	p.parse(obj, 0)
	_, known := partKind(p.kind)
	switch {
	case rawjson.IsList(content):
		m.Content = c.listText(partWalk{rest: rawjson.Within(content)}, m)
	case wrapped && rawjson.IsText(content):
		m.Content = rawjson.Unquote(content)
	case rawjson.IsText(kind) && (known || p.text != nil):
		c.addPart(&p, &m.Marks)
		m.Content = c.text.take()
	default:
		m.Content = string(obj)
	}
}

// spawned returns the id of the session that a result says was started.
func spawned(result string) string {
	id, ok := strings.CutPrefix(result, `{"agent_id":"`)
	if !ok {
		return ""
	}
	id, _, ok = strings.Cut(id, `"`)
	if !ok || len(id) > maxEntryID || strings.Contains(id, `\`) {
		return ""
	}
	return id
}

package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// functionCall reads {"name","arguments"}, or the same in "function".
func (c *codexReader) functionCall(it *rawjson.Object) outcome {
	in := c.open(inner, it.Get("function"))
	called, arguments := it.Get("name"), it.Get("arguments")
	if called == nil {
		called = in.Get("name")
	}
	if arguments == nil {
		arguments = in.Get("arguments")
	}
	name := c.name(called)
	if space := textual(it.Get("namespace")); space != "" && name != "" {
		if !strings.HasSuffix(space, "_") {
			space += "."
		}
		name = space + name
	}
	return c.call(it, name, rawjson.Recorded(arguments))
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
func (c *codexReader) call(it *rawjson.Object, name, arguments string) outcome {
	m := c.answer(it.Get("id"))
	if name == "" {
		c.malformedCall(m, it.In)
		m.Content = c.text.take()
		return c.given(m)
	}
	m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: callOf(it), Name: name, Arguments: arguments})
	return c.given(m)
}

// callOf returns the id by which results name a call.
func callOf(it *rawjson.Object) string {
	if id := it.Get("call_id"); !rawjson.IsNull(id) {
		return rawjson.Recorded(id)
	}
	return rawjson.Recorded(it.Get("id"))
}

// imageCall reads a call of the image generator, which holds its result.
func (c *codexReader) imageCall(it *rawjson.Object) outcome {
	arguments := "{}"
	if prompt := it.Get("revised_prompt"); rawjson.IsText(prompt) {
		arguments = `{"prompt":` + string(prompt) + `}`
	}
	out := c.call(it, "image_generation", arguments)
	if textual(it.Get("result")) == "" {
		return out
	}
	m := c.message(chat.Tool)
	m.Content, m.Marks = placeholder(chat.MarkImage), chat.MarkImage
	return c.answered(m, it)
}

// answered delivers the result of a call.
func (c *codexReader) answered(m *chat.Message, it *rawjson.Object) outcome {
	c.head(m, it.Get("id"))
	m.ToolCallID, m.Name, m.Child = callOf(it), c.name(it.Get("name")), spawned(m.Content)
	return c.given(m)
}

// output reads the result of a call: text, a list of parts, or an object with
// either. Results that tell the exit code are JSON in a text, which stays.
func (c *codexReader) output(it *rawjson.Object, val []byte) outcome {
	m := c.message(chat.Tool)
	if rawjson.IsObject(val) {
		c.outputObject(m, val)
	} else {
		m.Content = c.textOrJSON(m, val)
	}
	return c.answered(m, it)
}

// outputObject reads {"content","success"} or one part; any other object is
// kept as its JSON text.
func (c *codexReader) outputObject(m *chat.Message, obj []byte) {
	var content []byte
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "success":
			m.IsError = string(val) == "false"
		case "content", "content_items":
			if rawjson.IsText(val) || rawjson.IsList(val) {
				content = val
			}
		}
	}
	var p part
	p.parse(obj, 0)
	_, known := partKind(p.kind)
	switch {
	case content != nil:
		m.Content = c.textOrJSON(m, content)
	case rawjson.IsText(rawjson.Get(obj, "type")) && (known || p.text != nil):
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

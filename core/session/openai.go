package session

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// onlyOpenAI are the keys that no Anthropic-style recorder writes.
var onlyOpenAI = [...]string{"tool_calls", "function_call", "reasoning_content", "tool_call_id"}

// openAIEvidence reports whether a line can only be OpenAI-style.
func openAIEvidence(o *object) bool {
	return o.Has(onlyOpenAI[:]...) || isOpenAIField([]byte("role"), o.Get("role"))
}

// isOpenAIField reports whether a member of a message is such evidence.
func isOpenAIField(name, val []byte) bool {
	if string(name) == "role" {
		switch string(val) {
		case `"tool"`, `"function"`, `"developer"`:
			return true
		}
		return false
	}
	return slices.Contains(onlyOpenAI[:], string(name))
}

// acceptsOpenAI takes lines that look like a message, with a role that we do
// not know too (that is an issue to be told, not another format), and
// metadata lines. Those with nothing but a role may be known to be others'.
func acceptsOpenAI(o *object, m *memory, _ bool) bool {
	if isMetadata(o) {
		return true
	}
	role := o.Get("role")
	if role == nil || looksAnthropic(o, m.openai) {
		return false
	}
	if o.Has("content", "tool_calls", "function_call", "reasoning_content") {
		return true
	}
	_, _, ok := roleOf(role)
	return ok && known(o) == ""
}

func isMetadata(o *object) bool { return string(o.Get("_type")) == `"metadata"` }

func decodeOpenAI(o *object, e *entry) outcome {
	if isMetadata(o) {
		return e.metadata(o)
	}
	role, why, ok := roleOf(o.Get("role"))
	if !ok {
		return why
	}
	if !e.mem.openai && openAIEvidence(o) {
		e.mem.openai = true
	}
	e.stream()
	m, why, ok := e.openAIMessage(o, role)
	if !ok {
		return why
	}
	return e.given(m)
}

// openAIMessage reads a message in OpenAI's style. The outcome is only set if
// ok is false.
func (e *entry) openAIMessage(o *object, role chat.Role) (m *chat.Message, why outcome, ok bool) {
	m = e.message(role)
	var content, calls, oldCall, images []byte
	var reasoning [3][]byte // in the order in which they count
	for i := range o.Fields {
		name, val := o.At(i)
		switch string(name) {
		case "content":
			content = val
		case "tool_calls":
			calls = val
		case "function_call":
			oldCall = val
		case "reasoning_content":
			reasoning[0] = val
		case "reasoning":
			reasoning[1] = val
		case "thinking":
			reasoning[2] = val
		case "tool_call_id":
			m.ToolCallID = rawjson.Recorded(val)
		case "tool_call_ids": // SWE-agent, with one of them
			c := rawjson.Within(val)
			if id, _ := c.Element(); rawjson.IsText(id) && m.ToolCallID == "" {
				m.ToolCallID = rawjson.Unquote(id)
			}
		case "name", "tool_name":
			if role == chat.Tool && rawjson.IsText(val) {
				m.Name = e.names.text(val)
			}
		case "images": // beside the text, as Ollama has them
			images = val
		case "is_error":
			m.IsError = string(val) == "true"
		default:
			e.common(m, string(name), val)
		}
	}
	if why, ok := e.openAIContent(o, m, content); !ok {
		return nil, why, false
	}
	e.imagesBeside(m, images)
	for _, val := range reasoning {
		if m.Reasoning == "" && rawjson.IsText(val) {
			m.Reasoning = rawjson.Unquote(val)
		}
	}
	e.openAICalls(m, calls)
	if rawjson.IsObject(oldCall) {
		e.openAICall(m, oldCall)
	}
	if e.text.n > 0 {
		m.Content = e.text.take()
	}
	return m, outcome{}, true
}

// imagesBeside adds what a list of images beside the content leaves.
func (e *entry) imagesBeside(m *chat.Message, list []byte) {
	for range rawjson.Elements(list) {
		e.behind(m)
		m.Marks |= chat.MarkImage
		e.text.add(placeholder(chat.MarkImage), "\n")
	}
}

// after makes ready to add to the content of a message: what is added is
// collected first, as there may be much of it.
func (e *entry) behind(m *chat.Message) {
	if e.text.n == 0 && m.Content != "" {
		e.text.add(m.Content, "\n")
	}
}

// openAIContent sets the text of a message.
func (e *entry) openAIContent(o *object, m *chat.Message, val []byte) (why outcome, ok bool) {
	switch {
	case rawjson.IsNull(val):
	case rawjson.IsText(val):
		m.Content = rawjson.Unquote(val)
	case rawjson.IsList(val):
		m.Content = e.openAIParts(o.parts(val), m)
	case rawjson.IsObject(val) && m.Role == chat.Tool:
		m.Content = string(val)
		e.note("tool result is an object, kept as its JSON text", "")
	default:
		return bad("content is not text: " + rawjson.Kind(val)), false
	}
	return outcome{}, true
}

// openAIParts reads a content list. Some recorders have the reasoning and the
// calls of an assistant in it.
func (e *entry) openAIParts(parts partWalk, m *chat.Message) string {
	if m.Role != chat.Assistant {
		return e.listText(parts, m)
	}
	for p := parts.next(); p != nil; p = parts.next() {
		switch {
		case !p.object:
			e.bareText(p.raw)
		case p.kind == "reasoning" || p.kind == "thinking":
			e.reasoningPart(p)
		case p.kind == "redacted_thinking":
		case strings.HasSuffix(p.kind, "tool_use"):
			e.addCall(m, p.raw, p.id, p.name, p.input)
		case p.kind == "tool_call" || p.kind == "tool_calls":
			e.writtenPart(m, p)
		default:
			e.addPart(p, &m.Marks)
		}
	}
	m.Reasoning = e.reasons.take()
	return e.text.take()
}

// reasoningPart adds the text of a part that holds reasoning.
func (e *entry) reasoningPart(p *part) {
	text := p.text
	if rawjson.IsText(p.thinking) {
		text = p.thinking
	}
	if len(text) > len(`""`) {
		e.reasons.text(text, "\n\n")
	}
}

// metadata reads a line that tells about the session.
func (e *entry) metadata(o *object) outcome {
	e.stream()
	var meta Meta
	var extra strings.Builder
	separator := byte('{')
	for i := range o.Fields {
		name, val := o.At(i)
		switch string(name) {
		case "_type":
		case "key", "session_id":
			meta.NativeID = rawjson.Recorded(val)
		case "title":
			meta.Title = rawjson.Recorded(val)
		case "model":
			meta.Model = rawjson.Recorded(val)
		case "created_at":
			meta.Started = rawjson.Recorded(val)
		case "updated_at":
			meta.Ended = rawjson.Recorded(val)
		case "cwd":
			meta.Dir = rawjson.Recorded(val)
		case "tools":
			meta.Tools = rawjson.Recorded(val)
		case "completed":
			if rawjson.Kind(val) == "boolean" {
				meta.Completed = new(isTrue(val))
			}
		default:
			if rawjson.IsNull(val) || string(val) == "{}" {
				continue
			}
			extra.WriteByte(separator)
			separator = ','
			f := o.Fields[i]
			extra.Write(o.In[f.NameLo-1 : f.Hi])
		}
	}
	if extra.Len() > 0 {
		meta.Extra = extra.String() + "}"
	}
	return e.told(meta)
}

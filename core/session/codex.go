package session

import (
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// codexMemory is what is remembered of a Codex session.
type codexMemory struct {
	// headed says that the session with this key has metadata; forked, that
	// it began as a copy of another one.
	headed, forked bool
	key            string
	// items says that response items held messages: events that tell the same
	// are copies.
	items bool
	// readable says that the reasoning of the open answer came in a response
	// item and could be read: events that tell it are copies.
	readable bool
	// failed says that the sink was told that the session did not complete.
	failed bool
	model  string // of the turn
	total  Usage  // counted so far
	said   digest // of the newest message that came as an event
	saidAt int    // its number
}

// The lines of Codex CLI are {"timestamp","type","payload"}; early releases
// wrote the payload of response items bare, after a header without a type.
//
// A response item is what went to or came from the model; events tell some of
// it again for the screen. What the model says up to the first result is one
// answer: reasoning, text and calls are items of their own in a file, but the
// model gave them at once, and a trainer needs the call beside the reasoning
// that led to it.
func acceptsCodex(o *object, _ *memory, inForce bool) bool {
	kind := o.Get("type")
	switch {
	case rawjson.IsText(kind) && rawjson.IsObject(o.Get("payload")):
		return inForce || isCodexLine(rawjson.Inner(kind))
	case string(o.Get("record_type")) == `"state"`, isCodexHeader(o):
		return true
	case rawjson.IsText(kind):
		return isCodexItem(o, rawjson.Inner(kind), inForce)
	}
	// A drifted form: no type, and the text of a user stands in "message".
	return o.Has("created_at") && rawjson.IsText(o.Get("role")) && (inForce || rawjson.IsText(o.Get("message")) && !o.Has("content"))
}

func isCodexLine(kind []byte) bool {
	switch string(kind) {
	case "session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
		"inter_agent_communication", "inter_agent_communication_metadata":
		return true
	}
	return false
}

// isCodexHeader reports whether an object is the first line of an early file.
func isCodexHeader(o *object) bool {
	return o.Has("instructions") && rawjson.IsText(o.Get("id")) && rawjson.IsText(o.Get("timestamp")) && !o.Has("type", "role")
}

// isCodexItem reports whether an object is a bare response item. Some other
// agents write reasoning just so: that alone says nothing.
func isCodexItem(o *object, kind []byte, inForce bool) bool {
	switch string(kind) {
	case "message":
		if !rawjson.IsText(o.Get("role")) || o.Has("message") {
			return false
		}
		content := o.Get("content")
		if inForce || !rawjson.IsList(content) {
			return inForce && content != nil
		}
		walk := o.parts(content)
		first := walk.next()
		return first != nil && (first.kind == "input_text" || first.kind == "output_text")
	case "function_call", "custom_tool_call", "local_shell_call":
		return rawjson.IsText(o.Get("call_id")) || rawjson.IsObject(o.Get("function"))
	case "function_call_output", "custom_tool_call_output":
		return rawjson.IsText(o.Get("call_id")) && o.Has("output")
	case "reasoning", "web_search_call", "function_result", "ghost_snapshot":
		return inForce
	}
	return false
}

func decodeCodex(o *object, e *entry) outcome {
	e.stream()
	c := codexReader{entry: e, c: &e.mem.codex, at: o.Get("timestamp")}
	kind, payload := o.Get("type"), o.Get("payload")
	if !rawjson.IsText(kind) || !rawjson.IsObject(payload) {
		return c.bare(o)
	}
	switch string(rawjson.Inner(kind)) {
	case "session_meta":
		return c.sessionMeta(payload)
	case "turn_context":
		return c.turnContext(payload)
	case "response_item":
		return c.item(payload)
	case "event_msg":
		return c.event(payload)
	case "compacted":
		return c.compacted(payload)
	}
	return skipped("codex line: " + shownText(kind))
}

// shownText returns the text of a short string for use in a reason.
func shownText(val []byte) string {
	if !rawjson.IsText(val) {
		return rawjson.Kind(val)
	}
	raw := rawjson.Inner(val)
	return shown(string(raw[:min(len(raw), 4*shownKey)]), shownKey)
}

// codexReader reads one line.
type codexReader struct {
	*entry
	c  *codexMemory
	at []byte // time of the line
}

// bare reads a line of an early release.
func (c *codexReader) bare(o *object) outcome {
	switch {
	case o.Has("record_type"):
		return skipped("codex line: state")
	case isCodexHeader(o):
		return c.sessionMeta(o.In)
	}
	if c.at == nil {
		c.at = o.Get("created_at")
	}
	return c.item(o.In)
}

// item reads a response item.
func (c *codexReader) item(val []byte) outcome {
	it := c.open(payload, val)
	kind := c.name(it.Get("type"))
	if !rawjson.IsText(it.Get("type")) && it.Has("role") {
		kind = "message"
	}
	switch kind {
	case "message":
		return c.messageItem(it, it.Get("role"))
	case "agent_message": // what another agent sent to this one
		return c.messageItem(it, []byte(`"user"`))
	case "reasoning":
		return c.reasoningItem(it)
	case "function_call", "tool_call":
		return c.functionCall(it)
	case "custom_tool_call":
		return c.call(it, textual(it.Get("name")), freeform(it.Get("input")))
	case "local_shell_call", "web_search_call":
		return c.call(it, strings.TrimSuffix(kind, "_call"), rawjson.Recorded(it.Get("action")))
	case "tool_search_call":
		return c.call(it, "tool_search", rawjson.Recorded(it.Get("arguments")))
	case "image_generation_call":
		return c.imageCall(it)
	case "function_call_output", "custom_tool_call_output":
		return c.output(it, it.Get("output"))
	case "tool_result", "function_result":
		return c.output(it, it.Get("result"))
	case "tool_search_output":
		m := c.message(chat.Tool)
		m.Content = rawjson.Recorded(it.Get("tools"))
		return c.answered(m, it)
	}
	return skipped("codex item: " + shownText(it.Get("type")))
}

// head fills what all messages of a line share.
func (c *codexReader) head(m *chat.Message, id []byte) {
	m.Timestamp, m.NativeID = stamp(c.at), textual(id)
	if m.Role == chat.Assistant {
		m.Model = c.c.model
	}
}

// isOpen reports whether the model's last answer goes on: no result and no
// other message came after it.
func (c *codexReader) isOpen() bool {
	t := c.t
	return t.hasLast && t.after == 0 && strings.HasPrefix(t.last.TurnID, answerMark)
}

// answerMark begins the turn ids that are given to answers here: items have
// none that they share.
const answerMark = "L"

// speak returns a message of a role, which of the model's is its answer.
func (c *codexReader) speak(role chat.Role, id []byte) *chat.Message {
	if role == chat.Assistant {
		return c.answer(id)
	}
	m := c.message(role)
	c.head(m, id)
	return m
}

// answer returns a message that is added to the open answer, or begins one.
func (c *codexReader) answer(id []byte) *chat.Message {
	m := c.message(chat.Assistant)
	c.head(m, id)
	if c.isOpen() {
		m.TurnID = turnID(&c.t.last)
	} else {
		m.TurnID = answerMark + strconv.FormatInt(c.line, 10)
		c.c.readable = false
	}
	return m
}

// close ends the open answer.
func (c *codexReader) close() {
	c.keep(c.amendLast())
	c.t.forget()
}

const reasonTold = "told by an event before"

func (c *codexReader) messageItem(it *rawjson.Object, speaker []byte) outcome {
	role, why, ok := roleOf(speaker)
	if !ok {
		return why
	}
	m := c.speak(role, it.Get("id"))
	content := it.Get("content")
	if content == nil {
		content = it.Get("message")
	}
	if why, ok := c.onlyText(m, content); !ok {
		return why
	}
	c.c.items = true
	if c.c.said != (digest{}) && c.saidBefore(m, content) {
		return skipped(reasonTold)
	}
	switch {
	case role == chat.Tool:
		m.ToolCallID = rawjson.Recorded(it.Get("call_id"))
	case role == chat.Assistant && c.c.failed && !m.Empty():
		c.completed(true) // the session went on
	}
	out := c.given(m)
	if role == chat.User && out.as == asRead {
		c.mark(m)
	}
	return out
}

// saidBefore reports whether an event told a message before. One that has
// more than text replaces what the event told.
func (c *codexReader) saidBefore(m *chat.Message, content []byte) bool {
	said := c.c.said
	if digestOf(m.Content) != said {
		if m.Marks == 0 || !rawjson.IsList(content) {
			return false
		}
		var first part
		walk := rawjson.Within(content)
		if !first.read(&walk) || first.text == nil || digestOf(rawjson.Unquote(first.text)) != said {
			return false
		}
		if c.c.saidAt == c.t.messages && m.Role != chat.Assistant {
			c.keep(c.sink.Amend(c.t.key, 0, m))
		}
	}
	c.c.said = digest{}
	return true
}

// reasoningItem reads the summary of what the model thought, and the thought
// itself from models that show it. Mostly there is only an encrypted form.
func (c *codexReader) reasoningItem(it *rawjson.Object) outcome {
	for _, list := range [...][]byte{it.Get("summary"), it.Get("content")} {
		if rawjson.IsText(list) {
			c.reasons.text(list, "\n\n")
		}
		for val := range rawjson.Elements(list) {
			var p part
			if rawjson.IsObject(val) {
				p.parse(val, 0)
			}
			if p.text != nil && len(p.text) > len(`""`) {
				c.reasons.text(p.text, "\n\n")
			}
		}
	}
	text := c.reasons.take()
	if strings.TrimSpace(text) == "" {
		c.c.readable = false
		return skipped("encrypted reasoning")
	}
	m := c.answer(it.Get("id"))
	c.c.readable = true
	if c.thought(text) {
		return skipped(reasonTold)
	}
	m.Reasoning = text
	return c.given(m)
}

// thought reports whether the open answer's reasoning ends with a text.
func (c *codexReader) thought(text string) bool {
	return c.isOpen() && strings.HasSuffix(c.t.last.Reasoning, text)
}

package session

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// claude reads one entry.
type claude struct {
	*entry
	o        *object
	in       *rawjson.Object // the entry: o, or an element of a document's list
	document *thread         // the session of a document that holds all entries, nil for lines
	kind     string
	id       string // uuid
	parent   string
	session  string
	agent    string // agentId, or the call that started the sub-agent
	time     string
	side     bool   // isSidechain
	started  bool   // agent is a call
	compact  bool   // isCompactSummary
	kept     string // of a compaction
}

func decodeClaudeCode(o *object, e *entry) outcome {
	if list := o.Get("loglines"); rawjson.IsList(list) {
		return e.claudeDocument(o, list)
	}
	c := claude{entry: e, o: o, in: &o.Object}
	return c.decode()
}

// decode reads the entry.
func (c *claude) decode() outcome {
	var message []byte
	for i := range c.in.Fields { // what every entry has, in one pass
		switch name, val := c.in.At(i); string(name) {
		case "type":
			c.kind = c.names.text(val)
		case "uuid":
			c.id = textual(val)
		case "parentUuid":
			c.parent = textual(val)
		case "sessionId":
			c.session = later(c.session, c.name(val))
		case "session_id":
			c.session = later(c.name(val), c.session)
		case "agentId":
			c.agent = textual(val)
		case "parent_tool_use_id":
			c.agent = textual(val)
			c.side, c.started = c.agent != "", c.agent != ""
		case "timestamp":
			c.time = stamp(val)
		case "isSidechain":
			c.side = c.side || isTrue(val)
		case "isCompactSummary":
			c.compact = isTrue(val)
		case "message":
			message = val
		}
	}
	for _, id := range []*string{&c.id, &c.session, &c.agent} {
		if len(*id) > maxEntryID {
			c.note("id of more than 256 bytes, not used", "")
			*id = ""
		}
	}
	switch {
	case rawjson.IsObject(message):
		return c.messageEntry(message)
	case message != nil && (c.kind == "user" || c.kind == "assistant"):
		return bad("message is no object: " + rawjson.Kind(message))
	}
	switch c.kind {
	case "summary", "custom-title", "ai-title":
		return c.titleEntry()
	case "system":
		return c.systemEntry()
	case "attachment":
		return c.attachment()
	case "result":
		if failed := c.in.Get("is_error"); rawjson.Kind(failed) == "boolean" && rawjson.IsText(c.in.Get("subtype")) {
			return c.told(Meta{Completed: new(!isTrue(failed))})
		}
	}
	if content := c.bare(); content != nil {
		if c.kind == "tool_use" {
			return c.read(chat.Assistant, content, &spoken{})
		}
		return c.read(chat.User, content, nil)
	}
	c.pass()
	return skipped("entry of type " + shown(c.kind, shownKey))
}

// bare returns the content of an entry that is a call or a result itself, nil
// for any other.
func (c *claude) bare() []byte {
	if c.document != nil || c.kind != "tool_use" && c.kind != "tool_result" {
		return nil
	}
	for _, name := range []string{"output", "content"} {
		if val := c.o.Get(name); c.kind == "tool_result" && val != nil {
			return slices.Concat([]byte(`[{"type":"tool_result","content":`), val, []byte("}]"))
		}
	}
	return slices.Concat([]byte("["), c.o.In, []byte("]"))
}

// systemEntry reads what the program noted. Only a compaction is a message.
func (c *claude) systemEntry() outcome {
	switch subtype := textual(c.in.Get("subtype")); subtype {
	case "compact_boundary":
		content := c.in.Get("content")
		if !rawjson.IsText(content) {
			break
		}
		c.compact = true
		if c.parent == "" {
			c.parent = textual(c.in.Get("logicalParentUuid"))
		}
		return c.read(chat.System, content, nil)
	case "init":
		meta := Meta{Dir: textual(c.in.Get("cwd")), Model: textual(c.in.Get("model")), Extra: c.extra()}
		if tools := c.in.Get("tools"); rawjson.IsList(tools) {
			meta.Tools = string(tools)
		}
		return c.told(meta)
	case "":
	default:
		c.pass()
		return skipped("entry of type system: " + shown(subtype, shownKey))
	}
	c.pass()
	return skipped("entry of type system")
}

// attachment reads what went into the context beside the conversation. Only
// what the user said meanwhile is a message.
func (c *claude) attachment() outcome {
	attached := c.in.Get("attachment")
	kind, prompt := rawjson.Get(attached, "type"), rawjson.Get(attached, "prompt")
	if string(kind) == `"queued_command"` && (rawjson.IsText(prompt) || rawjson.IsList(prompt)) {
		return c.read(chat.User, prompt, nil)
	}
	c.pass()
	return skipped("entry of type attachment: " + shownText(kind))
}

// messageEntry reads an entry with a message.
func (c *claude) messageEntry(message []byte) outcome {
	var role, content, turn, model, stop, usage []byte
	for in := rawjson.Within(message); ; {
		name, ok := in.Name()
		if !ok {
			break
		}
		if string(name) == "content" {
			content = c.o.content(&in)
			continue
		}
		val, _ := in.Element()
		switch string(name) {
		case "role":
			role = val
		case "id":
			turn = val
		case "model":
			model = val
		case "stop_reason":
			stop = val
		case "usage":
			usage = val
		}
	}
	speaker, known := chat.ParseRole(c.kind)
	if !rawjson.IsNull(role) {
		var why outcome
		if speaker, why, known = roleOf(role); !known {
			return why
		}
	} else if !known {
		return bad("message without a role")
	}
	c.compact = c.compact || c.kind == "summary"
	if speaker != chat.Assistant {
		return c.read(speaker, content, nil)
	}
	a := spoken{turn: textual(turn), model: c.name(model), stop: c.name(stop), usage: usage}
	if isTrue(c.in.Get("isApiErrorMessage")) {
		a.stop = "error"
	}
	return c.read(speaker, content, &a)
}

// spoken is what only an assistant's message has.
type spoken struct {
	turn, model, stop string
	usage             []byte
}

var claudeSums = crc32.MakeTable(crc32.Castagnoli)

// sum is a digest of a content, never 0.
func sum(content []byte) uint32 { return crc32.Checksum(content, claudeSums) | 1 }

// childOf returns the id that the session of a sub-agent has, from what is
// recorded of a result beside its text; "" if there is none.
func (c *claude) childOf() string {
	result := c.in.Get("toolUseResult", "tool_use_result")
	if c.session == "" || !bytes.Contains(result, []byte(`"agent`)) {
		return "" // without going over all of the result
	}
	for name, val := range rawjson.Members(result) {
		if key := string(name); (key == "agentId" || key == "agent_id") && rawjson.IsText(val) && len(val) <= maxEntryID {
			return c.session + "/" + strings.TrimSpace(rawjson.Unquote(val))
		}
	}
	return ""
}

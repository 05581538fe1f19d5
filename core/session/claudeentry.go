package session

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// claude reads one entry. Values are as recorded, nil if it does not have them.
type claude struct {
	*entry
	o         *object
	document  *thread // the session of a document that holds all entries, nil for lines
	kind      string
	subtype   []byte
	id        string // uuid
	parent    string
	session   string
	agent     string // agentId, or the call that started the sub-agent
	time      string
	side      bool // isSidechain
	started   bool // agent is a call
	compact   bool // isCompactSummary
	apiError  bool // isApiErrorMessage
	dir       []byte
	logical   []byte
	message   []byte
	text      []byte // content of an entry without a message
	title     []byte
	leaf      []byte
	attached  []byte
	outcome   []byte // toolUseResult
	tools     []byte
	model     []byte
	completed []byte // is_error of a result
}

func decodeClaudeCode(o *object, e *entry) outcome {
	if list := o.Get("loglines"); rawjson.IsList(list) {
		return e.claudeDocument(o, list)
	}
	c := claude{entry: e, o: o}
	for i := range o.Fields {
		name, val := o.At(i)
		c.field(string(name), val)
	}
	return c.decode()
}

// field takes a field of the entry.
func (c *claude) field(name string, val []byte) {
	switch name {
	case "type":
		c.kind = c.names.text(val)
	case "subtype":
		c.subtype = val
	case "uuid":
		c.id = textual(val)
	case "parentUuid":
		c.parent = textual(val)
	case "logicalParentUuid":
		c.logical = val
	case "sessionId", "session_id":
		if rawjson.IsText(val) && (c.session == "" || name == "sessionId") {
			c.session = c.names.text(val)
		}
	case "agentId":
		c.agent = textual(val)
	case "parent_tool_use_id":
		c.agent = textual(val)
		c.side, c.started = c.agent != "", c.agent != ""
	case "timestamp":
		c.time = stamp(val)
	case "isSidechain":
		c.side = c.side || string(val) == "true"
	case "isCompactSummary":
		c.compact = string(val) == "true"
	case "isApiErrorMessage":
		c.apiError = string(val) == "true"
	case "message":
		c.message = val
	case "content":
		c.text = val
	case "summary", "customTitle", "aiTitle":
		c.title = val
	case "leafUuid":
		c.leaf = val
	case "attachment":
		c.attached = val
	case "toolUseResult", "tool_use_result":
		c.outcome = val
	case "cwd":
		c.dir = val
	case "tools":
		c.tools = val
	case "model":
		c.model = val
	case "is_error":
		c.completed = val
	}
}

// decode reads the entry once its fields are taken.
func (c *claude) decode() outcome {
	for _, id := range []*string{&c.id, &c.session, &c.agent} {
		if len(*id) > maxEntryID {
			c.note("id of more than 256 bytes, not used", "")
			*id = ""
		}
	}
	switch {
	case rawjson.IsObject(c.message):
		return c.messageEntry()
	case c.message != nil && (c.kind == "user" || c.kind == "assistant"):
		return bad("message is no object: " + rawjson.Kind(c.message))
	}
	switch c.kind {
	case "summary", "custom-title", "ai-title":
		return c.titleEntry()
	case "system":
		return c.systemEntry()
	case "attachment":
		return c.attachment()
	case "result":
		if rawjson.Kind(c.completed) == "boolean" && rawjson.IsText(c.subtype) {
			completed := c.completed[0] == 'f'
			return c.told(Meta{Completed: &completed})
		}
	}
	if content := c.bare(); content != nil {
		if c.kind == "tool_use" {
			return c.read(chat.Assistant, content, &spoken{})
		}
		return c.read(chat.User, content, nil)
	}
	c.pass()
	for i := range claudeSkips {
		if claudeSkips[i].kind == c.kind {
			return skipped(claudeSkips[i].reason)
		}
	}
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
	switch subtype := textual(c.subtype); subtype {
	case "compact_boundary":
		if !rawjson.IsText(c.text) {
			break
		}
		c.compact = true
		if c.parent == "" {
			c.parent = textual(c.logical)
		}
		return c.read(chat.System, c.text, nil)
	case "init":
		meta := Meta{Dir: textual(c.dir), Model: textual(c.model), Extra: c.extra()}
		if rawjson.IsList(c.tools) {
			meta.Tools = string(c.tools)
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
	var kind, prompt []byte
	for name, val := range rawjson.Members(c.attached) {
		switch string(name) {
		case "type":
			kind = val
		case "prompt":
			prompt = val
		}
	}
	if string(kind) == `"queued_command"` && (rawjson.IsText(prompt) || rawjson.IsList(prompt)) {
		return c.read(chat.User, prompt, nil)
	}
	c.pass()
	return skipped("entry of type attachment: " + shownText(kind))
}

// messageEntry reads an entry with a message.
func (c *claude) messageEntry() outcome {
	var role, content, turn, model, stop, usage []byte
	for in := rawjson.Within(c.message); ; {
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
	a := spoken{turn: textual(turn), usage: usage}
	if rawjson.IsText(model) {
		a.model = c.names.text(model)
	}
	if rawjson.IsText(stop) {
		a.stop = c.names.text(stop)
	}
	if c.apiError {
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
	if c.session == "" || !bytes.Contains(c.outcome, []byte(`"agent`)) {
		return "" // without going over all of the result
	}
	for name, val := range rawjson.Members(c.outcome) {
		if key := string(name); (key == "agentId" || key == "agent_id") && rawjson.IsText(val) && len(val) <= maxEntryID {
			return c.session + "/" + strings.TrimSpace(rawjson.Unquote(val))
		}
	}
	return ""
}

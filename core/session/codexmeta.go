package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// sessionMeta reads what begins a session. A forked one has its own metadata
// first, then a copy of all that it was forked from, that one's metadata too.
func (c *codexReader) sessionMeta(obj []byte) outcome {
	var meta Meta
	var rest extra
	var from codexOrigin
	for key, val := range rawjson.Pairs(obj) {
		switch string(rawjson.Unescape(rawjson.Inner(key))) {
		case "id":
			meta.NativeID = rawjson.Recorded(val)
		case "timestamp":
			meta.Started = stamp(val)
		case "cwd":
			meta.Dir = textual(val)
		case "model":
			meta.Model = textual(val)
		case "dynamic_tools", "tools":
			meta.Tools = toolList(val)
		case "parent_thread_id":
			from.parent = textual(val)
		case "forked_from_id":
			from.fork = textual(val)
			rest.member(key, val)
		case "source":
			from.source(val)
			rest.member(key, val)
		default:
			rest.member(key, val)
		}
	}
	meta.Origin = from.origin()
	own := c.c.headed && c.c.key == c.mem.stream
	if own && meta.NativeID != c.t.native && (c.c.forked || c.t.messages == 0) {
		return skipped("metadata of the session it was forked from")
	}
	c.close()
	if c.headed(meta.NativeID) || !own {
		*c.c = codexMemory{headed: true, key: c.t.key}
	}
	c.c.forked = c.c.forked || meta.Origin != (Origin{})
	if meta.Model != "" {
		c.c.model = memorable(meta.Model)
	}
	meta.Extra = rest.object()
	return c.told(meta)
}

// codexOrigin is what the metadata says of the session before.
type codexOrigin struct {
	agent        bool // another agent started this one
	parent, fork string
}

// source reads {"subagent":{"thread_spawn":{"parent_thread_id":…}}}, which has
// a name or another object in place of the inner one for agents of Codex's own.
func (from *codexOrigin) source(val []byte) {
	for depth, w := 0, rawjson.Within(val); rawjson.IsObject(val); {
		name, in, ok := w.Member()
		if !ok {
			return
		}
		switch {
		case depth == 0 && string(name) == "subagent":
			from.agent = true
		case depth == 1 && string(name) == "thread_spawn":
		case depth == 2 && string(name) == "parent_thread_id":
			if from.parent == "" {
				from.parent = textual(in)
			}
			return
		default:
			continue
		}
		depth, w, val = depth+1, rawjson.Within(in), in
	}
}

func (from *codexOrigin) origin() Origin {
	switch {
	case from.parent != "" && (from.agent || from.fork == ""):
		return Origin{Kind: Subagent, NativeID: from.parent}
	case from.fork != "":
		return Origin{Kind: Continuation, NativeID: from.fork}
	}
	return Origin{}
}

// toolList returns a list of tools as recorded, "" without one. A list may
// stand in a group.
func toolList(val []byte) string {
	if rawjson.IsList(val) {
		return string(val)
	}
	if in := rawjson.Get(val, "tools"); rawjson.IsList(in) {
		return string(in)
	}
	return ""
}

// turnContext reads under what terms the next turn runs: the model and the
// folder may change.
func (c *codexReader) turnContext(obj []byte) outcome {
	meta := Meta{Model: textual(rawjson.Get(obj, "model")), Dir: textual(rawjson.Get(obj, "cwd"))}
	if meta == (Meta{}) {
		return skipped("codex line: turn_context")
	}
	if meta.Model != "" {
		c.c.model = memorable(meta.Model)
	}
	return c.told(meta)
}

// noSummary is the text of a compaction whose summary is encrypted.
const noSummary = "[compaction]"

// compacted reads a summary that took the place of all messages before. What
// was kept of them stands in replacement_history again.
func (c *codexReader) compacted(obj []byte) outcome {
	m := c.speak(chat.System, nil)
	m.Marks |= chat.MarkCompaction
	if m.Content = textual(rawjson.Get(obj, "message")); m.Empty() {
		m.Content = noSummary
	}
	m.Kept = c.keeps(m, rawjson.Get(obj, "replacement_history"))
	return c.given(m)
}

func (c *codexMemory) pass(p *packer) {
	p.flags([8]*bool{&c.headed, &c.forked, &c.items, &c.readable, &c.failed})
	p.text(&c.key)
	p.text(&c.model)
	p.usage(&c.total)
	for i := range c.said {
		p.byte(&c.said[i])
	}
	passInt(p, &c.saidAt)
}

package session

import (
	"cmp"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// piMemory is what is remembered of a Pi session.
type piMemory struct {
	// linked says that an entry named one before it as its parent: an entry
	// without a parent is then another beginning.
	linked bool
	// failed says that the sink was told that the session did not complete.
	failed bool
}

// Pi and OpenClaw write a header, {"type":"session"}, then entries. Since the
// second version entries have an id and name the one they follow: going back
// to an earlier one forks the session. Entries that are no message stand in
// this tree too. A parent that is not in the file means the entry before.
//
// What the user ran in his own shell (bashExecution), what extensions put in
// (custom messages) are user messages: that is what the model got to see.
func acceptsPi(o *object, _ *memory, inForce bool) bool {
	kind := o.Get("type")
	if !rawjson.IsText(kind) || o.Has("payload", "uuid", "role", "sessionId") {
		return false
	}
	switch string(rawjson.Inner(kind)) {
	case "session":
		return rawjson.IsText(o.Get("id")) && o.Has("timestamp", "cwd")
	case "message":
		message := o.Get("message")
		return rawjson.IsObject(message) && (inForce || isPiMessage(message))
	case "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message", "label", "session_info":
		return o.Has("timestamp") && (inForce || o.Has("parentId", "modelId", "thinkingLevel", "firstKeptEntryIndex", "customType"))
	}
	return inForce && o.Has("timestamp")
}

// isPiMessage reports whether a message has what no other agent writes that
// records entries in the same way.
func isPiMessage(message []byte) bool {
	for name, val := range rawjson.Members(message) {
		switch string(name) {
		case "stopReason", "toolCallId", "exitCode", "customType":
			return true
		case "timestamp":
			return rawjson.Kind(val) == "number"
		}
	}
	return false
}

func decodePi(o *object, e *entry) outcome {
	e.stream()
	p := piReader{entry: e, id: textual(o.Get("id")), at: stamp(o.Get("timestamp")), parent: o.Get("parentId")}
	switch string(rawjson.Inner(o.Get("type"))) {
	case "session":
		return p.header(o)
	case "message":
		return p.messageEntry(o.Get("message"))
	case "custom_message":
		m := p.next(chat.User)
		m.Content = p.content(m, o.Get("content"))
		return p.gave(m)
	case "compaction", "branch_summary", "compact":
		if summary := o.Get("summary"); rawjson.IsText(summary) {
			p.firstKept, p.branch = textual(o.Get("firstKeptEntryId")), string(rawjson.Inner(o.Get("type"))) == "branch_summary"
			return p.summary(summary)
		}
	case "model_change":
		return p.told(Meta{Model: cmp.Or(textual(o.Get("modelId")), textual(o.Get("model")))})
	case "session_info":
		return p.told(Meta{Title: textual(o.Get("name"))})
	}
	p.pass()
	return skipped("pi entry: " + shownText(o.Get("type")))
}

// piReader reads one entry.
type piReader struct {
	*entry
	id     string
	at     string // time
	parent []byte // id of the entry before, as recorded; nil if it is not

	firstKept string // of a compaction: id of the first entry that stayed in sight
	branch    bool   // it sums up a branch that was left, and takes nothing away
}

// header reads what begins a file.
func (p *piReader) header(o *object) outcome {
	meta := Meta{NativeID: p.id, Started: p.at}
	var rest extra
	for i := range o.Fields {
		name, val := o.At(i)
		switch string(name) {
		case "type", "id", "timestamp":
		case "cwd":
			meta.Dir = textual(val)
		case "title":
			meta.Title = textual(val)
		case "modelId":
			meta.Model = textual(val)
		case "parentSession", "branchedFrom":
			if id := idOfFile(textual(val)); id != "" {
				meta.Origin = Origin{Kind: Continuation, NativeID: id}
			}
			rest.field(o, i)
		default:
			rest.field(o, i)
		}
	}
	if p.headed(meta.NativeID) {
		p.mem.pi = piMemory{}
	}
	meta.Extra = rest.object()
	return p.entry.told(meta)
}

// idOfFile returns the session's id from the path of its file, which is named
// by time and id: …/2026-01-01T10-00-00-000Z_ID.jsonl.
func idOfFile(path string) string {
	name, ok := strings.CutSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".jsonl")
	if !ok {
		return "" // where it is recorded, it is a path
	}
	return name[strings.LastIndexByte(name, '_')+1:]
}

// told tells metadata that an entry changes.
func (p *piReader) told(meta Meta) outcome {
	p.pass()
	return p.entry.told(meta)
}

// pass remembers an entry that gives no message as one with what it follows.
func (p *piReader) pass() {
	t := &p.mem.tree
	n := p.follows()
	if n == nil {
		n = t.newest(p.t.key)
	}
	if n == nil {
		t.add(p.id, p.t.key, p.t.messages)
		t.place(p.id, p.t.messages+1, p.t.messages)
	} else {
		t.join(p.id, n, 0)
		t.place(p.id, n.last+1, n.last)
	}
}

// follows returns the node that the entry names, nil if it is not known.
func (p *piReader) follows() *node {
	if !rawjson.IsText(p.parent) {
		return nil
	}
	n := p.mem.tree.find(rawjson.Unquote(p.parent))
	if n != nil {
		p.mem.pi.linked = true
	}
	return n
}

// gave delivers the message of an entry after the one it follows.
func (p *piReader) gave(m *chat.Message) outcome {
	if m.Role != chat.Tool && m.Empty() {
		p.pass()
		return skipped(reasonEmpty)
	}
	t, key := &p.mem.tree, p.t.key
	if p.follows() != nil {
		p.goOn(key, rawjson.Unquote(p.parent))
	} else if p.parent != nil && rawjson.IsNull(p.parent) && p.mem.pi.linked {
		p.goBack(key, key, 0)
	}
	if m.Marks.Has(chat.MarkCompaction) {
		m.Kept = p.keeps()
	}
	p.deliver(m)
	if m.Marks.Has(chat.MarkCompaction) && !p.branch {
		p.t.compact(m.Kept)
	}
	p.t.forget() // an entry is a whole message: nothing is added to it
	if p.id != "" {
		t.add(p.id, key, p.t.messages)
		t.place(p.id, p.t.messages, p.t.messages)
	} else {
		t.join("", t.newest(key), p.t.messages)
	}
	return read()
}

// next returns an empty message of the entry.
func (p *piReader) next(role chat.Role) *chat.Message {
	m := p.message(role)
	m.NativeID, m.Timestamp = p.id, p.at
	if rawjson.IsText(p.parent) {
		m.ParentID = rawjson.Unquote(p.parent)
	}
	return m
}

// summary reads what stands for messages that the model does not see any
// more: compacted ones, or those of a branch that was left.
func (p *piReader) summary(text []byte) outcome {
	m := p.next(chat.System)
	m.Content, m.Marks = rawjson.Unquote(text), chat.MarkCompaction
	return p.gave(m)
}

// keeps tells what stays in the model's sight at a summary, which is the next
// message: from the entry that a compaction names on, but for earlier ones. At the
// summary of a branch all does.
func (p *piReader) keeps() string {
	n, last := p.t.messages+1, p.t.newestCompaction()
	switch {
	case p.branch && last > 0:
		return p.t.keptAgain(n, [2]int{last, n - 1})
	case p.branch:
		return chat.KeptBefore(n, addRun(nil, 1, n-1))
	}
	first, _, ok := p.mem.tree.numbers(p.firstKept, p.t.key)
	if !ok || first > n {
		return ""
	}
	return chat.KeptBefore(n, p.t.without(first, n-1))
}

package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Gemini CLI records a session as one document ({"sessionId", "messages"}), in
// newer versions as lines: a head with the sessionId, a line per message, and
// patches. What the messages are is in geminimessage.go, what lines do to each
// other in geminilines.go. What Gemini's API calls contents ({"role", "parts"})
// is read too, as a saved history or one per line.
//
// Info, warnings and errors are notices of the program to the user; the model
// never sees them. They are left out and counted.

// acceptsGemini looks at the entries of a document, as other recorders have
// sessionId and messages too. Lines that others might write are taken only
// after one that is Gemini's.
func acceptsGemini(o *object, _ *memory, inForce bool) bool {
	id, kind := o.Get("sessionId"), o.Get("type")
	switch {
	case rawjson.IsList(o.Get("messages")):
		first, ok := firstOf(o.Get("messages"))
		return rawjson.IsText(id) && kind == nil && (o.Has("projectHash") || ok && isGeminiEntry(first))
	case rawjson.IsList(o.Get("history")):
		first, ok := firstOf(o.Get("history"))
		return ok && isContents(rawjson.Get(first, "role"), rawjson.Get(first, "parts"))
	case rawjson.IsObject(o.Get("$set")), rawjson.IsText(o.Get("$rewindTo")):
		return inForce || len(o.Fields) == 1
	case rawjson.IsText(kind):
		if o.Has("message", "uuid", "role", "payload", "data") || !o.Has("content", "parts") {
			return false
		}
		name := rawjson.Unquote(kind)
		return name == "gemini" || inForce && rawjson.IsText(o.Get("id")) && geminiKind(name) != unknownEntry
	}
	return rawjson.IsText(id) && rawjson.IsText(o.Get("projectHash")) || isContents(o.Get("role"), o.Get("parts"))
}

// isGeminiEntry reports whether an entry of a document is a message as Gemini
// CLI writes it.
func isGeminiEntry(val []byte) bool {
	kind := rawjson.Get(val, "type")
	return rawjson.IsText(kind) && geminiKind(rawjson.Unquote(kind)) != unknownEntry && !rawjson.Has(val, "role") && !rawjson.Has(val, "message")
}

// isContents reports whether role and parts are those of a content of Gemini's
// API. Others have parts too, with a type.
func isContents(role, parts []byte) bool {
	if !rawjson.IsText(role) || !rawjson.IsList(parts) || geminiKind(rawjson.Unquote(role)) == unknownEntry {
		return false
	}
	first, ok := firstOf(parts)
	return !ok || rawjson.IsObject(first) && !rawjson.Has(first, "type")
}

func decodeGemini(o *object, e *entry) outcome {
	g := &gemini{opening: opening{entry: e}}
	switch {
	case rawjson.IsList(o.Get("messages")):
		return g.document(o, "messages")
	case rawjson.IsList(o.Get("history")):
		return g.document(o, "history")
	}
	return g.line(o)
}

// gemini reads one value.
type gemini struct {
	opening
	notices int
	lines   bool // a message may come again, as a later line
}

// document reads a whole session, whose messages are in the named list.
func (g *gemini) document(o *object, list string) outcome {
	var messages []byte
	var more extra
	for i := range o.Fields {
		name, val := o.At(i)
		if string(name) == list {
			messages = val
		} else if !g.about(string(name), val) {
			more.field(o, i)
		}
	}
	g.meta.Extra = more.object()
	g.objects(messages, g.entryOf)
	if !g.gave && g.notices > 0 {
		return skipped("gemini session of notices only, without a message")
	}
	if !g.gave {
		return skipped("gemini session without a message")
	}
	g.account()
	return read()
}

// about takes a field that tells of the session.
func (g *gemini) about(name string, val []byte) (known bool) {
	m := &g.meta
	switch name {
	case "sessionId":
		m.NativeID = textual(val)
	case "startTime", "start_time":
		m.Started = stamp(val)
	case "lastUpdated":
		m.Ended = stamp(val)
	case "summary":
		m.Title = textual(val)
	case "directories":
		first, _ := firstOf(val)
		m.Dir = textual(first)
		c := rawjson.Within(val)
		_, _ = c.Element()
		_, several := c.Element()
		return !several
	case "meta":
		m.Model = textual(rawjson.Get(val, "model"))
		return false
	default:
		return false
	}
	return true
}

// entryKind says what an entry is.
type entryKind byte

const (
	unknownEntry entryKind = iota
	userEntry
	modelEntry
	noticeEntry
)

// geminiKind tells what an entry with that type, or role, is.
func geminiKind(name string) entryKind {
	switch name {
	case "user", "function":
		return userEntry
	case "gemini", "model":
		return modelEntry
	case "info", "warning", "error":
		return noticeEntry
	}
	return unknownEntry
}

// geminiEntry is one entry.
type geminiEntry struct {
	*rawjson.Object
	name string // of its kind, as recorded
	kind entryKind
}

func geminiEntryOf(o *rawjson.Object) geminiEntry {
	name := textual(o.Get("type", "role"))
	return geminiEntry{o, name, geminiKind(name)}
}

// entryOf delivers an entry of a document.
func (g *gemini) entryOf(val []byte) {
	n := geminiEntryOf(g.open(payload, val))
	g.leave(g.give(&n))
}

// give delivers what an entry holds.
func (g *gemini) give(n *geminiEntry) outcome {
	gave := false
	switch n.kind {
	case userEntry:
		gave = g.user(n, 0)
	case modelEntry:
		gave = g.model(n)
	case noticeEntry:
		g.notices++
		return skipped(reasonNotice)
	default:
		return bad("unknown type: " + shown(n.name[:min(len(n.name), 4*shownKey)], shownKey))
	}
	return readIf(gave)
}

// head fills what the messages of an entry share.
func (n *geminiEntry) head(g *gemini, role chat.Role) *chat.Message {
	m := g.message(role)
	m.NativeID, m.Timestamp = stamp(n.Get("id")), stamp(n.Get("timestamp", "ts"))
	return m
}

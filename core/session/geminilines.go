package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// A line is a head, a message, a patch of the head ({"$set"}), or takes the
// session back to where it was before a message ({"$rewindTo"}): what it gives
// up becomes a branch.
//
// An answer is written again whenever something is added to it, mostly the
// results of its calls: the later line is the whole of it. What comes again
// once other messages stand after it was shortened to save context: the first
// one is kept.

func (g *gemini) line(o *object) outcome {
	e := g.entry
	if set := o.Get("$set"); rawjson.IsObject(set) {
		e.stream()
		return g.patch(set)
	}
	if id := o.Get("$rewindTo"); rawjson.IsText(id) {
		e.stream()
		return g.rewind(rawjson.Unquote(id))
	}
	if !o.Has("type", "role") {
		return g.top(o)
	}
	e.stream()
	g.gave, g.lines = true, true
	n := geminiEntryOf(&o.Object)
	return g.entryLine(&n)
}

// top reads the head of a session. One with another id than that of the
// session so far begins another.
func (g *gemini) top(o *object) outcome {
	var more extra
	for i := range o.Fields {
		if name, val := o.At(i); !g.about(string(name), val) {
			more.field(o, i)
		}
	}
	g.meta.Extra = more.object()
	g.headed(g.meta.NativeID)
	return g.told(g.meta)
}

// patch reads what changes of the head, or a history that was rewritten.
func (g *gemini) patch(set []byte) outcome {
	var messages []byte
	for name, val := range rawjson.Members(set) {
		if string(name) == "messages" {
			messages = val
		} else {
			g.about(string(name), val)
		}
	}
	if id := memorable(g.meta.NativeID); id != "" {
		g.t.native = id
	}
	g.told(g.meta)
	if rawjson.IsList(messages) {
		g.gave, g.lines = true, true
		g.rewritten(messages)
	}
	return read()
}

// known returns the node of an entry of this session that came before.
func (g *gemini) known(id string) *node {
	if n := g.mem.tree.find(id); n != nil && n.key == g.t.key {
		return n
	}
	return nil
}

// entryLine delivers a message.
func (g *gemini) entryLine(n *geminiEntry) outcome {
	id := stamp(n.Get("id"))
	before := g.known(id)
	last := g.t.hasLast && id != "" && g.t.last.NativeID == id
	if before != nil && !(n.kind == modelEntry && last) {
		return skipped("recorded again after other messages: the first one stays")
	}
	out := g.give(n)
	if n.kind == unknownEntry {
		out = bad("gemini entry of unknown type")
	}
	if before != nil {
		before.last = g.t.messages
	} else {
		g.mem.tree.add(id, g.t.key, g.t.messages)
	}
	return out
}

// rewritten reads the messages that took the place of all before, when the
// context was compacted: at its head, what sums up the messages left out. The
// others are known. A session that begins with such a list has all of it.
func (g *gemini) rewritten(list []byte) {
	begun, head := g.t.messages > 0, true
	g.objects(list, func(val []byte) {
		n := geminiEntryOf(g.open(payload, val))
		switch id := stamp(n.Get("id")); {
		case g.known(id) != nil:
			head = false
		case !begun:
			g.leave(g.entryLine(&n))
		case !head || n.kind != userEntry && n.kind != modelEntry:
			g.leave(skipped("recorded otherwise before the history was rewritten"))
		case n.kind == modelEntry:
			g.leave(g.entryLine(&n))
			head = false
		case g.user(&n, chat.MarkCompaction):
			g.mem.tree.add(id, g.t.key, g.t.messages)
		default:
			g.leave(skipped(reasonEmpty))
		}
	})
	g.account()
}

// rewind gives up a message and all after it.
func (g *gemini) rewind(id string) outcome {
	at, ok := g.mem.tree.before(id, g.t.key)
	if !ok {
		return skipped("goes back to a message that is not known")
	}
	g.metas++
	if at < g.t.messages {
		g.cut(g.t.key, at)
	}
	if at == 0 { // nothing is left that told it
		g.t.told = ""
		g.tell(Meta{NativeID: g.t.native})
	}
	return read()
}

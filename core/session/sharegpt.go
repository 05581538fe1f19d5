package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// acceptsShareGPT takes an object with a list of turns.
func acceptsShareGPT(o *object, _ *memory, _ bool) bool {
	list := turnList(o)
	return holdsMember(list.val, "from", "role", "human", "assistant", "output") ||
		list.name == "conversations" && isEmptyList(list.val)
}

func turnList(o *object) listed {
	for _, name := range [...]string{"conversations", "conversation"} {
		if val := o.Get(name); rawjson.IsList(val) {
			return listed{name, val}
		}
	}
	return listed{}
}

func decodeShareGPT(o *object, e *entry) outcome {
	return e.conversationOf(o, [2]listed{turnList(o)})
}

// speaker is who has a turn, as ShareGPT and those who write alike name them.
type speaker byte

const (
	speaksSystem speaker = iota + 1
	speaksHuman
	speaksModel
	speaksCall   // the model, and all that it says are calls
	speaksResult // of calls
)

func speakerOf(name string) speaker {
	switch name {
	case "system", "developer":
		return speaksSystem
	case "human", "user":
		return speaksHuman
	case "gpt", "assistant", "chatgpt", "model":
		return speaksModel
	case "function_call", "tool_call", "tool_calls":
		return speaksCall
	case "tool", "observation", "function", "tool_response", "function_response":
		return speaksResult
	}
	return 0
}

// turn reads an element with a speaker and a text.
func (t *talk) turn(from, val []byte) outcome {
	name := rawjson.Unquote(from)
	who := speakerOf(name)
	switch {
	case who == 0:
		return bad(`unknown role "` + shown(name, shownKey) + `"`)
	case who == speaksResult && t.one.Has("role"):
		t.flush()
		return t.openAITurn(chat.Tool)
	case who == speaksResult:
		return t.resultTurn(val)
	case who == speaksCall && (rawjson.IsObject(val) || rawjson.IsList(val)):
		return t.callTurn(string(val))
	case who == speaksCall && rawjson.IsText(val):
		return t.callTurn(rawjson.Unquote(val))
	}
	return t.say(who, val)
}

// say reads what the system, a human or the model says.
func (t *talk) say(who speaker, val []byte) outcome {
	t.flush()
	m := t.head(chat.Assistant)
	if why, ok := t.onlyText(m, val); !ok {
		return why
	}
	switch who {
	case speaksSystem:
		m.Role = chat.System
	case speaksHuman:
		m.Role = chat.User
	default:
		t.spoken(m, m.Content)
		return t.hold(m, false)
	}
	return t.give(m)
}

// head returns a message with what its element tells besides speaker and text.
func (t *talk) head(role chat.Role) *chat.Message {
	m := t.entry.message(role)
	for i := range t.one.Fields {
		name, val := t.one.At(i)
		t.common(m, string(name), val)
	}
	return m
}

// pair reads an element with what was asked and what was answered, as in
// {"human","assistant"} or {"system","input","output"}.
func (t *talk) pair() outcome {
	out := skipped(reasonEmpty)
	for _, side := range [...]struct {
		name string
		who  speaker
	}{{"system", speaksSystem}, {"human", speaksHuman}, {"input", speaksHuman}, {"assistant", speaksModel}, {"output", speaksModel}} {
		val := t.one.Get(side.name)
		if val == nil {
			continue
		}
		if said := t.say(side.who, val); said.as == asRead || out.as != asRead && said.as == Bad {
			out = said
		}
	}
	return out
}

// resultTurn reads an element with the results of calls.
func (t *talk) resultTurn(val []byte) outcome {
	a := answer{failed: string(t.one.Get("is_error")) == "true"}
	m := t.head(chat.Tool)
	a.id, a.name, a.when = rawjson.Recorded(t.one.Get("tool_call_id")), textual(t.one.Get("name")), m.Timestamp
	switch {
	case rawjson.IsText(val):
		a.content = rawjson.Unquote(val)
	case rawjson.IsObject(val) || rawjson.IsList(val):
		a.content = string(val)
		t.note("tool result is no text, kept as its JSON", "")
	case !rawjson.IsNull(val):
		return bad("content is not text: " + rawjson.Kind(val))
	}
	t.resultsIn(a)
	return read()
}

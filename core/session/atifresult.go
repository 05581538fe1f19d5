package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// childOf returns the id of the first sub-agent of a list of references, and
// how many there are. The id of its trajectory counts more than the one of the
// session, which may be that of the whole run.
func childOf(val []byte) (id string, n int) {
	first := val
	if rawjson.IsObject(val) {
		n = 1
	}
	for ref := range rawjson.Elements(val) {
		if n++; n == 1 {
			first = ref
		}
	}
	if id := textual(rawjson.Get(first, "trajectory_id")); id != "" {
		return id, n
	}
	return textual(rawjson.Get(first, "session_id")), n
}

// results returns the list of what was observed after a step.
func results(observation []byte) []byte {
	if rawjson.IsObject(observation) {
		return rawjson.Get(observation, "results")
	}
	return observation
}

// lonelyChild returns the sub-agent that was observed without a text and
// without a call: it belongs to the step itself.
func lonelyChild(observation []byte) string {
	for val := range rawjson.Elements(results(observation)) {
		id, _ := childOf(rawjson.Get(val, "subagent_trajectory_ref"))
		if id != "" && rawjson.IsNull(rawjson.Get(val, "source_call_id")) && rawjson.IsNull(rawjson.Get(val, "content")) {
			return id
		}
	}
	return ""
}

// observed delivers what was observed after a step. What answers a call is a
// tool message, anything else a user message: the answer of the environment.
func (t *trajectory) observed(observation []byte, at string, asked, compaction bool) {
	answer := func(r *rawjson.Object, content []byte) {
		child, children := childOf(r.Get("subagent_trajectory_ref"))
		if children > 1 {
			t.note("several sub-agents in one result, linked to the first", "")
		}
		m := t.message(chat.User)
		if m.ToolCallID = rawjson.Recorded(r.Get("source_call_id")); asked || m.ToolCallID != "" {
			m.Role, m.IsError = chat.Tool, isTrue(rawjson.Get(r.Get("extra"), "is_error"))
		} else if compaction {
			m.Marks |= chat.MarkCompaction
		}
		m.Timestamp, m.Child = at, child
		t.content(m, content)
		if t.deliver(m) {
			t.at(child, m.ToolCallID)
		}
	}
	if rawjson.IsText(observation) {
		t.note("observation is no list of results", "")
		answer(t.open(inner, nil), observation)
	}
	for val := range rawjson.Elements(results(observation)) {
		switch r := t.open(inner, val); {
		case rawjson.IsObject(val):
			answer(r, r.Get("content"))
		case !rawjson.IsNull(val):
			answer(r, val)
		}
	}
}

// at remembers that a sub-agent was started by the call that the last message
// answers.
func (t *trajectory) at(child, call string) {
	if t.started == nil || child == "" {
		return
	}
	if _, known := t.started[child]; !known {
		t.started[child] = Origin{At: t.t.messages, Call: call}
	}
}

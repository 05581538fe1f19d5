package session

import (
	"winnow/core/chat"
	"winnow/core/rawjson"
)

// result is one thing that was observed.
type result struct {
	call, content []byte
	child         string // session of a sub-agent
	children      int
	failed        bool
}

func resultOf(val []byte) (r result) {
	if !rawjson.IsObject(val) {
		return result{content: val}
	}
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "source_call_id":
			r.call = val
		case "content":
			r.content = val
		case "subagent_trajectory_ref":
			r.child, r.children = childOf(val)
		case "extra":
			for name, val := range rawjson.Members(val) {
				if string(name) == "is_error" {
					r.failed = string(val) == "true"
				}
			}
		}
	}
	return r
}

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
	for name, val := range rawjson.Members(first) {
		if string(name) == "trajectory_id" && rawjson.IsText(val) || string(name) == "session_id" && id == "" {
			id = textual(val)
		}
	}
	return id, n
}

// results walks what was observed after a step.
func results(observation []byte) rawjson.Cursor[[]byte] {
	if !rawjson.IsObject(observation) {
		return rawjson.Within(observation)
	}
	for name, val := range rawjson.Members(observation) {
		if string(name) == "results" {
			return rawjson.Within(val)
		}
	}
	return rawjson.Cursor[[]byte]{}
}

// lonelyChild returns the sub-agent that was observed without a text and
// without a call: it belongs to the step itself.
func lonelyChild(observation []byte) string {
	for c := results(observation); ; {
		val, ok := c.Element()
		if !ok {
			return ""
		}
		if r := resultOf(val); r.child != "" && rawjson.IsNull(r.call) && rawjson.IsNull(r.content) {
			return r.child
		}
	}
}

// observed delivers what was observed after a step. What answers a call is a
// tool message, anything else a user message: the answer of the environment.
func (t *trajectory) observed(s *step, asked bool) {
	if rawjson.IsText(s.observation) {
		t.note("observation is no list of results", "")
		t.answer(s, &result{content: s.observation}, asked)
	}
	for c := results(s.observation); ; {
		val, ok := c.Element()
		if !ok {
			return
		}
		if rawjson.IsNull(val) {
			continue
		}
		r := resultOf(val)
		if r.children > 1 {
			t.note("several sub-agents in one result, linked to the first", "")
		}
		t.answer(s, &r, asked)
	}
}

func (t *trajectory) answer(s *step, r *result, asked bool) {
	m := t.message(chat.User)
	if m.ToolCallID = rawjson.Recorded(r.call); asked || m.ToolCallID != "" {
		m.Role, m.IsError = chat.Tool, r.failed
	} else if s.compaction {
		m.Marks |= chat.MarkCompaction
	}
	m.Timestamp, m.Child = stamp(s.timestamp), r.child
	t.content(m, r.content)
	if t.deliver(m) {
		t.at(m.Child, m.ToolCallID)
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

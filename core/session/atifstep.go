package session

import (
	"strconv"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// step is one step of a trajectory, its values as recorded.
type step struct {
	source, message, reasoning, model, timestamp, id []byte
	calls, observation, metrics                      []byte
	copied, compaction                               bool
}

func stepOf(val []byte) (s step) {
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case "source":
			s.source = val
		case "message":
			s.message = val
		case "reasoning_content":
			s.reasoning = val
		case "model_name":
			s.model = val
		case "timestamp":
			s.timestamp = val
		case "step_id":
			s.id = val
		case "tool_calls":
			s.calls = val
		case "observation":
			s.observation = val
		case "metrics":
			s.metrics = val
		case "is_copied_context":
			s.copied = string(val) == "true"
		case "extra":
			s.compaction = isCompaction(val)
		}
	}
	return s
}

// isCompaction reports whether a step's extra says that the context was
// replaced there.
func isCompaction(val []byte) bool {
	for name, val := range rawjson.Members(val) {
		if string(name) == "context_management" {
			return rawjson.IsObject(val)
		}
	}
	return false
}

// read reads the steps.
func (t *trajectory) read() {
	copied := 0
	for val := range rawjson.Elements(t.steps) {
		if !rawjson.IsObject(val) {
			t.leave(notObject(val))
			continue
		}
		s := stepOf(val)
		switch {
		case s.copied && t.nth > 0:
			copied++
			if t.handover = val; string(s.source) != `"user"` {
				t.handover = nil
			}
			continue
		case s.copied:
			t.note("steps copied from a session that is not named, kept", "")
		case t.handover != nil && string(s.source) == `"agent"`:
			handover := stepOf(t.handover)
			handover.compaction = true
			copied--
			t.step(&handover)
		}
		t.handover = nil
		t.step(&s)
	}
	if !t.gave {
		return
	}
	t.account()
	if copied > 0 {
		t.note("element left out, copied from the session before", strconv.Itoa(copied))
	}
	if !t.measured && t.nth == 0 && t.totals != (Usage{}) {
		t.tell(Meta{Usage: t.totals})
	}
}

// sourceRole returns the role of who speaks in a step.
func sourceRole(val []byte) (role chat.Role, known bool) {
	switch string(val) {
	case `"system"`:
		return chat.System, true
	case `"user"`:
		return chat.User, true
	case `"agent"`:
		return chat.Assistant, true
	}
	return "", false
}

// step delivers a step and what was observed after it.
func (t *trajectory) step(s *step) {
	role, known := sourceRole(s.source)
	if !known {
		t.leave(bad("unknown source: " + shown(string(s.source[:min(len(s.source), 4*shownKey)]), shownKey)))
		return
	}
	m := t.message(role)
	t.content(m, s.message)
	m.Reasoning, m.Timestamp, m.NativeID = textual(s.reasoning), stamp(s.timestamp), stamp(s.id)
	if s.compaction {
		m.Marks |= chat.MarkCompaction
	}
	if role == chat.Assistant {
		if rawjson.IsText(s.model) {
			m.Model = t.names.text(s.model)
		}
		t.toolCalls(m, s.calls)
	}
	asked := len(m.ToolCalls) > 0
	if !asked {
		m.Child = lonelyChild(s.observation)
	}
	if t.deliver(m) {
		if t.at(m.Child, ""); role == chat.Assistant && rawjson.IsObject(s.metrics) {
			t.measured = true
			t.used(turnID(m), usageOf(s.metrics, ""))
		}
	} else if rawjson.IsNull(s.observation) {
		t.leave(skipped(reasonEmpty))
	}
	t.observed(s, asked)
}

// toolCalls adds the calls of a step. What is no call is kept as text.
func (t *trajectory) toolCalls(m *chat.Message, list []byte) {
	for val := range rawjson.Elements(list) {
		var call chat.ToolCall
		for name, val := range rawjson.Members(val) {
			switch string(name) {
			case "tool_call_id":
				call.ID = rawjson.Recorded(val)
			case "function_name":
				call.Name = t.names.text(val)
			case "arguments":
				call.Arguments = rawjson.Recorded(val)
			}
		}
		switch {
		case call.Name != "":
			m.ToolCalls = append(m.ToolCalls, call)
		case !rawjson.IsNull(val):
			t.malformedCall(m, val)
		}
	}
	if m.Marks.Has(chat.MarkMalformedCall) {
		m.Content = t.text.take()
	}
}

// usageOf reads the tokens of a step, or those of the whole run if the names
// have that prefix.
func usageOf(val []byte, prefix string) (u Usage) {
	for name, val := range rawjson.Members(val) {
		switch string(name) {
		case prefix + "prompt_tokens":
			u.Input = countOf(val)
		case prefix + "completion_tokens":
			u.Output = countOf(val)
		case prefix + "cached_tokens":
			u.Cached = countOf(val)
		}
	}
	return u
}

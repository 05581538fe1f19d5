package session

import (
	"strconv"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// read reads the steps.
func (t *trajectory) read() {
	copied := 0
	t.objects(t.steps, func(val []byte) {
		s := t.open(payload, val)
		source := string(s.Get("source"))
		switch again := isTrue(s.Get("is_copied_context")); {
		case again && t.nth > 0:
			copied++
			if t.handover = val; source != `"user"` {
				t.handover = nil
			}
			return
		case again:
			t.note("steps copied from a session that is not named, kept", "")
		case t.handover != nil && source == `"agent"`:
			copied--
			t.step(t.open(payload, t.handover), true)
			s = t.open(payload, val)
		}
		t.handover = nil
		t.step(s, rawjson.IsObject(rawjson.Get(s.Get("extra"), "context_management")))
	})
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

// step delivers a step and what was observed after it. compaction says that the
// context was replaced there.
func (t *trajectory) step(s *rawjson.Object, compaction bool) {
	source := s.Get("source")
	role, known := sourceRole(source)
	if !known {
		t.leave(bad("unknown source: " + shown(string(source[:min(len(source), 4*shownKey)]), shownKey)))
		return
	}
	m := t.message(role)
	t.content(m, s.Get("message"))
	m.Reasoning, m.Timestamp, m.NativeID = textual(s.Get("reasoning_content")), stamp(s.Get("timestamp")), stamp(s.Get("step_id"))
	if compaction {
		m.Marks |= chat.MarkCompaction
	}
	if role == chat.Assistant {
		m.Model = t.entry.name(s.Get("model_name"))
		t.toolCalls(m, s.Get("tool_calls"))
	}
	asked, observation := len(m.ToolCalls) > 0, s.Get("observation")
	if !asked {
		m.Child = lonelyChild(observation)
	}
	if t.deliver(m) {
		used := s.Get("metrics")
		if t.at(m.Child, ""); role == chat.Assistant && rawjson.IsObject(used) {
			t.measured = true
			t.used(turnID(m), t.usage(used, ""))
		}
	} else if rawjson.IsNull(observation) {
		t.leave(skipped(reasonEmpty))
	}
	t.observed(observation, stamp(s.Get("timestamp")), asked, compaction)
}

// toolCalls adds the calls of a step. What is no call is kept as text.
func (t *trajectory) toolCalls(m *chat.Message, list []byte) {
	for val := range rawjson.Elements(list) {
		o := t.open(inner, val)
		call := chat.ToolCall{ID: rawjson.Recorded(o.Get("tool_call_id")), Name: t.names.text(o.Get("function_name")), Arguments: rawjson.Recorded(o.Get("arguments"))}
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

// usage reads the tokens of a step, or those of the whole run if the names have
// that prefix.
func (t *trajectory) usage(val []byte, prefix string) Usage {
	o := t.open(inner, val)
	return Usage{Input: countsOf(o, prefix+"prompt_tokens"), Output: countsOf(o, prefix+"completion_tokens"), Cached: countsOf(o, prefix+"cached_tokens")}
}

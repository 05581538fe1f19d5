package session

import (
	"bytes"
	"strconv"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// SWE-agent writes one document per run (.traj). Its history is the
// conversation as the model had it; its trajectory tells the same again, action
// by action, and is read only if there is no history. Demonstrations stand in
// the history as the model read them, and stay. Messages of several agents
// stay in one session, in their order.

// acceptsSWEAgent takes documents whose history or trajectory begins as
// SWE-agent writes it.
func acceptsSWEAgent(o *object, _ *memory, _ bool) bool {
	history, trajectory := o.Get("history"), o.Get("trajectory")
	if rawjson.IsList(history) {
		if first, ok := firstOf(history); ok {
			return rawjson.Has(first, "role") && (rawjson.Has(first, "content") || rawjson.Has(first, "agent") || rawjson.Has(first, "message_type"))
		}
	}
	if !rawjson.IsList(trajectory) {
		return rawjson.IsList(history) && o.Has("info") && o.Has("environment")
	}
	if first, ok := firstOf(trajectory); ok {
		return rawjson.Has(first, "action") && rawjson.Has(first, "observation") || rawjson.Has(first, "response") && rawjson.Has(first, "thought")
	}
	return o.Has("history", "info", "environment", "replay_config")
}

// firstOf returns the first element of a list.
func firstOf(list []byte) (val []byte, ok bool) {
	c := rawjson.Within(list)
	return c.Element()
}

// sweRun is one document.
type sweRun struct {
	opening
	usage Usage
	demos int
	agent []byte // that spoke last
}

func decodeSWEAgent(o *object, e *entry) outcome {
	r := &sweRun{opening: opening{entry: e}}
	var history, trajectory []byte
	var more extra
	for i := range o.Fields {
		name, val := o.At(i)
		switch string(name) {
		case "history":
			history = val
			continue
		case "trajectory":
			trajectory = val
			continue
		case "info":
			r.info(val)
		case "replay_config":
			r.meta.Model = textual(rawjson.Get(rawjson.Get(rawjson.Get(val, "agent"), "model"), "name"))
		}
		more.field(o, i)
	}
	r.meta.Extra = more.object()
	if _, ok := firstOf(history); ok {
		r.history(history)
	} else {
		r.actions(trajectory)
	}
	if r.demos > 0 {
		e.note("demonstrations in the history, kept", strconv.Itoa(r.demos))
	}
	if !r.gave {
		return skipped("swe-agent run without a message")
	}
	r.account()
	if r.usage != (Usage{}) {
		e.tell(Meta{Usage: r.usage})
	}
	return read()
}

// info reads how the run ended. A run that hit a limit and was submitted as it
// stood ("submitted (exit_cost)") has not completed.
func (r *sweRun) info(val []byte) {
	if status := textual(rawjson.Get(val, "exit_status")); status != "" {
		completed := status == "submitted"
		r.meta.Completed = &completed
	}
	stats := rawjson.Get(val, "model_stats")
	r.usage = Usage{Input: countOf(rawjson.Get(stats, "tokens_sent")), Output: countOf(rawjson.Get(stats, "tokens_received"))}
}

// history reads the messages of the conversation.
func (r *sweRun) history(list []byte) {
	for val := range rawjson.Elements(list) {
		if rawjson.IsObject(val) {
			r.said(val)
		} else {
			r.leave(notObject(val))
		}
	}
}

// said reads one entry of the history. Its thought repeats the content.
func (r *sweRun) said(obj []byte) {
	var role, content, thought, calls, blocks, agent []byte
	answers, demo, failed := "", false, false
	var stamped []byte
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "role":
			role = val
		case "content":
			content = val
		case "thought":
			thought = val
		case "tool_calls":
			calls = val
		case "thinking_blocks":
			blocks = val
		case "agent":
			agent = val
		case "is_demo":
			demo = string(val) == "true"
		case "timestamp":
			stamped = val
		case "tool_call_id":
			answers = rawjson.Recorded(val)
		case "tool_call_ids":
			if first, ok := firstOf(val); ok {
				answers = rawjson.Recorded(first)
			}
		case "is_error":
			failed = string(val) == "true"
		}
	}
	who, why, ok := roleOf(role)
	if !ok {
		r.leave(why)
		return
	}
	if demo {
		r.demos++
	}
	if r.agent != nil && rawjson.IsText(agent) && !bytes.Equal(agent, r.agent) {
		r.note("messages of several agents in one history", "")
	}
	if rawjson.IsText(agent) {
		r.agent = agent
	}
	m := r.message(who)
	r.content(m, content)
	if m.Content == "" && who == chat.Assistant {
		m.Content = textual(thought)
	}
	m.Timestamp, m.IsError = stamp(stamped), failed && who == chat.Tool
	switch who {
	case chat.Tool:
		m.ToolCallID = answers
	case chat.Assistant:
		m.Reasoning = r.thinking(blocks)
		if r.openAICalls(m, calls); m.Marks.Has(chat.MarkMalformedCall) {
			m.Content = r.text.take()
		}
	}
	if !r.deliver(m) {
		r.leave(skipped(reasonEmpty))
	}
}

// thinking joins the texts of thinking blocks.
func (r *sweRun) thinking(list []byte) string {
	for val := range rawjson.Elements(list) {
		if thinking := rawjson.Get(val, "thinking"); rawjson.IsText(thinking) && len(thinking) > len(`""`) {
			r.reasons.text(thinking, "\n\n")
		}
	}
	return r.reasons.take()
}

// actions reads a run of which only the actions were kept: what the model
// answered, and what the environment said to that. The first action may tell
// the messages before it (query).
func (r *sweRun) actions(list []byte) {
	first := true
	for val := range rawjson.Elements(list) {
		if !rawjson.IsObject(val) {
			r.leave(notObject(val))
			continue
		}
		if query := rawjson.Get(val, "query"); first && rawjson.IsList(query) {
			r.history(query)
		}
		first = false
		r.action(val)
	}
}

// action reads one step. A response that was not kept is put together from the
// thought and the action.
func (r *sweRun) action(obj []byte) {
	var response, thought, action, observation []byte
	for name, val := range rawjson.Members(obj) {
		switch string(name) {
		case "response":
			response = val
		case "thought":
			thought = val
		case "action":
			action = val
		case "observation":
			observation = val
		}
	}
	m := r.message(chat.Assistant)
	if m.Content = textual(response); m.Content == "" {
		if m.Content = textual(thought); rawjson.IsText(action) && len(action) > len(`""`) {
			if m.Content != "" {
				m.Content += "\n"
			}
			m.Content += rawjson.Unquote(action)
		}
	}
	said := r.deliver(m)
	m = r.message(chat.User)
	if r.content(m, observation); !r.deliver(m) && !said {
		r.leave(skipped(reasonEmpty))
	}
}

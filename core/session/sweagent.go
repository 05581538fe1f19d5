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
		r.meta.Completed = new(status == "submitted")
	}
	stats := rawjson.Get(val, "model_stats")
	r.usage = Usage{Input: countOf(rawjson.Get(stats, "tokens_sent")), Output: countOf(rawjson.Get(stats, "tokens_received"))}
}

// history reads the messages of the conversation.
func (r *sweRun) history(list []byte) {
	r.objects(list, r.said)
}

// said reads one entry of the history. Its thought repeats the content.
func (r *sweRun) said(obj []byte) {
	o := r.open(payload, obj)
	who, why, ok := roleOf(o.Get("role"))
	if !ok {
		r.leave(why)
		return
	}
	if isTrue(o.Get("is_demo")) {
		r.demos++
	}
	if agent := o.Get("agent"); rawjson.IsText(agent) {
		if r.agent != nil && !bytes.Equal(agent, r.agent) {
			r.note("messages of several agents in one history", "")
		}
		r.agent = agent
	}
	m := r.message(who)
	r.content(m, o.Get("content"))
	if m.Content == "" && who == chat.Assistant {
		m.Content = textual(o.Get("thought"))
	}
	m.Timestamp = stamp(o.Get("timestamp"))
	switch who {
	case chat.Tool:
		m.ToolCallID, m.IsError = rawjson.Recorded(o.Get("tool_call_id")), isTrue(o.Get("is_error"))
		if first, ok := firstOf(o.Get("tool_call_ids")); ok {
			m.ToolCallID = rawjson.Recorded(first)
		}
	case chat.Assistant:
		m.Reasoning = r.thinking(o.Get("thinking_blocks"))
		if r.openAICalls(m, o.Get("tool_calls")); m.Marks.Has(chat.MarkMalformedCall) {
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
	r.objects(list, func(val []byte) {
		if query := rawjson.Get(val, "query"); first && rawjson.IsList(query) {
			r.history(query)
		}
		first = false
		r.action(val)
	})
}

// action reads one step. A response that was not kept is put together from the
// thought and the action.
func (r *sweRun) action(obj []byte) {
	o := r.open(payload, obj)
	m := r.message(chat.Assistant)
	if m.Content = textual(o.Get("response")); m.Content == "" {
		thought, action := textual(o.Get("thought")), textual(o.Get("action"))
		if m.Content = thought + action; thought != "" && action != "" {
			m.Content = thought + "\n" + action
		}
	}
	said := r.deliver(m)
	m = r.message(chat.User)
	if r.content(m, o.Get("observation")); !r.deliver(m) && !said {
		r.leave(skipped(reasonEmpty))
	}
}

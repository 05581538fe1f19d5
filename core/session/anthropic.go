package session

import (
	"bytes"
	"strings"

	"winnow/core/chat"
)

// anthropicBlock reports whether a block type is one of Anthropic's; sure says
// that nobody else writes it.
func anthropicBlock(kind string) (known, sure bool) {
	switch kind {
	case "text", "image":
		return true, false
	case "thinking", "redacted_thinking", "tool_use", "tool_result", "document", "search_result", "container_upload":
		return true, true
	}
	server := strings.HasSuffix(kind, "_tool_use") || strings.HasSuffix(kind, "_tool_result")
	return server, server
}

// blocksOf looks at a content list: whether all of it are blocks of
// Anthropic's, and whether one is of nobody else's.
func blocksOf(list []byte) (all, sure bool, n int) {
	for c := within(list); ; n++ {
		val, ok := c.element()
		if !ok {
			return true, sure, n
		}
		known, certain := false, false
		if isObject(val) {
			p := parsePart(val)
			known, certain = anthropicBlock(p.kind)
			if p.kind == "text" && p.text == nil || p.kind == "image" && !bytes.Contains(val, []byte(`"source"`)) {
				known = false
			}
		}
		if !known {
			return false, false, n
		}
		sure = sure || certain
	}
}

// looksAnthropic reports whether a line can't be taken for an OpenAI one: its
// content are blocks, and if they are of types that both write, nothing before
// spoke for OpenAI.
func looksAnthropic(o *object, m *memory) bool {
	content := o.get("content")
	if !isList(content) || openAIEvidence(o) {
		return false
	}
	all, sure, n := blocksOf(content)
	return all && n > 0 && (sure || !m.openai)
}

func acceptsAnthropic(o *object, m *memory, inForce bool) bool {
	role, _, ok := roleOf(o.get("role"))
	if !ok || role == chat.Tool {
		return false
	}
	if looksAnthropic(o, m) {
		return true
	}
	if !inForce || openAIEvidence(o) {
		return false
	}
	content := o.get("content")
	if isList(content) {
		all, _, _ := blocksOf(content)
		return all
	}
	return isNull(content) || isText(content)
}

func decodeAnthropic(o *object, e *entry) outcome {
	role, why, ok := roleOf(o.get("role"))
	if !ok {
		return why
	}
	m := e.message(role)
	var content []byte
	for i := range o.fields {
		name, val := o.at(i)
		if string(name) == "content" {
			content = val
		} else {
			e.common(m, string(name), val)
		}
	}
	a := blockReader{entry: e, head: *m}
	a.head.ToolCalls = nil
	switch {
	case isText(content):
		m.Content = textOf(content)
		a.deliver(m)
	case role == chat.Assistant:
		a.assistant(m, content)
	default:
		a.others(m, content)
	}
	if !a.gave {
		return skipped(reasonEmpty)
	}
	return read()
}

// blockReader turns the blocks of one line into messages.
type blockReader struct {
	*entry
	head chat.Message // what all messages of the line share
	gave bool
}

func (a *blockReader) deliver(m *chat.Message) {
	if a.entry.deliver(m) {
		a.gave = true
	}
}

// next returns a fresh message of the line.
func (a *blockReader) next(role chat.Role) *chat.Message {
	m := a.message(role)
	calls := m.ToolCalls
	*m = a.head
	m.Role, m.ToolCalls = role, calls
	return m
}

// assistant reads one assistant message. Results of tools that ran on the
// server stand between its blocks: what follows them is a message of its own.
func (a *blockReader) assistant(m *chat.Message, content []byte) {
	var text, reasoning []string
	flush := func() {
		m.Content = strings.Join(text, "\n")
		m.Reasoning = strings.Join(reasoning, "\n\n")
		a.deliver(m)
		clear(text) // don't hold on to long texts
		text, reasoning = text[:0], nil
	}
	text = a.texts[:0]
	for c := within(content); ; {
		val, ok := c.element()
		if !ok {
			break
		}
		p := parsePart(val)
		switch {
		case p.kind == "thinking":
			if thought := a.thought(val); thought != "" {
				reasoning = append(reasoning, thought)
			}
		case p.kind == "redacted_thinking":
		case strings.HasSuffix(p.kind, "tool_use"):
			if !a.call(m, val) {
				text = append(text, string(val))
			}
		case strings.HasSuffix(p.kind, "tool_result"):
			flush()
			a.result(val)
			m = a.next(chat.Assistant)
		default:
			if t, ok := a.partText(p, m); ok {
				text = append(text, t)
			}
		}
	}
	flush()
	a.texts = text
}

func (a *blockReader) thought(block []byte) (text string) {
	for c := within(block); ; {
		name, val, ok := c.member()
		if !ok {
			return text
		}
		if string(name) == "thinking" && isText(val) {
			text = textOf(val)
		}
	}
}

// call adds a tool_use block. Its input is kept as the JSON text recorded. A
// block without a name is no call; the caller keeps it as text.
func (a *blockReader) call(m *chat.Message, block []byte) bool {
	var call chat.ToolCall
	for c := within(block); ; {
		name, val, ok := c.member()
		if !ok {
			break
		}
		switch string(name) {
		case "id":
			call.ID = recorded(val)
		case "name":
			call.Name = ""
			if isText(val) {
				call.Name = a.names.text(val)
			}
		case "input":
			call.Arguments = recorded(val)
		}
	}
	if call.Name == "" {
		m.Marks |= chat.MarkMalformedCall
		a.note(noteMalformed)
		return false
	}
	m.ToolCalls = append(m.ToolCalls, call)
	return true
}

// others reads the blocks of a user or system line in their order: runs of
// text become messages of that role, results become tool messages.
func (a *blockReader) others(m *chat.Message, content []byte) {
	role := m.Role
	run := a.texts[:0]
	var marks chat.Marks
	flush := func() {
		m := a.next(role)
		m.Content = strings.TrimSpace(strings.Join(run, "\n"))
		m.Marks = marks
		if m.Content != "" {
			a.deliver(m)
		}
		clear(run)
		run, marks = run[:0], 0
	}
	for c := within(content); ; {
		val, ok := c.element()
		if !ok {
			break
		}
		p := parsePart(val)
		if strings.HasSuffix(p.kind, "tool_result") {
			flush()
			a.result(val)
			continue
		}
		var holder chat.Message
		if t, ok := a.partText(p, &holder); ok {
			run = append(run, t)
		}
		marks |= holder.Marks
	}
	flush()
	a.texts = run
}

// result delivers a tool_result block as a tool message.
func (a *blockReader) result(block []byte) {
	m := a.next(chat.Tool)
	m.StopReason, m.Model = "", ""
	var content []byte
	for c := within(block); ; {
		name, val, ok := c.member()
		if !ok {
			break
		}
		switch string(name) {
		case "tool_use_id":
			m.ToolCallID = recorded(val)
		case "is_error":
			m.IsError = string(val) == "true"
		case "content":
			content = val
		}
	}
	if isList(content) {
		saved := a.texts
		a.texts = nil // the run of the line is in the other one
		m.Content = a.listText(content, m)
		a.texts = saved
	} else {
		m.Content = recorded(content)
	}
	a.deliver(m)
}

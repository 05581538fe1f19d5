package session

import (
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
func blocksOf(parts []part) (all, sure bool) {
	for i := range parts {
		p := &parts[i]
		known, certain := anthropicBlock(p.kind)
		if !known || p.kind == "text" && p.text == nil || p.kind == "image" && !p.source {
			return false, false
		}
		sure = sure || certain
	}
	return true, sure
}

// looksAnthropic reports whether a line can't be taken for an OpenAI one: its
// content are blocks, and if they are of types that both write, nothing before
// spoke for OpenAI.
func looksAnthropic(o *object, m *memory) bool {
	content := o.get("content")
	if !isList(content) || openAIEvidence(o) {
		return false
	}
	parts := o.parts(content)
	all, sure := blocksOf(parts)
	return all && len(parts) > 0 && (sure || !m.openai)
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
		all, _ := blocksOf(o.parts(content))
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
	a := blockReader{entry: e, scratch: o.scratch, head: *m}
	a.head.ToolCalls = nil
	switch {
	case isText(content):
		m.Content = textOf(content)
		a.deliver(m)
	case !isList(content):
		a.deliver(m)
	case role == chat.Assistant:
		a.assistant(m, o.parts(content))
	default:
		a.others(m, o.parts(content))
	}
	if !a.gave {
		return skipped(reasonEmpty)
	}
	return read()
}

// blockReader turns the blocks of one line into messages.
type blockReader struct {
	*entry
	scratch *scratch
	head    chat.Message // what all messages of the line share
	gave    bool
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
func (a *blockReader) assistant(m *chat.Message, parts []part) {
	var reasoning []string
	text := a.texts[:0]
	flush := func() {
		m.Content = strings.Join(text, "\n")
		m.Reasoning = strings.Join(reasoning, "\n\n")
		a.deliver(m)
		clear(text) // don't hold on to long texts
		text, reasoning = text[:0], nil
	}
	for i := range parts {
		p := &parts[i]
		switch {
		case p.kind == "thinking":
			if isText(p.thinking) && len(p.thinking) > len(`""`) {
				reasoning = append(reasoning, textOf(p.thinking))
			}
		case p.kind == "redacted_thinking":
		case strings.HasSuffix(p.kind, "tool_use"):
			if !a.call(m, p) {
				text = append(text, string(p.raw))
			}
		case strings.HasSuffix(p.kind, "tool_result"):
			flush()
			a.result(p)
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

// call adds a tool_use block. Its input is kept as the JSON text recorded. A
// block without a name is no call; the caller keeps it as text.
func (a *blockReader) call(m *chat.Message, p *part) bool {
	if !isText(p.name) || len(p.name) == len(`""`) {
		m.Marks |= chat.MarkMalformedCall
		a.note(noteMalformed)
		return false
	}
	m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: recorded(p.id), Name: a.names.text(p.name), Arguments: recorded(p.input)})
	return true
}

// others reads the blocks of a user or system line in their order: runs of
// text become messages of that role, results become tool messages.
func (a *blockReader) others(m *chat.Message, parts []part) {
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
	for i := range parts {
		p := &parts[i]
		if strings.HasSuffix(p.kind, "tool_result") {
			flush()
			a.result(p)
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
func (a *blockReader) result(p *part) {
	m := a.next(chat.Tool)
	m.StopReason, m.Model = "", ""
	m.ToolCallID, m.IsError = recorded(p.answers), p.failed
	if isList(p.content) {
		saved := a.texts
		a.texts = nil // the texts of the line are in the other one
		a.scratch.nested = appendParts(a.scratch.nested[:0], p.content)
		m.Content = a.listText(a.scratch.nested, m)
		a.texts = saved
	} else {
		m.Content = recorded(p.content)
	}
	a.deliver(m)
}

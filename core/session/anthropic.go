package session

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
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
func blocksOf(parts partWalk) (all, sure bool) {
	for p := parts.next(); p != nil; p = parts.next() {
		known, certain := anthropicBlock(p.kind)
		if !known || p.kind == "text" && (p.text == nil || p.valued) || p.kind == "image" && !p.source {
			return false, false
		}
		sure = sure || certain
	}
	return true, sure
}

// looksAnthropic reports whether a line can't be taken for an OpenAI one: its
// content are blocks, and if they are of types that both write, nothing
// speaks for OpenAI (openai).
func looksAnthropic(o *object, openai bool) bool {
	content := o.Get("content")
	if !rawjson.IsList(content) || openAIEvidence(o) {
		return false
	}
	parts := o.parts(content)
	all, sure := blocksOf(parts)
	return all && len(parts.kept) > 0 && (sure || !openai)
}

func acceptsAnthropic(o *object, m *memory, inForce bool) bool {
	role, _, ok := roleOf(o.Get("role"))
	if !ok || role == chat.Tool {
		return false
	}
	return takesAnthropic(o, m.openai, inForce)
}

// takesAnthropic decides between the two styles: an object with blocks is
// Anthropic's, and one with text only if what came before is.
func takesAnthropic(o *object, openai, inForce bool) bool {
	if looksAnthropic(o, openai) {
		return true
	}
	if !inForce || openAIEvidence(o) {
		return false
	}
	content := o.Get("content")
	if rawjson.IsList(content) {
		all, _ := blocksOf(o.parts(content))
		return all
	}
	return rawjson.IsNull(content) || rawjson.IsText(content)
}

func decodeAnthropic(o *object, e *entry) outcome {
	role, why, ok := roleOf(o.Get("role"))
	if !ok {
		return why
	}
	e.stream()
	return e.anthropicMessage(o, role, e)
}

// deliverer takes the messages of a session.
type deliverer interface {
	deliver(m *chat.Message) (gave bool)
}

// anthropicMessage reads and delivers what an object in Anthropic's style
// holds: one message, or several if results stand in it.
func (e *entry) anthropicMessage(o *object, role chat.Role, to deliverer) outcome {
	m := e.message(role)
	var content []byte
	for i := range o.Fields {
		name, val := o.At(i)
		if string(name) == "content" {
			content = val
		} else {
			e.common(m, string(name), val)
		}
	}
	return readIf(e.blocks(o, m, content, to))
}

// blocks delivers what the content of a message holds, and reports whether that
// gave any. m has what all messages of the line share.
func (e *entry) blocks(o *object, m *chat.Message, content []byte, to deliverer) (gave bool) {
	a := blockReader{entry: e, to: to, head: *m}
	a.head.ToolCalls = nil
	switch {
	case !rawjson.IsList(content):
		m.Content = textual(content)
		a.deliver(m)
	case m.Role == chat.Assistant:
		a.assistant(m, o.parts(content))
	default:
		a.others(m, o.parts(content))
	}
	return a.gave
}

// blockReader turns the blocks of one line into messages.
type blockReader struct {
	*entry
	to   deliverer
	head chat.Message // what all messages of the line share
	gave bool
}

func (a *blockReader) deliver(m *chat.Message) {
	if a.to.deliver(m) {
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
func (a *blockReader) assistant(m *chat.Message, parts partWalk) {
	flush := func() {
		m.Content, m.Reasoning = a.text.take(), a.reasons.take()
		a.deliver(m)
	}
	for p := parts.next(); p != nil; p = parts.next() {
		switch {
		case p.kind == "thinking":
			a.reasoningPart(p)
		case p.kind == "redacted_thinking":
		case strings.HasSuffix(p.kind, "tool_use"):
			a.addCall(m, p.raw, p.id, p.name, p.input)
		case strings.HasSuffix(p.kind, "tool_result"):
			flush()
			a.result(p)
			m = a.next(chat.Assistant)
		default:
			a.addElement(p, &m.Marks)
		}
	}
	flush()
}

// others reads the blocks of a user or system line in their order: runs of
// text become messages of that role, results become tool messages.
func (a *blockReader) others(m *chat.Message, parts partWalk) {
	role := m.Role
	var marks chat.Marks
	flush := func() {
		m := a.next(role)
		m.Child = "" // belongs to results
		m.Content = a.text.take()
		if !a.exact {
			m.Content = strings.TrimSpace(m.Content)
		}
		m.Marks |= marks
		if m.Content != "" {
			a.deliver(m)
		}
		marks = 0
	}
	for p := parts.next(); p != nil; p = parts.next() {
		if strings.HasSuffix(p.kind, "tool_result") {
			flush()
			a.result(p)
			continue
		}
		a.addElement(p, &marks)
	}
	flush()
}

// result delivers a tool_result block as a tool message.
func (a *blockReader) result(p *part) {
	m := a.next(chat.Tool)
	m.StopReason, m.Model = "", ""
	m.ToolCallID, m.IsError = rawjson.Recorded(p.answers), p.failed
	m.Content = a.textOrJSON(m, p.content)
	a.deliver(m)
}

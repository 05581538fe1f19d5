package main

import "strconv"

// format writes sessions as one kind of recorder does. A new one is a row
// here and a file of its own.
type format struct {
	name string
	// begin writes what stands before the first message.
	begin func(*page, *author)
	// message writes the line or lines of one message.
	message func(*page, *message)
}

var formats = []format{
	{"openai", beginOpenAI, openAIMessage},
	{"anthropic", beginAnthropic, anthropicMessage},
}

// beginOpenAI writes the metadata line that some recorders put first.
func beginOpenAI(p *page, a *author) {
	if a.rng.IntN(2) == 0 {
		return
	}
	p.raw(`{"_type": "metadata", "key": "`)
	p.raw(a.id)
	p.raw(`", "created_at": "`)
	p.time(a.now)
	p.raw(`", "metadata": {"model": "`)
	p.raw(a.model)
	p.raw("\"}}\n")
}

func openAIMessage(p *page, m *message) {
	for i := range m.results {
		r := &m.results[i]
		p.raw(`{"role": "tool", "tool_call_id": "`)
		p.raw(r.id)
		p.raw(`", "name": "`)
		p.raw(r.tool)
		p.raw(`", "content": "`)
		p.text(r.content)
		p.end(m)
	}
	if m.role == "tool" {
		return
	}
	p.raw(`{"role": "`)
	p.raw(m.role)
	p.raw(`", `)
	if !m.reasoning.empty() {
		p.raw(`"reasoning_content": "`)
		p.text(m.reasoning)
		p.raw(`", `)
	}
	if len(m.calls) > 0 {
		p.raw(`"tool_calls": [`)
		for i, c := range m.calls {
			if i > 0 {
				p.raw(`, `)
			}
			p.raw(`{"id": "`)
			p.raw(c.id)
			p.raw(`", "type": "function", "function": {"name": "`)
			p.raw(c.tool.name)
			p.raw(`", "arguments": "`)
			p.escaped(c.args)
			p.raw(`"}}`)
		}
		p.raw(`], `)
	}
	if m.content.empty() {
		p.raw(`"content": null, "timestamp": "`)
		p.time(m.at)
		p.raw("\"}\n")
		return
	}
	p.raw(`"content": "`)
	p.text(m.content)
	p.end(m)
}

// end closes the content and the line.
func (p *page) end(m *message) {
	p.raw(`", "timestamp": "`)
	p.time(m.at)
	p.raw("\"}\n")
}

func beginAnthropic(*page, *author) {}

func anthropicMessage(p *page, m *message) {
	role := m.role
	if role == "tool" {
		role = "user"
	}
	p.raw(`{"role": "`)
	p.raw(role)
	p.raw(`", `)
	if m.model != "" {
		p.raw(`"model": "`)
		p.raw(m.model)
		p.raw(`", `)
	}
	p.raw(`"content": [`)
	anthropicBlocks(p, m)
	p.raw(`], `)
	if m.role == "assistant" {
		p.raw(`"stop_reason": "`)
		if len(m.calls) > 0 {
			p.raw(`tool_use", `)
		} else {
			p.raw(`end_turn", `)
		}
	}
	p.raw(`"timestamp": "`)
	p.time(m.at)
	p.raw("\"}\n")
}

func anthropicBlocks(p *page, m *message) {
	between := ""
	next := func(kind string) {
		p.raw(between)
		p.raw(kind)
		between = ", "
	}
	if !m.reasoning.empty() {
		next(`{"type": "thinking", "thinking": "`)
		p.text(m.reasoning)
		p.raw(`", "signature": "`)
		p.buf = strconv.AppendUint(p.buf, p.pcg.Uint64(), 36)
		p.raw(`"}`)
	}
	if !m.content.empty() {
		next(`{"type": "text", "text": "`)
		p.text(m.content)
		p.raw(`"}`)
	}
	for i := range m.results {
		r := &m.results[i]
		next(`{"type": "tool_result", "tool_use_id": "`)
		p.raw(r.id)
		if r.failed {
			p.raw(`", "is_error": true, "content": "`)
		} else {
			p.raw(`", "content": "`)
		}
		p.text(r.content)
		p.raw(`"}`)
	}
	for _, c := range m.calls {
		next(`{"type": "tool_use", "id": "`)
		p.raw(c.id)
		p.raw(`", "name": "`)
		p.raw(c.tool.name)
		p.raw(`", "input": `)
		p.buf = append(p.buf, c.args...)
		p.raw(`}`)
	}
}

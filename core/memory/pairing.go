package memory

import (
	"winnow/core/chat"
	"winnow/core/outcome"
)

// pairing finds the calls that results answer.
type pairing struct {
	open []openCall
	step bool // the last message was the assistant's
}

type openCall struct {
	n, at int
	id    string
	call  *chat.ToolCall
}

// openMost bounds the calls that wait for a result.
const openMost = 256

// take notes the calls of a message, or which call it answers and what became of
// that.
func (p *pairing) take(s *Said, m *chat.Message) {
	switch s.Role {
	case chat.Assistant:
		if !p.step {
			p.open = p.open[:copy(p.open, withID(p.open))]
		}
		for i := range m.ToolCalls {
			if len(p.open) >= openMost {
				p.open = append(p.open[:0], p.open[openMost/2:]...)
			}
			p.open = append(p.open, openCall{s.N, i, m.ToolCalls[i].ID, &m.ToolCalls[i]})
		}
	case chat.Tool:
		p.answer(s, m)
	}
	p.step = s.Role == chat.Assistant
}

// withID returns the calls that a result can still name.
func withID(open []openCall) (named []openCall) {
	for _, c := range open {
		if c.id != "" {
			named = append(named, c)
		}
	}
	return named
}

// answer finds the call that a result answers: the latest with its id, else the
// first without one.
func (p *pairing) answer(s *Said, m *chat.Message) {
	s.Tool = m.Name
	at := -1
	for i := len(p.open) - 1; i >= 0 && m.ToolCallID != "" && at < 0; i-- {
		if p.open[i].id == m.ToolCallID {
			at = i
		}
	}
	for i := 0; i < len(p.open) && at < 0; i++ {
		if c := &p.open[i]; (m.ToolCallID == "" || c.id == "") && (m.Name == "" || c.call.Name == m.Name) {
			at = i
		}
	}
	if at < 0 {
		s.Found = outcome.Of(outcome.CallOf(m.Name, ""), m)
		return
	}
	c := p.open[at]
	p.open = append(p.open[:at], p.open[at+1:]...)
	s.Tool, s.Answers, s.Call = c.call.Name, c.n, c.at
	s.Found = outcome.Of(outcome.CallOf(c.call.Name, c.call.Arguments), m)
}

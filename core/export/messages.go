package export

import "winnow/core/chat"

// each yields the messages.
func (s *Sample) each(yield func(*Message) bool) {
	for i := range s.Messages {
		if !yield(&s.Messages[i]) {
			return
		}
	}
}

// assistants yields the messages of the assistant.
func (s *Sample) assistants(yield func(*Message) bool) { s.of(chat.Assistant, yield) }

// results yields the results of tools.
func (s *Sample) results(yield func(*Message) bool) { s.of(chat.Tool, yield) }

func (s *Sample) of(role chat.Role, yield func(*Message) bool) {
	for i := range s.Messages {
		if m := &s.Messages[i]; m.Role == role && !yield(m) {
			return
		}
	}
}

// calls yields all calls with their messages.
func (s *Sample) calls(yield func(*Message, *chat.ToolCall) bool) {
	for m := range s.each {
		for j := range m.Calls {
			if !yield(m, &m.Calls[j]) {
				return
			}
		}
	}
}

// keep removes the messages that are not wanted.
func (s *Sample) keep(want func(i int, m *Message) bool) {
	kept := s.Messages[:0]
	for i := range s.Messages {
		if m := &s.Messages[i]; want(i, m) {
			kept = append(kept, *m)
		}
	}
	s.Messages = kept
}

// last returns the place of the last message that is asked for, -1 without one.
func (s *Sample) last(is func(*Message) bool) int {
	for i := len(s.Messages) - 1; i >= 0; i-- {
		if is(&s.Messages[i]) {
			return i
		}
	}
	return -1
}

// prompts counts the system messages that the sample begins with.
func (s *Sample) prompts() (n int) {
	for n < len(s.Messages) && isPrompt(s.Messages[n].Role, s.Messages[n].Marks) {
		n++
	}
	return n
}

// step is a message with the tool results that directly follow it.
type step struct {
	message *Message // nil for results at the very beginning
	results []Message
}

// steps cuts a sample into steps: results may answer the calls of their own
// step only.
func (s *Sample) steps(yield func(step) bool) {
	for i := 0; i < len(s.Messages); {
		var st step
		if s.Messages[i].Role != chat.Tool {
			st.message = &s.Messages[i]
			i++
		}
		from := i
		for i < len(s.Messages) && s.Messages[i].Role == chat.Tool {
			i++
		}
		st.results = s.Messages[from:i]
		if !yield(st) {
			return
		}
	}
}

// unanswered lists the calls of a step without a result.
func (st step) unanswered() (open []chat.ToolCall) {
	calls := st.calls()
	if len(calls) == 0 {
		return nil
	}
	answered := make(map[string]bool, len(st.results))
	for i := range st.results {
		answered[st.results[i].ToolCallID] = true
	}
	for _, c := range calls {
		if !answered[c.ID] {
			open = append(open, c)
		}
	}
	return open
}

func (st step) calls() []chat.ToolCall {
	if st.message == nil {
		return nil
	}
	return st.message.Calls
}

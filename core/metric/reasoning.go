package metric

import "winnow/core/chat"

// reasoning is the share of the assistant's messages that carry reasoning, in a
// field of its own or in front of the content. What the recorder wrote in the
// assistant's place does not count.
type reasoning struct {
	messages, thought int
	without           cited
}

func (s *reasoning) add(r *reading) {
	if r.m.Role != chat.Assistant || !r.own {
		return
	}
	s.messages++
	if r.thought {
		s.thought++
	} else {
		s.without.add(r.n)
	}
}

func (s *reasoning) score(*ending) (float64, string, bool) {
	if s.thought == 0 {
		return 0, "", false // the recorder may not write it down
	}
	reason := of(s.thought, s.messages, "message") + " of the assistant" + plural(s.thought, " carries", " carry") + " reasoning"
	if s.thought < s.messages {
		reason += "; not: " + s.without.String()
	}
	return share(s.thought, s.messages), reason, true
}

func (s *reasoning) flag(_ *ending, set func(Flag, bool)) {
	set(NoReasoning, s.messages > 0 && s.thought == 0)
}

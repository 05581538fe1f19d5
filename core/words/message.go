package words

import "winnow/core/chat"

// Texts calls f for each text of a message that is searched: its content, its
// reasoning, the name of its tool, and the names and arguments of its calls. It
// stops when f returns false.
func Texts(m *chat.Message, f func(text string) bool) {
	for _, text := range [...]string{m.Content, m.Reasoning, m.Name} {
		if text != "" && !f(text) {
			return
		}
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		if c.Name != "" && !f(c.Name) || c.Arguments != "" && !f(unescaped(c.Arguments)) {
			return
		}
	}
}

// AddMessage adds the words of a message.
func (s *Set) AddMessage(m *chat.Message) {
	Texts(m, func(text string) bool {
		s.Add(text)
		return true
	})
}

// InMessage reports whether one of a message's texts holds what is searched for.
func (f *Finder) InMessage(m *chat.Message) (found bool) {
	Texts(m, func(text string) bool {
		found = f.In(text)
		return !found
	})
	return found
}

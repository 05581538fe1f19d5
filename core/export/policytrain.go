package export

import "winnow/core/chat"

// apply switches off what the policy does not train. Nothing is switched on.
func (p Train) apply(s *Sample) {
	switch p {
	case TrainLast:
		s.maskBefore(s.last(func(m *Message) bool { return m.Role == chat.Assistant }))
	case TrainAfterErrors:
		s.maskBefore(s.last(func(m *Message) bool { return m.Role == chat.Tool && m.Failed }))
	case TrainSucceeded:
		s.steps(func(st step) {
			for i := range st.results {
				if st.results[i].Failed && st.message != nil {
					st.message.Train = false
				}
			}
		})
	}
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

func (s *Sample) maskBefore(place int) {
	for i := range max(place, 0) {
		s.Messages[i].Train = false
	}
}

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
		for st := range s.steps {
			for i := range st.results {
				if st.results[i].Failed && st.message != nil {
					st.message.Train = false
				}
			}
		}
	}
}

func (s *Sample) maskBefore(place int) {
	for i := range max(place, 0) {
		s.Messages[i].Train = false
	}
}

package export

import (
	"winnow/core/chat"
	"winnow/core/edit"
)

// written switches off, by the edits over the messages of a sample, what a curator put
// in not to be trained, and with TrainEdited all that no curator wrote. A redaction
// takes out, and writes nothing. It reports whether anything is left to be trained.
func (p Train) written(s *Sample, edits []edit.Edit) bool {
	of := map[edit.Place]*edit.Edit{}
	for i := range edits {
		if e := &edits[i]; !e.Clash && e.Op != edit.Drop {
			of[edit.Place{N: e.N, Part: e.Part}] = e
		}
	}
	left := false
	for i := range s.Messages {
		m := &s.Messages[i]
		e := of[edit.Place{N: m.N, Part: m.part}]
		if e != nil && e.Untrained || p == TrainEdited && (e == nil || e.Why == edit.Redact) {
			m.Train = false
		}
		left = left || m.Train
	}
	return left
}

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

package export

import "winnow/core/chat"

// trainedSummary keeps out what would teach a model to sum up what came before, as an
// answer to it. Samples have that switched off, which is of no use where a format
// cannot say so.
var trainedSummary = Check{
	"summary", "no summary of what came before is trained", "", nil,
	func(s *Sample, e *Emitter, tell teller) {
		for m := range s.assistants {
			switch {
			case !m.summarizes():
			case m.Train:
				tell(m, "a summary of what came before is trained")
			case e.unmarked:
				tell(m, "a summary of what came before stands as an answer, and the format cannot say that it is not trained")
			}
		}
	},
}

// summarizes reports whether an assistant's message holds a summary of what came
// before, or one that was read back is such a summary.
func (m *Message) summarizes() bool { return m.sums || m.recorded().Summary() }

// recorded is a message as far as it tells whether it is a summary.
func (m *Message) recorded() *chat.Message {
	return &chat.Message{Role: m.Role, Content: m.Content, Marks: m.Marks}
}

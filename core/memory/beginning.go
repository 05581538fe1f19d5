package memory

import (
	"strings"

	"winnow/core/phrases"
)

// Beginning is a quote of what a message says first: the line of its text, else of a
// call; "" if it says nothing that proves anything.
func (s *Said) Beginning(most int) string {
	if s.Text != NotShown {
		for line := range strings.Lines(s.Text) {
			if line = fold(line); line != "" && line != NotShown {
				return strings.TrimSpace(phrases.Clip(line, most))
			}
		}
	}
	for _, call := range s.calls {
		for line := range strings.Lines(call) {
			if line = fold(line); line != "" {
				return strings.TrimSpace(phrases.Clip(line, most))
			}
		}
	}
	return ""
}

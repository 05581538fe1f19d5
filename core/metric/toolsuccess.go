package metric

import (
	"winnow/core/chat"
	"winnow/core/outcome"
)

// toolSuccess is the share of tool results that are no failure. The result of a
// call that ran something which reports a failure, as tests do, is half of one:
// the tool did what it was called for.
type toolSuccess struct {
	results        int
	failed, exited int
	where, exits   cited
}

func (s *toolSuccess) add(r *reading) {
	if r.m.Role != chat.Tool {
		return
	}
	s.results++
	switch r.found.Outcome {
	case outcome.Error:
		s.failed++
		s.where.add(r.n)
	case outcome.Exit:
		s.exited++
		s.exits.add(r.n)
	}
}

func (s *toolSuccess) score(*ending) (float64, string, bool) {
	if s.results == 0 {
		return 0, "", false
	}
	good := s.results - s.failed - s.exited
	value := share(2*good+s.exited, 2*s.results)
	switch {
	case s.results == 1 && s.failed > 0:
		return value, "the only tool result is a failure: " + s.where.String(), true
	case s.results == 1 && s.exited > 0:
		return value, "what the only call ran reports a failure: " + s.exits.String(), true
	}
	reason := of(good, s.results, "tool result") + " succeeded"
	if s.failed > 0 {
		reason += "; failed: " + s.where.String()
	}
	if s.exited > 0 {
		reason += "; what ran reports a failure: " + s.exits.String()
	}
	return value, reason, true
}

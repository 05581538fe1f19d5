package metric

// toolSuccess is the share of tool results that are no failure.
type toolSuccess struct {
	results, failed int
	where           cited
}

func (s *toolSuccess) add(r *reading) {
	if r.m.Role != "tool" {
		return
	}
	s.results++
	if r.failed {
		s.failed++
		s.where.add(r.n)
	}
}

func (s *toolSuccess) score(*ending) (float64, string, bool) {
	if s.results == 0 {
		return 0, "", false
	}
	reason := of(s.results-s.failed, s.results, "tool result") + " succeeded"
	switch {
	case s.failed == 0:
	case s.results == 1:
		reason = "the only tool result is a failure: " + s.where.String()
	default:
		reason += "; failed: " + s.where.String()
	}
	return share(s.results-s.failed, s.results), reason, true
}

package metric

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
)

// recovery is the share of failed calls that a later success of the same tool
// followed: of a call that was made when the failure was known.
type recovery struct {
	failures, recovered int
	open                map[int][]int // by tool: messages of failures that nothing made good yet
}

func (s *recovery) add(r *reading) {
	switch {
	case r.m.Role != chat.Tool:
	case r.found.Outcome != outcome.OK:
		if s.open == nil {
			s.open = map[int][]int{}
		}
		s.failures++
		s.open[r.tool] = append(s.open[r.tool], r.n)
	case len(s.open[r.tool]) > 0:
		made := r.n
		if r.paired {
			made = r.answers.n
		}
		known, _ := slices.BinarySearch(s.open[r.tool], made)
		s.recovered += known
		s.open[r.tool] = s.open[r.tool][known:]
	}
}

func (s *recovery) score(end *ending) (float64, string, bool) {
	if s.failures == 0 {
		return 0, "", false
	}
	const made = " followed by a later success of the same tool"
	names := ""
	if s.recovered < s.failures {
		where, tools := s.left(end)
		names = where.String() + " (" + strings.Join(tools, ", ") + ")"
	}
	reason := of(s.recovered, s.failures, "failed call") + plural(s.recovered, " was", " were") + made
	switch {
	case s.recovered == s.failures:
	case s.failures == 1:
		reason = "the only failed call was not" + made + ": " + names
	default:
		reason += "; not: " + names
	}
	return share(s.recovered, s.failures), reason, true
}

// left returns the failures that nothing made good, and the first of their
// tools by name.
func (s *recovery) left(end *ending) (where cited, names []string) {
	var all []int
	for row, open := range s.open {
		if len(open) > 0 {
			all = append(all, open...)
			names = append(names, end.tools.shown(row))
		}
	}
	slices.Sort(all)
	for _, n := range all {
		where.add(n)
	}
	slices.Sort(names)
	if len(names) > citedMost {
		names = append(names[:citedMost:citedMost], "…")
	}
	return where, names
}

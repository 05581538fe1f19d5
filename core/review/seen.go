package review

import "slices"

// Span are messages of a body that follow each other, by their recorded numbers,
// from 1; both belong to it.
type Span struct{ First, Last int }

// Spans are messages of a body: spans in their order that neither overlap nor touch.
// nil is none.
type Spans []Span

// Add adds messages, and reports whether any of them is new. What was a copy of it
// stays as it is.
func (s *Spans) Add(a Span) bool {
	if a.Last < a.First || s.Has(a) {
		return false
	}
	from := s.after(a.First - 1)
	to := from
	for ; to < len(*s) && (*s)[to].First <= a.Last+1; to++ {
		a = Span{min(a.First, (*s)[to].First), max(a.Last, (*s)[to].Last)}
	}
	*s = slices.Concat((*s)[:from], Spans{a}, (*s)[to:])
	return true
}

// after returns the index of the first span that does not end before message n.
func (s Spans) after(n int) int {
	i, _ := slices.BinarySearchFunc(s, n, func(have Span, n int) int { return have.Last - n })
	return i
}

// Has reports whether all messages of a span are among them.
func (s Spans) Has(a Span) bool {
	i := s.after(a.First)
	return i < len(s) && s[i].First <= a.First && a.Last <= s[i].Last
}

// HasAll reports whether all of others are among them.
func (s Spans) HasAll(others Spans) bool {
	return !slices.ContainsFunc(others, func(o Span) bool { return !s.Has(o) })
}

// Count returns how many messages from first to last are among them.
func (s Spans) Count(first, last int) (n int) {
	for i := s.after(first); i < len(s) && s[i].First <= last; i++ {
		n += min(last, s[i].Last) - max(first, s[i].First) + 1
	}
	return n
}

// Both returns the messages that are in both.
func (s Spans) Both(others Spans) (both Spans) {
	for _, o := range others {
		for i := s.after(o.First); i < len(s) && s[i].First <= o.Last; i++ {
			both = append(both, Span{max(o.First, s[i].First), min(o.Last, s[i].Last)})
		}
	}
	return both
}

// Without returns those that are not among others.
func (s Spans) Without(others Spans) (left Spans) {
	for _, a := range s {
		for i := others.after(a.First); i < len(others) && others[i].First <= a.Last; i++ {
			if others[i].First > a.First {
				left = append(left, Span{a.First, others[i].First - 1})
			}
			a.First = others[i].Last + 1
		}
		if a.First <= a.Last {
			left = append(left, a)
		}
	}
	return left
}

// Share is how much was seen of a segment, 0 to 1: 0 of one without messages.
func Share(seen, messages int) float64 {
	if messages <= 0 {
		return 0
	}
	return float64(seen) / float64(messages)
}

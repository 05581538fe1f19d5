package segment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"winnow/core/chat"
	"winnow/core/review"
)

// Difference is what changed between the messages that a verdict was given on
// and those that its segment holds now.
type Difference struct {
	Added   []Span `json:"added"`   // numbers of messages of the segment, in order
	Removed []Span `json:"removed"` // numbers in the body that the verdict was given on, in order
	Unknown bool   `json:"-"`       // what the verdict was given on is not kept; the rest is empty

	compared bool // the messages were, not only their places
}

// EachFunc calls f for messages from..to of a body, in order, and returns the
// first error of f. A message is valid during the call.
type EachFunc = func(ctx context.Context, body int64, from, to int, f func(*chat.Message) error) error

// Since tells what changed since a stale segment had the verdict that it
// remembers. Messages are read only if they lie in another body: all of both,
// 16 bytes of each are kept. Old ones that are not there any more leave the
// difference unknown.
func Since(ctx context.Context, s *review.Segment, each EachFunc) (Difference, error) {
	was, now := Span{s.WasStart, s.WasEnd}, Span{s.Start, s.End}
	switch {
	case s.WasBody == 0 || was.From < 1 || was.Len() < 1:
		return Difference{Unknown: true}, nil
	case s.WasBody == s.Body:
		return Difference{Added: without(now, was), Removed: without(was, now)}, nil
	}
	before, err := sums(ctx, s.WasBody, was, each)
	if errors.Is(err, review.ErrNotFound) {
		return Difference{Unknown: true}, nil
	}
	if err != nil {
		return Difference{}, err
	}
	after, err := sums(ctx, s.Body, now, each)
	if err != nil {
		return Difference{}, err
	}
	same := common(before, after)
	return Difference{Added: missing(now, same, 1), Removed: missing(was, same, 0), compared: true}, nil
}

func sums(ctx context.Context, body int64, span Span, each EachFunc) ([]chat.Sum, error) {
	s := Sums{list: make([]chat.Sum, 0, min(span.Len(), 1<<16))}
	err := each(ctx, body, span.From, span.To, func(m *chat.Message) error {
		s.Add(m)
		return nil
	})
	if err == nil && len(s.list) != span.Len() {
		err = fmt.Errorf("messages %d to %d %w: run winnow doctor", span.From, span.To, review.ErrNotFound)
	}
	return s.list, err
}

// without returns what of a span is not in another one.
func without(s, other Span) []Span {
	var list []Span
	if before := (Span{s.From, min(s.To, other.From-1)}); before.Len() > 0 {
		list = append(list, before)
	}
	if behind := (Span{max(s.From, other.To+1), s.To}); behind.Len() > 0 {
		list = append(list, behind)
	}
	return list
}

// missing returns the runs of a span whose indices are not among the pairs.
func missing(s Span, pairs [][2]int, side int) []Span {
	var list []Span
	next := s.From
	for _, p := range pairs {
		if n := s.From + p[side]; n > next {
			list = append(list, Span{next, n - 1})
		}
		next = s.From + p[side] + 1
	}
	if next <= s.To {
		list = append(list, Span{next, s.To})
	}
	return list
}

// New reports whether message n of the segment was added.
func (d Difference) New(n int) bool {
	for _, s := range d.Added {
		if s.From <= n && n <= s.To {
			return true
		}
	}
	return false
}

// Counts returns the number of messages added and removed.
func (d Difference) Counts() (added, removed int) {
	for _, s := range d.Added {
		added += s.Len()
	}
	for _, s := range d.Removed {
		removed += s.Len()
	}
	return added, removed
}

// maxRuns is the number of runs of added messages that are named: they fit in
// a line.
const maxRuns = 3

// String says it in a line: "4 messages added (11–14), 1 removed".
func (d Difference) String() string {
	added, removed := d.Counts()
	switch {
	case d.Unknown:
		return "what changed is not known"
	case added+removed == 0 && d.compared:
		return "no message changed: an equal segment left, and nobody can tell which of them was meant"
	case added+removed == 0:
		return "messages changed in place"
	case added == 0:
		return messages(removed) + " removed"
	}
	var runs []string
	for i, s := range d.Added {
		if i == maxRuns {
			runs = append(runs, "…")
			break
		}
		if s.From == s.To {
			runs = append(runs, fmt.Sprint(s.From))
		} else {
			runs = append(runs, fmt.Sprintf("%d–%d", s.From, s.To))
		}
	}
	text := fmt.Sprintf("%s added (%s)", messages(added), strings.Join(runs, ", "))
	if removed > 0 {
		text += fmt.Sprintf(", %d removed", removed)
	}
	return text
}

func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

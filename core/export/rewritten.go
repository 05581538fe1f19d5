package export

import (
	"context"
	"fmt"

	"winnow/core/review"
)

// about makes a job about one answer of a segment: what stands there now, or what the
// model wrote, each after what stands before it now.
type about struct {
	rewriting
	recordedOne bool
}

// eachRewriting yields, for a format that says of each record whether it is wanted,
// the answers of a candidate that a curator rewrote, and what the model wrote. The
// candidate itself is about the last one.
func eachRewriting(ctx context.Context, src Source, c *candidate, train Train, yield func(job) error) error {
	list, err := rewritings(ctx, src, &c.segment, c.edits)
	if err != nil {
		return err
	}
	for i := range list {
		end := answerAt(c.messages, list[i].n) + 1
		for _, recorded := range [...]bool{false, true} {
			switch {
			case end == 0, !recorded && (list[i].redacted || end == c.lastAnswer(train)):
				continue // as the candidate itself, or nothing better
			}
			one := *c
			one.messages, one.about = c.messages[:end:end], &about{list[i], recorded}
			if recorded && !list[i].redacted {
				one.messages = append(one.messages[:end-1:end-1], list[i].recorded)
			}
			if err := yield(&sampling{candidate: one}); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastAnswer returns the place after the last answer that is trained.
func (c *candidate) lastAnswer(train Train) int {
	s := New(&c.segment, c.session, c.messages)
	train.written(s, c.edits)
	return s.last(func(m *Message) bool { return m.Train }) + 1
}

// narrow makes a sample one that is about a single answer, its last message.
func (a *about) narrow(s *Sample) {
	if a == nil {
		return
	}
	for i := range s.Messages {
		s.Messages[i].Train = i == len(s.Messages)-1
	}
	s.said = 0
	s.ID += fmt.Sprint("-", a.n)
	if a.recordedOne {
		s.ID += "-recorded"
		s.Verdict = review.Rejected
	}
}

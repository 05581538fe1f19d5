package tree

import (
	"context"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export"
	"winnow/core/export/pairs"
	"winnow/core/review"
)

// reading follows a session from a message on.
type reading struct {
	ctx      context.Context
	src      Source
	session  *review.Session
	over     []edit.Edit
	segments []review.Segment
	next     int  // the number of the message that is read next
	many     int  // how many were read at once
	asked    bool // something was asked before the first that is read
	run      pairs.Run
	steps    []step // that were read
}

// step is a message, with what it may be in a pair.
type step struct {
	pairs.Step
	n      int
	answer bool
}

// open begins with the first message of a session.
func (r *reading) open(s *review.Session) (err error) {
	r.session, r.next = s, 1
	if r.segments, err = r.src.SegmentsOf(r.ctx, s.ID); err != nil {
		return err
	}
	r.over, err = r.src.Edits(r.ctx, s.Body, 1, s.Messages)
	return err
}

// at returns step i, nil if the session ends before.
func (r *reading) at(i int) (*step, error) {
	for i >= len(r.steps) && r.next <= r.session.Messages {
		r.many = max(batch, 2*r.many)
		err := r.src.EachMessage(r.ctx, r.session.Body, r.next, r.next+r.many-1, func(m *chat.Message) error {
			r.steps = append(r.steps, r.step(m))
			return nil
		})
		if err != nil {
			return nil, err
		}
		r.next += r.many
	}
	if i >= len(r.steps) {
		return nil, nil
	}
	return &r.steps[i], nil
}

// step adds a message to the run.
func (r *reading) step(m *chat.Message) step {
	s := step{n: m.N, answer: m.Role == chat.Assistant}
	s.Before, s.Asked = r.run.At(), r.run.Asked() || r.asked
	s.Sum = r.run.Next(m)
	at := slices.IndexFunc(r.segments, func(g review.Segment) bool { return g.Start <= m.N && m.N <= g.End })
	if m.Part > 0 || at < 0 || !decided(&r.segments[at]) {
		s.Kind = pairs.Other
		return s
	}
	s.Place = pairs.Place{N: int32(m.N)}
	s.Kind, s.Approved = export.SideOf(&r.segments[at], m, r.over)
	return s
}

// decided reports whether a verdict for a side of a pair was given.
func decided(g *review.Segment) bool {
	return g.Verdict == review.Approved || g.Verdict == review.Rejected
}

// part finds where two sessions part, and what is there; some is whether they have
// anything in common.
func part(a, b *reading, to *Beside) (some bool, err error) {
	for i := range mostCompared {
		x, err := a.at(i)
		if err != nil {
			return some, err
		}
		y, err := b.at(i)
		switch {
		case err != nil || x == nil || y == nil:
			return some, err
		case x.Sum == y.Sum:
			some, to.At = true, max(to.At, x.n)
			continue
		}
		to.AtAnswer = x.answer && y.answer
		to.Pair = makePair(x.Step, y.Step)
		return some, nil
	}
	to.Far = true
	return some, nil
}

// makePair reports whether what follows the same messages makes a pair.
func makePair(x, y pairs.Step) bool {
	if x.Kind == pairs.Other || y.Kind == pairs.Other {
		return false
	}
	y.Place.Segment = 1
	x.Asked, y.Asked = x.Asked || y.Asked, x.Asked || y.Asked
	var forks pairs.Forks
	forks.Add(x)
	forks.Add(y)
	return len(forks.Find(1, 0).Pairs) > 0
}

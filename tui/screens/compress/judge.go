package compress

import (
	"cmp"
	"context"

	"winnow/core/filter"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/keys"
)

// judging gives the proposal a verdict.
func judging(to proposal.Status) func(*Screen) { return func(s *Screen) { s.judge(to) } }

// judge gives the proposal a verdict, and goes on to the next one.
func (s *Screen) judge(to proposal.Status) {
	s.writing = true
	done := map[proposal.Status]string{proposal.Accepted: "accepted", proposal.Rejected: "rejected", proposal.Proposed: "proposed again"}[to]
	s.program.Judge(s.proposal(), to, "compression "+done+": "+s.program.Name(&s.seen.Got.Segment), func(err error) {
		if s.writing = false; s.Ctx.Err() != nil {
			return
		}
		if s.Reload(); err == nil && to != proposal.Proposed {
			s.goOn(false, true)
		}
	})
}

func (s *Screen) noWrite() string { return s.program.NoChange() }

func (s *Screen) noJudge() string {
	if reason := s.noChange(); reason != "" {
		return reason
	}
	return keys.Reason(s.proposal().Status == proposal.Failed, "it failed: there is nothing to judge")
}

func (s *Screen) noAccept() string {
	return cmp.Or(s.noFresh(), s.noJudge(), keys.Reason(s.writing, "it is being written"))
}

func (s *Screen) noTakeBack() string {
	if reason := s.noChange(); reason != "" {
		return reason
	}
	st := s.proposal().Status
	return keys.Reason(st != proposal.Accepted && st != proposal.Rejected, "it has no verdict")
}

// withProposal lets segments through that have a proposal, or one that nobody has
// judged.
func withProposal(unjudged bool) filter.Node {
	if unjudged {
		return filter.Term{Field: filter.Compression, Op: filter.Is, Value: string(proposal.Proposed)}
	}
	return filter.Term{Field: filter.Has, Op: filter.Is, Value: "compression"}
}

// found is a segment to go on to.
type found struct {
	review.Segment
	again bool // from the top
}

// goOn goes to the next or the previous segment that has a proposal, in the order of
// the list; if it has to be one that is not judged, from the top again after its end.
func (s *Screen) goOn(back, unjudged bool) {
	q := s.program.Query()
	q.Filter, q.Limit, q.Back = filter.All(q.Filter, withProposal(unjudged)), 2, back
	if from := s.from(); from != nil {
		q.After = review.CursorOf(q.Order, from)
	}
	lib, of := s.lib, s.of
	s.next.Ask(&s.Seat, func(ctx context.Context) (found, error) {
		to, err := other(ctx, lib, q, of)
		if err == nil && to.ID == "" && unjudged && q.After.ID != "" {
			q.After = review.Cursor{}
			to, err = other(ctx, lib, q, of)
			to.again = true
		}
		return to, err
	}, func(to found, err error) {
		switch {
		case err != nil:
			s.Fail("no next proposal", err)
		case to.ID != "":
			s.show(to.ID)
			s.program.Select(to.Segment)
			if to.again {
				s.program.Add("from the top again")
			}
		case unjudged:
			s.program.Add("no other proposal of the list is to be judged")
		case back:
			s.program.Add("no segment before this one has a proposal")
		default:
			s.program.Add("no segment after this one has a proposal")
		}
	})
}

// from is the segment that is shown, as it was read last.
func (s *Screen) from() *review.Segment {
	if s.seen.Came {
		return &s.seen.Got.Segment
	}
	return s.program.Segment()
}

// other returns the first segment that a query asks for but one.
func other(ctx context.Context, lib Library, q review.Query, but string) (to found, err error) {
	p, err := lib.Segments(ctx, q)
	if q.Back { // the nearest is the last
		for i := range p.Segments {
			if p.Segments[i].ID != but {
				to.Segment = p.Segments[i]
			}
		}
		return to, err
	}
	for i := range p.Segments {
		if p.Segments[i].ID != but {
			return found{Segment: p.Segments[i]}, err
		}
	}
	return to, err
}

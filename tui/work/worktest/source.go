// Package worktest has work for tests that nobody does.
package worktest

import (
	"context"
	"slices"

	"winnow/tui/work"
)

// Source has what it is given to do, and keeps what it was told to do.
type Source struct {
	Left    work.Plan // to be done
	Allowed []string  // hosts
	// Instead says that what is done here is done in place of a model.
	Instead bool
	// Run is what is done besides, nil for nothing.
	Run    func(ctx context.Context, send bool, report func(work.Progress)) error
	Fail   error // of Plan
	Refuse error // of Plan.Allow

	Plans int    // how often it was asked what there is to do
	Did   string // what was done, here (h) or by a model (m)
}

// Plan implements work.Source.
func (s *Source) Plan(context.Context) (work.Plan, error) {
	s.Plans++
	p := s.Left
	if !slices.Contains(s.Allowed, p.Host) {
		p.Allow = func(context.Context) error {
			if s.Refuse == nil {
				s.Allowed = append(s.Allowed, p.Host)
			}
			return s.Refuse
		}
	}
	return p, s.Fail
}

// Do implements work.Source.
func (s *Source) Do(ctx context.Context, send bool, report func(work.Progress)) error {
	if send {
		s.Did, s.Left.Sent = s.Did+"m", 0
	} else if s.Did, s.Left.Here = s.Did+"h", 0; s.Instead {
		s.Left.Sent = 0
	}
	if s.Run == nil {
		return nil
	}
	return s.Run(ctx, send, report)
}

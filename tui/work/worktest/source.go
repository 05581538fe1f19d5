// Package worktest has work for tests that nobody does.
package worktest

import (
	"context"
	"slices"
	"sync"

	"winnow/tui/work"
)

// Source has what it is given to do, and keeps what it was told to do.
type Source struct {
	// Run is what is done besides, if it is set.
	Run func(ctx context.Context, send bool, report func(work.Progress)) error
	// Instead says that what is done here is done in place of a model.
	Instead bool
	Fail    error // of Plan
	Refuse  error // of Plan.Allow

	mu      sync.Mutex // guards what follows
	plan    work.Plan
	plans   int
	allowed []string
	did     string
}

// New returns a source that has something to do, and hosts that are allowed.
func New(p work.Plan, allowed ...string) *Source { return &Source{plan: p, allowed: allowed} }

// Give gives it something to do.
func (s *Source) Give(p work.Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = p
}

func (s *Source) allow(host string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Refuse == nil {
		s.allowed = append(s.allowed, host)
	}
	return s.Refuse
}

// Plan implements work.Source.
func (s *Source) Plan(context.Context) (work.Plan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans++
	p := s.plan
	if !slices.Contains(s.allowed, p.Host) {
		p.Allow = func(context.Context) error { return s.allow(p.Host) }
	}
	return p, s.Fail
}

// Do implements work.Source.
func (s *Source) Do(ctx context.Context, send bool, report func(work.Progress)) error {
	s.done(send)
	if s.Run == nil {
		return nil
	}
	return s.Run(ctx, send, report)
}

func (s *Source) done(send bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if send {
		s.did += "m"
	} else {
		s.did += "h"
		s.plan.Here = 0
	}
	if send || s.Instead {
		s.plan.Sent = 0
	}
}

// Did says what was done, here (h) or by a model (m).
func (s *Source) Did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.did
}

// Plans counts how often it was asked what there is to do.
func (s *Source) Plans() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plans
}

// Allowed are the hosts that were allowed.
func (s *Source) Allowed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.allowed)
}

package desk

import (
	"context"
	"time"

	"winnow/core/cycle"
	"winnow/store"
	"winnow/tui/screens/pipeline"
)

// pipelined tells what comes in, and what is done with it.
type pipelined struct {
	*store.Store
	now func() time.Time
}

// How much of it is shown at most.
const (
	mostUploads  = 200
	mostCycles   = 30
	mostAttempts = 500
	mostNamed    = 100
)

// Pipeline implements pipeline.Library.
func (p pipelined) Pipeline(ctx context.Context) (s pipeline.State, err error) {
	if s.Cycles, err = p.Cycles(ctx, mostCycles); err != nil {
		return s, err
	}
	leases, err := p.Leases(ctx)
	if err != nil {
		return s, err
	}
	for _, l := range leases {
		if l.Until.After(p.now()) {
			s.Leases = append(s.Leases, l)
		}
	}
	cycle.Settle(s.Cycles, leases, p.now())
	if s.Attempts, err = p.Attempts(ctx, ""); err != nil {
		return s, err
	}
	s.Attempts = s.Attempts[:min(len(s.Attempts), mostAttempts)]
	s.Names = p.names(ctx, s.Attempts)
	if s.Agents, err = p.Agents(ctx); err != nil {
		return s, err
	}
	s.Uploads, err = p.Ingests(ctx, 0, mostUploads)
	return s, err
}

// names are topics of segments and names of sessions. What is not there any more has none.
func (p pipelined) names(ctx context.Context, list []cycle.Attempt) map[string]string {
	names := map[string]string{}
	for i := range list[:min(len(list), mostNamed)] {
		key := list[i].Key
		if seg, err := p.Segment(ctx, key); err == nil {
			names[key] = seg.Topic
		} else if s, err := p.Session(ctx, key); err == nil {
			names[key] = s.Title
		}
	}
	return names
}

// Retry implements pipeline.Library.
func (p pipelined) Retry(ctx context.Context, kind, key string) (n int, err error) {
	if kind != "" {
		return p.Store.Retry(ctx, kind, key)
	}
	all, err := p.Attempts(ctx, "")
	kinds := map[string]bool{}
	for i := range all {
		kinds[all[i].Kind] = true
	}
	for kind := range kinds {
		if err == nil {
			var more int
			more, err = p.Store.Retry(ctx, kind, "")
			n += more
		}
	}
	return n, err
}

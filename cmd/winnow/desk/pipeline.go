package desk

import (
	"context"
	"slices"
	"sync"

	"winnow/core/cycle"
	"winnow/core/lease"
	"winnow/core/train"
	"winnow/tui/screens/pipeline"
)

// pipelined tells what comes in, and what is done with it.
type pipelined struct {
	*Desk

	mu      sync.Mutex // guards what follows
	read    *pipeline.State
	commits int64                 // when it was read
	losses  map[int64]train.Point // the last ones of runs that had ended

	planning  sync.Mutex // guards what follows: a plan takes long
	due       dueOf      // what plan was made of
	plan      train.Plan
	unplanned error // why there is no plan
}

// How much of it is shown at most.
const (
	mostUploads  = 200
	mostCycles   = 30
	mostAttempts = 500
)

// Pipeline implements pipeline.Library. It is asked again and again: the database is read
// only if something was committed.
func (p *pipelined) Pipeline(ctx context.Context) (s pipeline.State, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.read != nil {
		if err := p.settle(ctx, p.read.Runs...); err != nil {
			return s, err
		}
	}
	commits, err := p.Commits(ctx)
	if err != nil {
		return s, err
	}
	if p.read == nil || p.commits != commits {
		all, err := p.all(ctx)
		if err != nil {
			return s, err
		}
		p.read, p.commits = &all, commits
	}
	now := p.Now()
	s = *p.read
	s.Cycles = slices.Clone(s.Cycles)
	cycle.Settle(s.Cycles, s.Leases, now)
	s.Leases = slices.DeleteFunc(slices.Clone(s.Leases), func(l lease.Lease) bool { return !l.Until.After(now) })
	return s, nil
}

// all reads everything, with leases that are over.
func (p *pipelined) all(ctx context.Context) (s pipeline.State, err error) {
	if s.Cycles, err = p.Cycles(ctx, mostCycles); err != nil {
		return s, err
	}
	if s.Leases, err = p.Leases(ctx); err != nil {
		return s, err
	}
	if s.Attempts, s.Names, err = p.Waiting(ctx, mostAttempts); err != nil {
		return s, err
	}
	if s.Agents, err = p.Agents(ctx); err != nil {
		return s, err
	}
	if s.Uploads, err = p.Ingests(ctx, 0, mostUploads); err != nil {
		return s, err
	}
	return s, p.runs(ctx, &s)
}

// Retry implements pipeline.Library.
func (p *pipelined) Retry(ctx context.Context, kind, key string) (n int, err error) {
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

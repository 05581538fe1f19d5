package store

import (
	"context"
	"time"

	"winnow/core/cycle"
	"winnow/core/lease"
	"winnow/store/cycles"
	"winnow/store/sqlite"
)

var (
	_ lease.Store = (*Store)(nil)
	_ cycle.Store = (*Store)(nil)
)

// TakeLease implements lease.Store. As with all that concerns leases and cycles, it is
// no change of Version.
func (s *Store) TakeLease(ctx context.Context, l lease.Lease, taken time.Time) (held lease.Lease, ok bool, err error) {
	err = s.writeBeside(ctx, "take a lease", func(t *tx) (err error) {
		held, ok, err = cycles.Take(t.Tx, l, taken)
		return err
	})
	return held, ok && err == nil, err
}

// RenewLease implements lease.Store.
func (s *Store) RenewLease(ctx context.Context, l lease.Lease) (ok bool, err error) {
	err = s.writeBeside(ctx, "renew a lease", func(t *tx) (err error) {
		ok, err = cycles.Renew(t.Tx, l)
		return err
	})
	return ok, err
}

// ReturnLease implements lease.Store.
func (s *Store) ReturnLease(ctx context.Context, name, token string) error {
	return s.writeBeside(ctx, "give a lease back", func(t *tx) error { return cycles.Return(t.Tx, name, token) })
}

// Leases implements lease.Store.
func (s *Store) Leases(ctx context.Context) ([]lease.Lease, error) {
	list, err := cycles.Leases(s.asks(ctx))
	return list, s.fail("list leases", err)
}

// BeginCycle implements cycle.Store.
func (s *Store) BeginCycle(ctx context.Context, c *cycle.Cycle) error {
	return s.writeBeside(ctx, "begin a cycle", func(t *tx) error { return cycles.Begin(t.Tx, c) })
}

// PutStep implements cycle.Store.
func (s *Store) PutStep(ctx context.Context, id int64, step *cycle.Step) error {
	return s.writeBeside(ctx, "keep a step of a cycle", func(t *tx) error { return cycles.PutStep(t.Tx, id, step) })
}

// EndCycle implements cycle.Store.
func (s *Store) EndCycle(ctx context.Context, id int64, ended time.Time) error {
	return s.writeBeside(ctx, "end a cycle", func(t *tx) error { return cycles.End(t.Tx, id, ended) })
}

// Cycles implements cycle.Store.
func (s *Store) Cycles(ctx context.Context, limit int) (list []cycle.Cycle, err error) {
	err = s.db.Read(ctx, func(v *sqlite.View) (err error) {
		list, err = cycles.List(v.Rows, limit)
		return err
	})
	return list, s.fail("list cycles", err)
}

// CostSince implements cycle.Store.
func (s *Store) CostSince(ctx context.Context, t time.Time) (float64, error) {
	cost, err := cycles.Cost(s.asks(ctx), t)
	return cost, s.fail("add up costs", err)
}

// StepDone returns when a step of a cycle last ended well, zero if it never did.
func (s *Store) StepDone(ctx context.Context, step string) (time.Time, error) {
	at, err := cycles.LastDone(s.asks(ctx), step)
	return at, s.fail("look when a step was done", err)
}

// StepTokens returns what steps of cycles used that began since a time, by their names.
func (s *Store) StepTokens(ctx context.Context, since time.Time) (map[string]cycle.Usage, error) {
	used, err := cycles.Tokens(s.asks(ctx), since)
	return used, s.fail("count tokens of steps", err)
}

// Attempts implements cycle.Store.
func (s *Store) Attempts(ctx context.Context, kind string) ([]cycle.Attempt, error) {
	list, err := cycles.Attempts(s.asks(ctx), kind)
	return list, s.fail("list what failed", err)
}

// Waiting returns up to limit of what failed, by kind and key, and the topics of its
// segments and titles of its sessions by their keys.
func (s *Store) Waiting(ctx context.Context, limit int) (list []cycle.Attempt, names map[string]string, err error) {
	list, names, err = cycles.Waiting(s.asks(ctx), limit)
	return list, names, s.fail("list what failed", err)
}

// Tried implements cycle.Store.
func (s *Store) Tried(ctx context.Context, kind string, done []string, failed []cycle.Attempt) error {
	return s.writeBeside(ctx, "keep what failed", func(t *tx) error { return cycles.Tried(t.Tx, kind, done, failed) })
}

// Retry implements cycle.Store.
func (s *Store) Retry(ctx context.Context, kind, key string) (n int, err error) {
	err = s.writeBeside(ctx, "try again", func(t *tx) (err error) {
		n, err = cycles.Retry(t.Tx, kind, key)
		return err
	})
	return n, err
}

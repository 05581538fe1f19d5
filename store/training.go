package store

import (
	"cmp"
	"context"
	"fmt"

	"winnow/core/train"
	"winnow/store/curves"
	"winnow/store/sqlite"
	"winnow/store/training"
)

var _ train.Store = (*Store)(nil)

// changeRun runs f in one transaction that is on the disk when it is done: what was paid
// for is not forgotten with the power. As with all that concerns runs, it is no change of
// Version.
func (s *Store) changeRun(ctx context.Context, what string, f func(*tx) error) error {
	return s.writeUnseen(ctx, sqlite.Curator, what, f)
}

// BeginRun implements train.Store. A run that was not made at another time is made now.
func (s *Store) BeginRun(ctx context.Context, r *train.Run) error {
	if r.Created.IsZero() {
		r.Created = s.now()
	}
	return s.changeRun(ctx, "begin a run", func(t *tx) error { return training.Begin(t.Tx, r) })
}

// ChangeRun implements train.Store.
func (s *Store) ChangeRun(ctx context.Context, id int64, f func(*train.Run) error) (r train.Run, err error) {
	f, refused := refusing(f)
	err = s.changeRun(ctx, "change a run", func(t *tx) (err error) {
		r, err = training.Change(t.Tx, id, f)
		return err
	})
	return r, cmp.Or(*refused, err)
}

// refusing is what changes a run, and the error by which it refused to, which says all
// that is to be said.
func refusing(f func(*train.Run) error) (same func(*train.Run) error, refused *error) {
	refused = new(error)
	return func(r *train.Run) error {
		*refused = f(r)
		return *refused
	}, refused
}

// PutSamples implements train.Store. A content that is there twice counts once, and the
// counts of the run are those of what is kept.
func (s *Store) PutSamples(ctx context.Context, id int64, list []train.Sample, f func(*train.Run) error) (r train.Run, err error) {
	s.tidy(len(list))
	err = s.writeUnseen(ctx, sqlite.Machine, "keep the samples of a run", func(t *tx) (err error) {
		r, err = training.PutSamples(t.Tx, id, list, f)
		return err
	})
	return r, err
}

// FindRun implements train.Store.
func (s *Store) FindRun(ctx context.Context, id int64) (train.Run, error) {
	r, err := training.Find(s.asks(ctx), id)
	return r, s.fail("read a run", err)
}

// Runs implements train.Store.
func (s *Store) Runs(ctx context.Context, before int64, limit int) ([]train.Run, error) {
	const what = "list runs"
	if limit < 1 {
		return nil, s.fail(what, fmt.Errorf("limit %d: must be at least 1", limit))
	}
	list, err := training.List(s.asks(ctx), before, limit)
	return list, s.fail(what, err)
}

// OpenRuns implements train.Store.
func (s *Store) OpenRuns(ctx context.Context) ([]train.Run, error) {
	list, err := training.Open(s.asks(ctx))
	return list, s.fail("list runs", err)
}

// RunSamples implements train.Store.
func (s *Store) RunSamples(ctx context.Context, id int64, after string, limit int) ([]train.Sample, error) {
	list, err := training.Samples(s.asks(ctx), id, after, limit)
	return list, s.fail("list samples", err)
}

// Withdrawn implements train.Store.
func (s *Store) Withdrawn(ctx context.Context, id int64, after string, limit int) (list []train.Withdrawn, all int, err error) {
	err = s.db.Read(ctx, func(v *sqlite.View) (err error) {
		list, all, err = training.Withdrawn(v.Rows, id, after, limit)
		return err
	})
	return list, all, s.fail("list withdrawn samples", err)
}

// AddPoints implements train.Store. What is no number is not kept.
func (s *Store) AddPoints(ctx context.Context, id int64, list []train.Point) error {
	return s.writeBeside(ctx, "keep points of a run", func(t *tx) error { return curves.AddPoints(t.Tx, id, list) })
}

// BeginAgain implements train.Store.
func (s *Store) BeginAgain(ctx context.Context, id int64, from int) error {
	return s.writeBeside(ctx, "begin a run again", func(t *tx) error { return curves.BeginAgain(t.Tx, id, from) })
}

// Points implements train.Store.
func (s *Store) Points(ctx context.Context, id int64) ([]train.Point, error) {
	list, err := curves.Points(s.asks(ctx), id)
	return list, s.fail("read points of a run", err)
}

// PutEvals implements train.Store.
func (s *Store) PutEvals(ctx context.Context, id int64, list []train.Eval) error {
	return s.changeRun(ctx, "keep evaluations", func(t *tx) error { return curves.PutEvals(t.Tx, id, list) })
}

// Evals implements train.Store.
func (s *Store) Evals(ctx context.Context, id int64) ([]train.Eval, error) {
	list, err := curves.Evals(s.asks(ctx), id)
	return list, s.fail("read evaluations", err)
}

// NameModel implements train.Store.
func (s *Store) NameModel(ctx context.Context, name string, run int64) error {
	return s.changeRun(ctx, "name a model", func(t *tx) error { return training.NameModel(t.Tx, name, run) })
}

// ModelNames implements train.Store.
func (s *Store) ModelNames(ctx context.Context) (map[string]int64, error) {
	names, err := training.ModelNames(s.asks(ctx))
	return names, s.fail("read names of models", err)
}

// ToTrain implements train.Store.
func (s *Store) ToTrain(ctx context.Context) (c train.Counts, err error) {
	err = s.db.Read(ctx, func(v *sqlite.View) (err error) {
		c, err = training.ToTrain(v.Rows)
		return err
	})
	return c, s.fail("count what there is to train on", err)
}

// HeldBack implements train.Store.
func (s *Store) HeldBack(ctx context.Context, after string, limit int) ([]string, error) {
	list, err := training.HeldBack(s.asks(ctx), after, limit)
	return list, s.fail("list what is held back", err)
}

// HeldSessions implements train.Store.
func (s *Store) HeldSessions(ctx context.Context, after string, limit int) ([]string, error) {
	list, err := training.HeldSessions(s.asks(ctx), after, limit)
	return list, s.fail("list sessions that were held back", err)
}

// Trained implements train.Store.
func (s *Store) Trained(ctx context.Context, after string, limit int) ([]string, error) {
	list, err := training.Trained(s.asks(ctx), after, limit)
	return list, s.fail("list what was trained on", err)
}

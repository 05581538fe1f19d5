package work

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"winnow/core/train"
)

var errBusy = errors.New("database is locked")

// busy is a store that refuses what it is told to, a few times each or always.
type busy struct {
	train.Store
	times int // of each; -1: always
	what  map[string]bool

	mu      sync.Mutex
	refused map[string]int
}

func (b *busy) refuse(what string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.what[what] || b.refused[what] == b.times {
		return nil
	}
	b.refused[what]++
	return errBusy
}

func (b *busy) AddPoints(ctx context.Context, id int64, list []train.Point) error {
	if err := b.refuse("points"); err != nil {
		return err
	}
	return b.Store.AddPoints(ctx, id, list)
}

func (b *busy) PutEvals(ctx context.Context, id int64, list []train.Eval) error {
	if err := b.refuse("evals"); err != nil {
		return err
	}
	return b.Store.PutEvals(ctx, id, list)
}

func (b *busy) ChangeRun(ctx context.Context, id int64, f func(*train.Run) error) (train.Run, error) {
	return b.Store.ChangeRun(ctx, id, func(r *train.Run) error {
		was := *r
		if err := f(r); err != nil {
			return err
		}
		switch {
		case r.Status != was.Status:
			return b.refuse(string(r.Status))
		case r.PID != was.PID:
			return b.refuse("pid")
		case len(r.Command) != len(was.Command):
			return b.refuse("command")
		}
		return nil
	})
}

// A training that succeeded is kept, however often the database is busy for a moment.
func TestABusyDatabaseFailsNoTraining(t *testing.T) {
	every := map[string]bool{"points": true, "evals": true, "pid": true, "command": true, string(train.Evaluating): true, string(train.Succeeded): true}
	for what := range every {
		b := &busy{times: 3, what: map[string]bool{what: true}, refused: map[string]int{}}
		w := newWorkshop(t, Commands{Train: append(learning, "hold=HOLD"), Evaluate: []string{"evaluate={model}", "data={validation}"}})
		r := w.queued(nil)
		b.Store, w.Worker.Store = w.store, b
		if what == "pid" { // it is tried again as long as the trainer is there
			w.keep()
			go func() {
				w.until(func() bool { return w.run(r.ID).PID > 1 })
				w.release()
			}()
		}
		got := w.work(r.ID)
		evals, _ := w.store.Evals(t.Context(), r.ID)
		names, _ := w.store.ModelNames(t.Context())
		if got.Status != train.Succeeded || got.Error != "" || len(evals) != 2 || names[got.Model] != r.ID || len(w.losses(r.ID)) != 3 {
			t.Errorf("%s: %+v, %v, %v", what, got, evals, names)
		}
		if b.refused[what] != 3 {
			t.Errorf("%s: refused %d times", what, b.refused[what])
		}
	}
}

// What could never be kept is told of.
func TestWhatCannotBeKeptIsSaid(t *testing.T) {
	b := &busy{times: -1, what: map[string]bool{"points": true, string(train.Evaluating): true}, refused: map[string]int{}}
	w := newWorkshop(t, Commands{Train: learning, Evaluate: []string{"fail=no GPU"}})
	r := w.queued(nil)
	b.Store, w.Worker.Store = w.store, b
	got := w.work(r.ID)
	if got.Status != train.Succeeded || got.Model == "" || got.Metrics["loss"] == 0 {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"points of its metrics are lost: database is locked", "could not be kept: database is locked", "could not be evaluated: exit status 3: no GPU"} {
		if !strings.Contains(got.Error, want) {
			t.Errorf("%q does not say %q", got.Error, want)
		}
	}

	// A trainer that nobody else could find is ended, and the run says why.
	b = &busy{times: -1, what: map[string]bool{"pid": true}, refused: map[string]int{}}
	w = newWorkshop(t, Commands{Train: append(learning, "hold=HOLD")})
	w.keep()
	r = w.queued(nil)
	b.Store, w.Worker.Store = w.store, b
	if got := w.work(r.ID); got.Status != train.Failed || !strings.Contains(got.Error, "its process could not be kept: database is locked") {
		t.Errorf("%+v", got)
	}
}

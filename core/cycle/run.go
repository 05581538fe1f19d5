package cycle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"winnow/core/lease"
	"winnow/core/llm"
)

// Runner does cycles.
type Runner struct {
	Store  Store
	Keeper *lease.Keeper
	Tasks  []Task // in their order
	Limit  int    // of what each step does, 0: any number
	// MaxTokens is how many tokens a cycle may use, and MaxCost what a day may cost; 0:
	// any. What was begun is finished.
	MaxTokens int
	MaxCost   float64
	Quiet     time.Duration // for how long a session must not have changed
	// Told is called with each step when it has moved, and when it ends. Calls don't
	// overlap. It may be nil.
	Told func(*Step)
}

// waits is the error of what is to be waited for.
type waits struct{ error }

func (w waits) Unwrap() error { return w.error }

// Wait returns an error for a step that waits for something that a person has to see to:
// a model that is not there, or that nothing may be sent to.
func Wait(err error) error { return waits{err} }

// Once does one cycle. What became of the steps is in it; the error is of the database,
// or of a context that ended.
func (r *Runner) Once(ctx context.Context) (Cycle, error) {
	c := Cycle{Began: r.Keeper.Now(), Holder: r.Keeper.Holder}
	if err := r.Store.BeginCycle(ctx, &c); err != nil {
		return c, err
	}
	err := r.Keeper.Hold(ctx, fmt.Sprint(LeaseName, c.ID), func(ctx context.Context, _ string) error {
		for _, t := range r.Tasks {
			s, err := r.step(ctx, &c, t)
			c.Steps = append(c.Steps, s)
			r.tell(&s)
			if err != nil {
				return err
			}
		}
		return nil
	})
	c.Ended = r.Keeper.Now()
	return c, errors.Join(err, r.Store.EndCycle(context.WithoutCancel(ctx), c.ID, c.Ended))
}

func (r *Runner) tell(s *Step) {
	if r.Told != nil {
		r.Told(s)
	}
}

// movesEvery is how often a step is kept that moves.
const movesEvery = time.Second

// step does one step. It ends with an error only if the next ones would, too.
func (r *Runner) step(ctx context.Context, c *Cycle, t Task) (Step, error) {
	s := Step{Name: t.Name(), Status: Running, Began: r.Keeper.Now()}
	kept := s.Began
	if err := r.Store.PutStep(ctx, c.ID, &s); err != nil {
		return s, err
	}
	o, err := r.order(ctx, c, &s)
	if err == nil {
		var mu sync.Mutex
		o.moved = func(at Step) {
			mu.Lock()
			defer mu.Unlock()
			at.Name, at.Began, at.Status = s.Name, s.Began, Running
			r.tell(&at)
			if now := r.Keeper.Now(); now.Sub(kept) >= movesEvery {
				kept = now
				_ = r.Store.PutStep(ctx, c.ID, &at) // the end is what counts
			}
		}
		var done Step
		done, err = t.Do(ctx, o)
		done.Name, done.Began = s.Name, s.Began
		s = done
	}
	s.Ended = r.Keeper.Now()
	counts := s.conclude(ctx, err, o)
	after := context.WithoutCancel(ctx)
	var unkept error
	if o != nil {
		if unkept = o.attempts.keep(after, s.Ended, counts); unkept != nil {
			s.Status, s.Note = Failed, unkept.Error()
		}
	}
	// A step that ended is not left as one that runs.
	if err := errors.Join(unkept, r.Store.PutStep(after, c.ID, &s)); err != nil {
		return s, err
	}
	return s, context.Cause(ctx)
}

// order makes what a step is told.
func (r *Runner) order(ctx context.Context, c *Cycle, s *Step) (*Order, error) {
	o := &Order{Limit: r.Limit, Now: s.Began, Quiet: s.Began.Add(-r.Quiet), keeper: r.Keeper}
	o.budget = &budget{tokens: r.MaxTokens, cost: r.MaxCost}
	for i := range c.Steps {
		o.budget.usedTokens += c.Steps[i].TokensIn + c.Steps[i].TokensOut
	}
	var err error
	if r.MaxCost > 0 {
		y, m, d := s.Began.Date()
		if o.budget.usedCost, err = r.Store.CostSince(ctx, time.Date(y, m, d, 0, 0, 0, 0, s.Began.Location())); err != nil {
			return nil, err
		}
	}
	o.attempts, err = readAttempts(ctx, r.Store, s.Name)
	if err != nil {
		return nil, err
	}
	return o, nil
}

// conclude says what became of a step, and reports whether what failed in it counts.
func (s *Step) conclude(ctx context.Context, err error, o *Order) (counts bool) {
	var held *lease.Held
	var wait waits
	if o != nil && err == nil && o.attempts.down != nil {
		err = o.attempts.down
	}
	note := func(status Status, text string) {
		s.Status, s.Note = status, text
	}
	switch {
	case ctx.Err() != nil:
		note(Waiting, "stopped: the next cycle goes on from there")
		if errors.Is(context.Cause(ctx), lease.ErrLost) {
			note(Failed, lease.ErrLost.Error())
		}
		// One that fails whenever a step is stopped would be paid for each time.
		return o != nil && o.attempts.down == nil
	case errors.As(err, &held):
		note(Skipped, strings.TrimPrefix(held.Error(), held.Name+": "))
	case errors.As(err, &wait), llm.Unavailable(err):
		note(Waiting, err.Error())
		s.Failed = 0 // it was no fault of theirs
		return false
	case err != nil:
		note(Failed, err.Error())
	case o.budget.over != "":
		note(Waiting, o.budget.over)
		s.spent = true
	case s.Status != "":
	case s.Failed > 0:
		s.Status = Partly
	default:
		s.Status = Done
	}
	return true
}

// Every does cycles until ctx ends: one at once, and then one a while after the end of
// the one before, a tenth more or less, so that machines that began together do not
// stay together. told is called after each. chance returns a number from 0 to 1.
func (r *Runner) Every(ctx context.Context, pause time.Duration, chance func() float64, told func(Cycle, error)) {
	for ctx.Err() == nil {
		told(r.Once(ctx))
		select {
		case <-ctx.Done():
		case <-r.Keeper.After(time.Duration(float64(pause) * (0.9 + 0.2*chance()))):
		}
	}
}

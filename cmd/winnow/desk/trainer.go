package desk

import (
	"context"

	"winnow/core/train"
)

// trainer begins runs and ends them for the screen.
type trainer struct{ *Desk }

// Plan implements training.Trainer.
func (t trainer) Plan(ctx context.Context, data string) (train.Plan, error) {
	p, err := t.PlanRun(ctx, RunAsk{Data: data}, nil)
	if err != nil {
		return p, err
	}
	counts, err := t.ToTrain(ctx)
	if err == nil {
		p.Due, err = t.saying(ctx, t.DueBy(&p, counts).Text)
	}
	return p, err
}

// Begin implements training.Trainer.
func (t trainer) Begin(ctx context.Context, data string) (train.Run, error) {
	r, err := t.BeginTraining(ctx, RunAsk{Data: data, Cause: train.Asked}, nil)
	if r.ID != 0 && !r.Status.Ended() {
		return r, nil // it waits, and the next cycle goes on with it
	}
	return r, err
}

// Stop implements training.Trainer.
func (t trainer) Stop(ctx context.Context, id int64) (train.Run, error) {
	return t.StopRun(ctx, id, false)
}

// Resume implements training.Trainer.
func (t trainer) Resume(ctx context.Context, id int64) (train.Run, error) {
	return t.ResumeRun(ctx, id)
}

// Promote implements training.Trainer.
func (t trainer) Promote(ctx context.Context, id int64, force bool) (train.Run, error) {
	r, _, err := t.Desk.Promote(ctx, id, force)
	return r, err
}

// settle finds out which runs are lost, if one of these has not ended and anything may be
// written.
func (d *Desk) settle(ctx context.Context, runs ...train.Run) error {
	for i := range runs {
		if !runs[i].Status.Ended() && d.Writable() == nil {
			return d.Trainer().Settle(ctx)
		}
	}
	return nil
}

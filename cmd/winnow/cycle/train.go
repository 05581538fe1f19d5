package cycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"winnow/cmd/winnow/desk"
	"winnow/core/cycle"
	"winnow/core/train"
	"winnow/tui/draw"
)

// train looks after runs, and begins one that is due if [train] auto says so; else it says
// what is due.
func (d *Database) train(ctx context.Context, _ *cycle.Order) (s cycle.Step, err error) {
	if err := d.Trainer().Settle(ctx); err != nil {
		return s, err
	}
	if d.Text("train.backend") == string(train.ByCommand) && len(d.Commands.Train) == 0 {
		return s, nil
	}
	if open, err := d.OpenRuns(ctx); err != nil || len(open) > 0 {
		return d.lookAfter(ctx, open, err)
	}
	v, err := d.Due(ctx)
	if err != nil || !v.Due && !v.Waits {
		return s, err
	}
	s.Note = strings.TrimPrefix(v.Text, "due: ")
	auto := d.Truth("train.auto")
	if auto && v.Due && v.Waits {
		s.Todo, s.Status = 1, cycle.Waiting // for a person, who learns of it in no other way
	}
	if !v.May {
		return s, nil
	}
	if !auto {
		s.Note += ": " + d.Command("train") + " begins a run, or each cycle with [train] auto"
		return s, nil
	}
	s.Todo = 1
	r, err := d.BeginTraining(ctx, desk.RunAsk{Cause: train.Due}, nil)
	if nothing := train.Nothing(""); errors.As(err, &nothing) {
		return cycle.Step{Note: string(nothing)}, nil
	}
	if err != nil {
		return s, err
	}
	s.Done, s.Note = 1, fmt.Sprintf("run %d: %s, %d of them new", r.ID, draw.Plural(r.Samples, "sample"), r.New)
	return s, nil
}

// lookAfter has runs go on that a server trains. Those that a command trains do so by
// themselves.
func (d *Database) lookAfter(ctx context.Context, open []train.Run, err error) (s cycle.Step, _ error) {
	for i := range open {
		if r := open[i]; err == nil && r.Backend == train.ByOpenAI {
			s.Todo++
			if r, err = d.StepRun(ctx, r.ID); err != nil {
				return s, cycle.Wait(err)
			}
			if r.Status != open[i].Status {
				s.Done++
				s.Note = fmt.Sprintf("run %d: %s", r.ID, r.Status)
			}
		}
	}
	return s, err
}

package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"winnow/cmd/winnow/models"
	"winnow/core/train"
	"winnow/core/train/remote"
	"winnow/core/train/work"
)

// driving does something with what takes the steps of a run that a server trains. A run
// stays with its server, whatever is configured since: another one knows nothing of it,
// and was not what was allowed.
func (d *Desk) driving(ctx context.Context, r *train.Run, do func(*remote.Driver) (train.Run, error)) (train.Run, error) {
	server, err := models.NewTuner(d.Config, r.Base, d.Now)
	if err != nil {
		return *r, err
	}
	if server.Host() != r.Host {
		return *r, fmt.Errorf("run %d is trained by %s, and base_url in [train] names %s: set it back", r.ID, r.Host, server.Host())
	}
	if err := d.mustAllow(ctx, r.Host); err != nil {
		return *r, err
	}
	place := d.Trainer().Place(r.ID)
	driver := &remote.Driver{Store: d.Store, Server: server, Now: d.Now, Evaluates: len(d.Commands.Evaluate) > 0}
	if r.Status == train.Uploading { // its data is needed until the server has it
		if next, err := d.sends(ctx, r, driver); err != nil || next.Status.Ended() {
			return next, err
		}
	}
	if place.Gone(r) == nil { // a job is looked at without its folder, too
		if log, err := os.OpenFile(place.Log(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err == nil {
			defer log.Close()
			driver.Log = log
		}
	}
	next, err := do(driver)
	if err == nil {
		d.Trainer().Discard(&next)
	}
	return next, err
}

// sends gives a driver what a run sends to its server. A run with samples that would train
// no more ends.
func (d *Desk) sends(ctx context.Context, r *train.Run, driver *remote.Driver) (train.Run, error) {
	if err := d.stands(ctx, r.ID); errors.As(err, new(train.Nothing)) {
		next, err := d.unbegun(ctx, r.ID, err)
		if next.Status.Ended() {
			err = nil
		}
		return next, err
	} else if err != nil {
		return *r, err
	}
	place := d.Trainer().Place(r.ID)
	if err := place.Gone(r); err != nil {
		return *r, err
	}
	files, err := work.Files(place, r.Manifest)
	if err != nil {
		return *r, err
	}
	driver.Train, driver.Validation = files[train.Train], files[train.Validation]
	return *r, nil
}

// StepRun has a run that a server trains go on, until there is something to wait for.
func (d *Desk) StepRun(ctx context.Context, id int64) (r train.Run, err error) {
	if r, err = d.FindRun(ctx, id); err != nil {
		return r, err
	}
	if r.Status == train.Evaluating {
		return r, d.measure(ctx, id)
	}
	err = d.Keeper("winnow train").Hold(ctx, work.LeaseName(id), func(ctx context.Context, _ string) error {
		r, err = d.driving(ctx, &r, func(driver *remote.Driver) (train.Run, error) {
			for looked := false; ; {
				next, err := driver.Step(ctx, r)
				if err != nil || next.Status.Ended() || next.Status == train.Evaluating || looked {
					return next, err
				}
				r, looked = next, next.Remote.Job != ""
			}
		})
		return err
	})
	if err == nil && r.Backend == train.ByOpenAI && r.Status == train.Evaluating {
		err = d.measure(ctx, id)
	}
	return r, err
}

// measure has a worker evaluate what a server trained, unless one is at it.
func (d *Desk) measure(ctx context.Context, id int64) error {
	w := d.Trainer()
	if is, err := w.AtIt(ctx, id); is || err != nil {
		return err
	}
	if d.Start == nil {
		return errors.New("no worker can be started here")
	}
	r, err := d.FindRun(ctx, id)
	if err == nil {
		err = w.Place(id).Gone(&r)
	}
	if err != nil {
		return err
	}
	ended, err := d.work(w, id)
	if err != nil {
		return fmt.Errorf("run %d is trained, and the worker that evaluates it could not be started: %w", id, err)
	}
	return w.Taken(ctx, id, ended)
}

// work starts the worker of a run. Its end is told.
func (d *Desk) work(w *work.Worker, id int64) (<-chan error, error) {
	return d.Start(w.Place(id).Log(), "runs", "work", strconv.FormatInt(id, 10), "--db", d.Path)
}

// WatchRun has a run go on that waits for it, and returns it as it is then: one that a
// server trains when it has ended, any other one at once.
func (d *Desk) WatchRun(ctx context.Context, r train.Run) (train.Run, error) {
	w := d.Trainer()
	switch {
	case r.Backend != train.ByOpenAI:
		return r, w.Settle(ctx)
	case r.Status == train.Evaluating:
		return r, d.measure(ctx, r.ID)
	}
	err := d.Keeper("winnow train").Hold(ctx, work.LeaseName(r.ID), func(ctx context.Context, _ string) (err error) {
		r, err = d.driving(ctx, &r, func(driver *remote.Driver) (train.Run, error) { return driver.Watch(ctx, r, w.After) })
		return err
	})
	return r, err
}

// StopRun ends a run, and what is at work on it, here or on a server. With here no server
// is asked: its job may go on.
func (d *Desk) StopRun(ctx context.Context, id int64, here bool) (train.Run, error) {
	w := d.Trainer()
	if err := w.Settle(ctx); err != nil {
		return train.Run{}, err
	}
	r, err := d.FindRun(ctx, id)
	if err != nil {
		return r, err
	}
	if r.Backend != train.ByOpenAI || r.Manifest == "" || r.Status == train.Uploading || r.Status == train.Evaluating || r.Status.Ended() {
		return w.Stop(ctx, id) // no server has a job of it
	}
	if here {
		return d.ChangeRun(ctx, id, func(now *train.Run) error {
			if now.Status != r.Status {
				return train.ErrMoved
			}
			now.Status, now.Ended, now.Error = train.Cancelled, d.Now(), fmt.Sprintf("only here: its job at %s may go on", r.Host)
			return nil
		})
	}
	r, err = d.driving(ctx, &r, func(driver *remote.Driver) (train.Run, error) { return driver.Cancel(ctx, r) })
	if err != nil {
		err = fmt.Errorf("%w; %s ends it here, and its job at %s may go on", err, d.Command(fmt.Sprintf("runs stop %d --here", id)), r.Host)
	}
	return r, err
}

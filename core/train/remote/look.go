package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"winnow/core/llm"
	"winnow/core/train"
)

// statusOf is the status of a run by that of its job. A word that the protocol does not
// have, such as paused, is one of a job that goes on.
func statusOf(s llm.JobStatus) train.Status {
	switch s {
	case llm.JobValidating, llm.JobQueued:
		return train.Queued
	case llm.JobSucceeded:
		return train.Succeeded
	case llm.JobFailed:
		return train.Failed
	case llm.JobCancelled:
		return train.Cancelled
	}
	return train.Running
}

// look asks how far a job is.
func (d *Driver) look(ctx context.Context, r *train.Run) (train.Run, error) {
	job, err := d.Server.Job(ctx, r.Remote.Job)
	if err != nil {
		return *r, err
	}
	return d.take(ctx, r, job)
}

// take keeps what a server says of a job.
func (d *Driver) take(ctx context.Context, r *train.Run, job llm.Job) (train.Run, error) {
	last, values, err := d.events(ctx, r)
	if err != nil {
		return *r, err
	}
	status := statusOf(job.Status)
	next, err := d.change(ctx, r, func(now *train.Run) error {
		if last != "" {
			now.Remote.Event = last
		}
		now.Metrics = merged(now.Metrics, values)
		if now.Status = status; !status.Ended() {
			return nil
		}
		now.Ended, now.Error, now.Model = d.Now(), job.Error, job.Model
		if job.Tokens > 0 {
			now.Metrics = merged(now.Metrics, map[string]float64{"trained_tokens": float64(job.Tokens)})
		}
		switch {
		case status == train.Failed && job.Error == "":
			now.Error = "the server says that the job failed, and not why"
		case status == train.Succeeded && d.Evaluates:
			now.Status = train.Evaluating
		}
		return nil
	})
	if err != nil || !status.Ended() {
		return next, err
	}
	d.end(&next, status)
	return next, nil
}

// end says what came of a job.
func (d *Driver) end(r *train.Run, status train.Status) {
	switch {
	case status == train.Succeeded && r.Model == "":
		d.say("job %s succeeded; %s names no model: look there", r.Remote.Job, d.Server.Host())
	case status == train.Succeeded:
		d.say("job %s succeeded: %s", r.Remote.Job, r.Model)
	case r.Error != "":
		d.say("job %s: %s: %s", r.Remote.Job, status, r.Error)
	default:
		d.say("job %s: %s", r.Remote.Job, status)
	}
}

func merged(m, more map[string]float64) map[string]float64 {
	if len(more) == 0 {
		return m
	}
	m = maps.Clone(m)
	if m == nil {
		m = map[string]float64{}
	}
	maps.Copy(m, more)
	return m
}

// events writes what was said since the last look into the log, and keeps its points. It
// returns the last event and the last value of each metric. A server that tells none
// does not keep a run from ending.
func (d *Driver) events(ctx context.Context, r *train.Run) (last string, values map[string]float64, err error) {
	list, more, err := d.Server.Events(ctx, r.Remote.Job, r.Remote.Event)
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case err != nil:
		if !llm.Gone(err) {
			d.say("what happened is not told: %v", err)
		}
		return "", nil, nil
	case more:
		d.say("more happened than is told: some of it is left out")
	}
	values = map[string]float64{}
	var points []train.Point
	for i := range list {
		e := &list[i]
		at, level := e.At, e.Level
		if at.IsZero() {
			at = d.Now()
		}
		if level == "" {
			level = "info"
		}
		d.line(at, level, e.Message)
		for _, name := range slices.Sorted(maps.Keys(e.Values)) {
			points = append(points, train.Point{Step: e.Step, Name: name, Value: e.Values[name]})
			values[name] = e.Values[name]
		}
		last = e.ID
	}
	if len(points) > 0 {
		err = d.Store.AddPoints(ctx, r.ID, points)
	}
	return last, values, err
}

// Cancel stops a run, and the job of it, if there is one. A server may take its time: the
// run has ended when a later step says so.
func (d *Driver) Cancel(ctx context.Context, r train.Run) (train.Run, error) {
	r, err := d.Store.FindRun(ctx, r.ID)
	switch {
	case err != nil:
		return r, err
	case r.Status.Ended():
		return r, fmt.Errorf("run %d has ended already: %s", r.ID, r.Status.Clause())
	}
	if err := d.check(&r); err != nil {
		return r, err
	}
	job := r.Remote.Job
	if job == "" && r.Status == train.Queued { // there may be one that nobody wrote down
		if job, err = d.unknown(ctx, &r); err != nil {
			return r, fmt.Errorf("run %d: whether there is a job of it is not known: %w", r.ID, err)
		}
	}
	if job == "" || !ours(r.Status) {
		return d.Store.ChangeRun(ctx, r.ID, func(now *train.Run) error {
			if now.Status != r.Status || now.Remote.Job != r.Remote.Job {
				return train.ErrMoved
			}
			now.Status, now.Ended = train.Cancelled, d.Now()
			return nil
		})
	}
	told, err := d.Server.CancelJob(ctx, job)
	if llm.Refused(err) && !llm.Gone(err) { // it has ended by itself
		told, err = d.Server.Job(ctx, job)
	}
	if err != nil {
		return r, fmt.Errorf("run %d: job %s is not cancelled: %w", r.ID, job, err)
	}
	d.say("asked %s to cancel job %s: %s", d.Server.Host(), job, told.Status)
	if r.Remote.Job == "" {
		if r, err = d.change(ctx, &r, func(now *train.Run) error { now.Remote.Job = job; return nil }); err != nil {
			return r, err
		}
	}
	return d.take(ctx, &r, told)
}

// unknown returns a job of a run that is not written down, "" if there is none.
func (d *Driver) unknown(ctx context.Context, r *train.Run) (string, error) {
	base, err := d.base(ctx, r)
	if err != nil {
		return "", err
	}
	job, _, err := d.find(ctx, r, base)
	if llm.Gone(err) {
		return "", nil
	}
	return job.ID, err
}

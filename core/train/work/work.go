// Package work trains with a command: it begins it, reads what it prints, stops it, and
// keeps what came of it. What is executed comes from the configuration alone; of a run
// come only names, numbers and paths that take the place of words in braces.
//
// A worker has the lease "train:ID" of its run as long as it works. A run whose lease is
// over, and whose process is gone, is lost: Settle says so.
package work

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/core/lease"
	"winnow/core/train"
)

// Commands are what is executed: programs with their arguments, of which no shell reads
// any.
type Commands struct {
	Train    []string
	Resume   []string // goes on from a checkpoint; empty: runs begin anew
	Evaluate []string // measures a model; empty: none is measured
	Dir      string   // that they are executed in
	Env      []string // all of their environment but what a run adds
}

// Worker trains, and looks after runs that train by command.
type Worker struct {
	Store  train.Store
	Keeper *lease.Keeper
	Commands
	Folder string // of runs, see Place
	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time
}

const (
	// looks is how often a worker looks for metrics, and whether it is to stop.
	looks = time.Second
	// Grace is how long a trainer has to end when it is told to stop: enough to write a
	// checkpoint of a small model, and more than the launchers wait for those whom they
	// began in sessions of their own, which a signal to the group does not reach.
	Grace = launchers + 15*time.Second
	// launchers is how long torchrun waits for its ranks to end.
	launchers = 30 * time.Second
	// drains is how long what is left in a pipe is read, once its writers are gone.
	drains = 2 * time.Second
)

// LeaseName is the name of the lease that the worker of a run has.
func LeaseName(id int64) string { return "train:" + strconv.FormatInt(id, 10) }

// BeginLease is the name of the lease under which runs are begun, one after the other.
const BeginLease = "train"

// Work trains a run that waits for it, to its end. The error is of the database or the
// lease: what goes wrong with the training itself is kept with the run.
func (w *Worker) Work(ctx context.Context, id int64) error {
	keeper := *w.Keeper
	keeper.Patient = true // a run is begun by nobody else as long as its trainer is there
	return keeper.Hold(ctx, LeaseName(id), func(ctx context.Context, _ string) error {
		r, err := w.Store.ChangeRun(ctx, id, func(r *train.Run) error {
			switch {
			case measures(r): // its training has ended
				return nil
			case r.Backend != train.ByCommand:
				return fmt.Errorf("run %d is trained by %s, not by a command", id, r.Backend)
			case r.Status != train.Queued:
				return fmt.Errorf("run %d does not wait for a worker: %s", id, r.Status.Clause())
			}
			r.Status, r.Exit, r.PID, r.PIDBegan, r.Error = train.Running, -1, 0, 0, ""
			return nil
		})
		if err != nil {
			return err
		}
		j := &job{Worker: w, run: r, place: w.Place(id), began: !r.Started.IsZero()}
		err = j.do(ctx)
		if lost(ctx) {
			return lease.ErrLost // somebody else may have the run
		}
		return errors.Join(err, j.log.close())
	})
}

// errStopped says that somebody stopped a run.
var errStopped = errors.New("stopped")

// job is a run that is being trained.
type job struct {
	*Worker
	run    train.Run
	place  Place
	log    *log
	values map[string]string // of words in braces
	files  map[train.Split][]string
	points points
	// resumes says that the run goes on from a checkpoint of an earlier try.
	resumes bool
	began   bool // a program was executed, in this try or an earlier one
}

// measures reports whether a run was trained by a server, and is evaluated here.
func measures(r *train.Run) bool {
	return r.Backend != train.ByCommand && r.Status == train.Evaluating
}

// do trains, evaluates, and keeps what came of it.
func (j *job) do(ctx context.Context) error {
	if measures(&j.run) {
		return j.measure(ctx)
	}
	err := j.prepare(ctx)
	if err == nil {
		err = j.train(ctx)
	}
	switch {
	case lost(ctx):
		return nil
	case errors.Is(err, errStopped):
		return j.end(ctx, train.Cancelled, "")
	case ctx.Err() != nil:
		return j.end(ctx, train.Cancelled, "its worker was stopped")
	case err != nil:
		return j.end(ctx, train.Failed, err.Error())
	}
	return j.end(ctx, train.Succeeded, "")
}

// mostError is how much is kept of what went wrong, in bytes.
const mostError = 2000

// end ends the run, unless somebody ended it before.
func (j *job) end(ctx context.Context, s train.Status, why string) error {
	if why == "" {
		why = j.run.Error // what else is to be said
	}
	if len(why) > mostError {
		why = strings.ToValidUTF8(why[:mostError], "")
	}
	return j.again(ctx, func(ctx context.Context) error {
		r, err := j.Store.ChangeRun(ctx, j.run.ID, func(r *train.Run) error { return j.ended(r, s, why) })
		if err == nil {
			j.Discard(&r)
		}
		return err
	})
}

// ended writes into a run what became of it.
func (j *job) ended(r *train.Run, s train.Status, why string) error {
	r.Exit, r.Model, r.Checkpoint, r.Metrics = j.run.Exit, j.run.Model, j.run.Checkpoint, j.run.Metrics
	if r.PID, r.PIDBegan = 0, 0; !j.began {
		r.Started = time.Time{}
	}
	if r.Checkpoint == "" && s != train.Succeeded {
		r.Checkpoint = j.place.checkpoint(r)
	}
	switch {
	case !r.Status.Ended():
		r.Status, r.Error = s, why
	case r.Error == "":
		r.Error = j.run.Error
	}
	r.Ended = j.Now()
	return nil
}

// train runs the trainer, then what evaluates.
func (j *job) train(ctx context.Context) error {
	argv, err := j.argv()
	if err != nil {
		return err
	}
	if err := j.again(ctx, func(ctx context.Context) error {
		_, err := j.Store.ChangeRun(ctx, j.run.ID, func(r *train.Run) error {
			if r.Status.Ended() {
				return errStopped
			}
			if r.Started.IsZero() {
				r.Started = j.Now()
			}
			r.Command = argv
			return nil
		})
		return err
	}); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j.run.Command = argv
	if err := j.execute(ctx, argv, j.took); err != nil {
		return err
	}
	j.points.over()
	if err := j.result(); err != nil {
		return err
	}
	if len(j.Evaluate) == 0 {
		return nil
	}
	if err := j.again(ctx, func(ctx context.Context) error {
		_, err := j.Store.ChangeRun(ctx, j.run.ID, func(r *train.Run) error {
			if r.Status.Ended() {
				return errStopped
			}
			r.Status, r.Model, r.Checkpoint, r.Metrics = train.Evaluating, j.run.Model, j.run.Checkpoint, j.run.Metrics
			return nil
		})
		return err
	}); errors.Is(err, errStopped) || lost(ctx) {
		return err
	} else if err != nil {
		j.say("that it was being evaluated could not be kept: " + err.Error())
	}
	return j.evaluate(ctx)
}

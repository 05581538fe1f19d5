// Package remote has a model trained by a server that speaks OpenAI's fine-tuning
// protocol. It goes on from what a run says of itself, one step at a time: the data is
// sent, a job is made, and it is looked at until it has ended. What costs money is looked
// for before it is asked for, so that a step that was cut off leads to one file and to one
// job, whoever takes the next one.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"winnow/core/llm"
	"winnow/core/train"
)

// Server is who trains. A Client of package llm is one.
type Server interface {
	Host() string
	// FindFile returns a file of this name and size, without an ID if there is none.
	FindFile(ctx context.Context, name string, size int64) (llm.File, error)
	Upload(ctx context.Context, b llm.Body) (llm.File, error)
	// Jobs hands over the jobs that train on a file, until f has enough.
	Jobs(ctx context.Context, file string, f func(llm.Job) (enough bool)) error
	CreateJob(ctx context.Context, n llm.NewJob) (llm.Job, error)
	Job(ctx context.Context, id string) (llm.Job, error)
	// Events returns what was said of a job after an event, the oldest first.
	Events(ctx context.Context, job, after string) (list []llm.Event, more bool, err error)
	CancelJob(ctx context.Context, id string) (llm.Job, error)
}

// Driver takes the steps of one run. Whoever uses it has the lease of the run.
type Driver struct {
	Store             train.Store
	Server            Server
	Train, Validation []string  // paths of the files of the splits
	Log               io.Writer // what the server says, a line each; nil nowhere
	Now               func() time.Time
	Evaluates         bool // what was trained is measured before the run has succeeded

	untried bool // no job was asked for yet
}

// MinRows is how many rows a job takes at least, as OpenAI and those after it have it.
const MinRows = 10

// Enough returns what is wrong with a number of rows.
func Enough(rows int) error {
	if rows < MinRows {
		return fmt.Errorf("fine-tuning takes at least %d rows, and there are %d: approve more, or take another split", MinRows, rows)
	}
	return nil
}

const (
	often  = 30 * time.Second // validation and short jobs end within minutes
	seldom = 5 * time.Minute
	// fresh is how long a job is looked at often.
	fresh = 10 * time.Minute
)

// Wait returns how long after now a run wants its next step: at once until there is a
// job, then every 30 seconds, later every 5 minutes; 0 also if nothing is left to do.
func Wait(r *train.Run, now time.Time) time.Duration {
	switch {
	case r.Remote.Job == "" || !ours(r.Status):
		return 0
	case now.Sub(r.Started) < fresh:
		return often
	}
	return seldom
}

// ours reports whether a step can do anything for a run.
func ours(s train.Status) bool {
	return s == train.Uploading || s == train.Queued || s == train.Running
}

// Step does the next thing for a run, and returns the run as it is then. What cannot be
// helped ends the run, which is no error. An error leaves the run as it was: a later step
// tries the same again. Once the run has ended, or waits for something else, a step does
// nothing.
func (d *Driver) Step(ctx context.Context, r train.Run) (train.Run, error) {
	r, err := d.Store.FindRun(ctx, r.ID)
	if err != nil || !ours(r.Status) {
		return r, err
	}
	if err := d.check(&r); err != nil {
		return r, err
	}
	var next train.Run
	switch {
	case r.Remote.Job != "":
		next, err = d.look(ctx, &r)
	case r.Remote.File == "":
		next, err = d.send(ctx, &r, train.Train)
	case len(d.Validation) > 0 && r.Remote.Validation == "":
		next, err = d.send(ctx, &r, train.Validation)
	default:
		next, err = d.create(ctx, &r)
	}
	if llm.Refused(err) || errors.Is(err, errHopeless) || errors.Is(err, os.ErrNotExist) {
		next, err = d.fail(ctx, &r, err)
	}
	switch {
	case err == nil:
		return next, nil
	case errors.Is(err, train.ErrMoved): // somebody ended it meanwhile
		return d.Store.FindRun(context.WithoutCancel(ctx), r.ID)
	}
	return r, fmt.Errorf("run %d: %w", r.ID, err)
}

// errHopeless is in errors that end a run.
var errHopeless = errors.New("no other try helps")

// hopeless is an error that ends a run.
type hopeless string

func (h hopeless) Error() string        { return string(h) }
func (h hopeless) Is(target error) bool { return target == errHopeless }

// check returns why a run is not to be touched. Text goes to no other host than to the
// one that was agreed on.
func (d *Driver) check(r *train.Run) error {
	switch host := d.Server.Host(); {
	case r.Backend != train.ByOpenAI:
		return fmt.Errorf("run %d is trained by %s, not by a server", r.ID, r.Backend)
	case r.Host != host:
		return fmt.Errorf("run %d is for %s, and base_url in [train] names %s: set it back, or begin another run", r.ID, r.Host, host)
	}
	return nil
}

// fail ends a run with what went wrong.
func (d *Driver) fail(ctx context.Context, r *train.Run, why error) (train.Run, error) {
	d.say("%v", why)
	return d.change(ctx, r, func(now *train.Run) error {
		now.Status, now.Error, now.Ended = train.Failed, why.Error(), d.Now()
		return nil
	})
}

// change changes a run that is what r was. It is done although ctx has ended: what has
// been paid for is to be known.
func (d *Driver) change(ctx context.Context, r *train.Run, f func(*train.Run) error) (train.Run, error) {
	return d.Store.ChangeRun(context.WithoutCancel(ctx), r.ID, func(now *train.Run) error {
		if !ours(now.Status) || now.Remote.File != r.Remote.File || now.Remote.Validation != r.Remote.Validation || now.Remote.Job != r.Remote.Job {
			return train.ErrMoved
		}
		return f(now)
	})
}

// say writes a line into the log. What cannot be written is lost: the training goes on.
func (d *Driver) say(format string, args ...any) {
	d.line(d.Now(), "winnow", fmt.Sprintf(format, args...))
}

func (d *Driver) line(at time.Time, who, text string) {
	if d.Log == nil {
		return
	}
	_, _ = fmt.Fprintf(d.Log, "%s %s: %s\n", at.UTC().Format(time.DateTime), who, text)
}

// Watch takes steps until none is left, and waits in between. An error that passes by
// itself is a line of the log.
func (d *Driver) Watch(ctx context.Context, r train.Run, after func(time.Duration) <-chan time.Time) (train.Run, error) {
	for {
		next, err := d.Step(ctx, r)
		var told *llm.Error
		switch wait := Wait(&next, d.Now()); {
		case err != nil && (ctx.Err() != nil || llm.Unavailable(err) || !errors.As(err, &told)):
			return next, err
		case err == nil && !ours(next.Status):
			return next, nil
		case err == nil && wait == 0:
			r = next
		default:
			if err != nil {
				d.say("%v", err)
			}
			select {
			case <-ctx.Done():
				return next, ctx.Err()
			case <-after(max(wait, often)):
			}
			r = next
		}
	}
}

package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"winnow/core/train"
)

// note is what a worker notes of its trainer at once: the database may be busy for a while.
type note struct {
	pid          int   // 0: it has not begun
	began, since int64 // as Began and ticksOf tell
	mark         string
}

// markName is the variable by which the processes of a trainer are known.
const markName = "WINNOW_TRY"

// noteOf reads the note of a run, one that says nothing if there is none.
func (w *Worker) noteOf(r *train.Run) (n note) {
	text, err := os.ReadFile(w.Place(r.ID).process())
	if err == nil && w.Place(r.ID).Of(r) {
		var m note
		if read, _ := fmt.Sscan(string(text), &m.pid, &m.began, &m.since, &m.mark); read == 2 || read == 4 {
			n = m
		}
	}
	return n
}

// write writes a note.
func (n note) write(path string) error {
	return os.WriteFile(path, []byte(fmt.Sprintln(n.pid, n.began, n.since, n.mark)), 0o600)
}

// trainerOf returns what is known of the processes of the trainer of a run: by what the
// database has, or else its worker noted before it came to that.
func (w *Worker) trainerOf(r *train.Run) *group {
	n, pid, began := w.noteOf(r), r.PID, r.PIDBegan
	if pid == 0 {
		pid, began = n.pid, n.began
	}
	is := Began(pid)
	if pid <= 1 || began == 0 || is != began && (is != 0 || !leaderless) {
		pid = 0 // another one has the number
	}
	return newGroup(pid, n)
}

// alive reports whether anything of the trainer of a run is there.
func (w *Worker) alive(r *train.Run) bool {
	g := w.trainerOf(r)
	return g.leader > 1 && Began(g.leader) != 0 || g.left() != 0
}

// held returns the leases of runs that somebody has.
func (w *Worker) held(ctx context.Context) (map[string]bool, error) {
	list, err := w.Keeper.Store.Leases(ctx)
	names := map[string]bool{}
	for _, l := range list {
		names[l.Name] = l.Until.After(w.Now())
	}
	return names, err
}

// What is said of runs that nobody is at any more.
const (
	lostText    = "its worker ended without a word"
	unbegunText = "its worker never began"
	killedText  = "its processes did not end when they were asked to, and were killed: what they had not saved is lost"
	cutText     = "winnow ended while it wrote the data: nothing was trained"
)

// Settle says of runs that train by command, and that nobody is at any more, that they
// are lost.
func (w *Worker) Settle(ctx context.Context) error {
	open, err := w.Store.OpenRuns(ctx)
	if err != nil || len(open) == 0 {
		return err
	}
	held, err := w.held(ctx)
	if err != nil {
		return err
	}
	for i := range open {
		r := &open[i]
		beginning := (r.Status == train.Exporting || r.Status == train.Queued) && held[BeginLease]
		remote := r.Backend != train.ByCommand && r.Status != train.Exporting
		if remote || held[LeaseName(r.ID)] || beginning || w.alive(r) {
			continue
		}
		next, err := w.Store.ChangeRun(ctx, r.ID, func(now *train.Run) error {
			if now.Status != r.Status || now.PID != r.PID {
				return train.ErrMoved // somebody is at it after all
			}
			now.Status, now.Error, now.Ended = train.Lost, lostText, w.Now()
			switch r.Status {
			case train.Exporting:
				now.Status, now.Error = train.Cancelled, cutText
			case train.Queued:
				now.Error = unbegunText
			}
			now.Checkpoint = w.Place(r.ID).checkpoint(r)
			return nil
		})
		switch {
		case err == nil:
			w.Discard(&next)
		case !errors.Is(err, train.ErrMoved) && !errors.Is(err, train.ErrNoRun):
			return err
		}
	}
	return nil
}

// Stop ends a run, and returns when nothing of it is at work any more. Its worker sees to
// that; if that is gone, it is done here.
func (w *Worker) Stop(ctx context.Context, id int64) (train.Run, error) {
	here := true
	r, err := w.Store.ChangeRun(ctx, id, func(r *train.Run) error {
		if r.Status.Ended() {
			return fmt.Errorf("run %d has ended already: %s", id, r.Status.Clause())
		}
		here = r.Backend == train.ByCommand || measures(r)
		if !here && r.Remote.Job != "" {
			return train.ErrMoved // its server has to be asked
		}
		if measures(r) { // what was trained is there, and was paid for
			r.Status, r.Error, r.Ended = train.Succeeded, "its evaluation was stopped", w.Now()
			return nil
		}
		r.Status, r.Ended = train.Cancelled, w.Now()
		return nil
	})
	if err != nil {
		return r, err
	}
	if !here {
		w.Discard(&r)
		return r, nil
	}
	for patience := w.Now().Add(w.Keeper.Length() + 2*Grace); ; {
		held, err := w.held(ctx)
		if err != nil {
			return r, err
		}
		if !held[LeaseName(id)] {
			return w.stopped(ctx, &r)
		}
		if r, err = w.Store.FindRun(ctx, id); err != nil { // the worker is at it
			return r, err
		}
		if w.Now().After(patience) {
			err := fmt.Errorf("run %d is stopped, but its worker does not end it", id)
			if pid := w.trainerOf(&r).left(); pid != 0 {
				err = fmt.Errorf("%w: look for process %d", err, pid)
			}
			return r, err
		}
		if err := w.pause(ctx); err != nil {
			return r, err
		}
	}
}

// stopped ends what is left of a run that nobody is at, and keeps what came of it.
func (w *Worker) stopped(ctx context.Context, r *train.Run) (train.Run, error) {
	killed, err := w.endGroup(ctx, w.trainerOf(r))
	if err != nil {
		return *r, err
	}
	next, err := w.Store.ChangeRun(ctx, r.ID, func(r *train.Run) error {
		if r.PID, r.PIDBegan = 0, 0; killed && r.Error == "" {
			r.Error = killedText
		}
		if r.Checkpoint == "" && r.Status != train.Succeeded {
			r.Checkpoint = w.Place(r.ID).checkpoint(r)
		}
		return nil
	})
	if place := w.Place(r.ID); err == nil && place.Of(&next) {
		_ = os.Remove(place.process())
		w.Discard(&next)
	}
	return next, err
}

// Discard removes the data of a run that was stopped or failed before anything was trained:
// nobody has a use for texts of sessions that lie about.
func (w *Worker) Discard(r *train.Run) {
	place := w.Place(r.ID)
	if r.Status != train.Cancelled && r.Status != train.Failed || !r.Started.IsZero() || !place.Of(r) {
		return
	}
	_ = os.RemoveAll(place.Data())
	_ = os.RemoveAll(place.Out())
	place.sweep()
	if _, err := os.Lstat(place.Log()); err != nil {
		_ = os.Remove(place.owner())
		_ = os.Remove(string(place))
	}
}

// pause waits until it is time to look again.
func (w *Worker) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.After(looks / 4):
		return nil
	}
}

// endGroup ends processes that nobody waits for, gently at first; killed says that they
// did not hear that. The error says which one does not end.
func (w *Worker) endGroup(ctx context.Context, g *group) (killed bool, err error) {
	for kill, none := w.Now().Add(Grace), 0; ; {
		if none++; g.left() != 0 {
			none = 0
			g.ask()
		}
		if none == sure {
			return false, nil
		}
		err := w.pause(ctx)
		if err != nil || !w.Now().Before(kill) {
			return true, errors.Join(err, w.finish(g))
		}
	}
}

// sure is how often in a row none of a group must be found until it is gone: some begin
// others while it is looked for them.
const sure = 2

// Requeue makes a run that ended without a result wait for a worker again, which goes on
// from its last checkpoint.
func (w *Worker) Requeue(ctx context.Context, id int64) (train.Run, error) {
	if err := w.Settle(ctx); err != nil {
		return train.Run{}, err
	}
	held, err := w.held(ctx)
	if err != nil {
		return train.Run{}, err
	}
	was, err := w.Store.FindRun(ctx, id)
	if err != nil {
		return was, err
	}
	left := w.trainerOf(&was).left()
	return w.Store.ChangeRun(ctx, id, func(r *train.Run) error {
		switch {
		case r.Backend != train.ByCommand:
			return fmt.Errorf("run %d is trained by %s: only what a command trains goes on", id, r.Backend)
		case !r.Status.Ended():
			return fmt.Errorf("run %d has not ended: %s", id, r.Status.Clause())
		case r.Status == train.Succeeded:
			return fmt.Errorf("run %d succeeded: nothing is left of it to be done", id)
		case r.Manifest == "":
			return fmt.Errorf("run %d has no data: begin another one", id)
		case held[LeaseName(id)]:
			return fmt.Errorf("run %d: its worker has not ended yet", id)
		case left != 0:
			return fmt.Errorf("run %d: its process %d is still there: end it first", id, left)
		}
		if err := w.Place(id).Gone(r); err != nil {
			return fmt.Errorf("%w: begin another one", err)
		}
		if _, err := os.Stat(w.Place(id).Data()); err != nil {
			return fmt.Errorf("run %d has no data any more: begin another one", id)
		}
		r.Status, r.Error, r.Ended, r.Exit, r.PID, r.PIDBegan = train.Queued, "", time.Time{}, -1, 0, 0
		return nil
	})
}

// Taken waits until somebody is at a run, whoever began a worker for it, or that ended.
func (w *Worker) Taken(ctx context.Context, id int64, ended <-chan error) error {
	for {
		if is, err := w.AtIt(ctx, id); is || err != nil {
			return err
		}
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-w.After(looks / 10):
		}
	}
}

// AtIt reports whether a worker has a run, or one that was killed left something at work.
func (w *Worker) AtIt(ctx context.Context, id int64) (bool, error) {
	held, err := w.held(ctx)
	if err != nil || held[LeaseName(id)] {
		return err == nil, err
	}
	r, err := w.Store.FindRun(ctx, id)
	return err == nil && w.alive(&r), err
}

// Begun waits until the worker of a run has begun, or the run has ended, and returns it.
func (w *Worker) Begun(ctx context.Context, id int64, ended <-chan error) (train.Run, error) {
	for {
		r, err := w.Store.FindRun(ctx, id)
		if err != nil || r.Status != train.Queued {
			return r, err
		}
		select {
		case err := <-ended:
			if now, findErr := w.Store.FindRun(ctx, id); findErr == nil && now.Status != train.Queued {
				return now, nil
			}
			return r, fmt.Errorf("the worker of run %d did not begin: %s", id, strings.TrimSpace(fmt.Sprint(err)))
		case <-ctx.Done():
			return r, ctx.Err()
		case <-w.After(looks / 10):
		}
	}
}

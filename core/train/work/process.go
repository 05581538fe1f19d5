package work

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"winnow/core/lease"
	"winnow/core/train"
)

// execute runs a program in a group of its own until none of it is left, and keeps what
// it prints. The error says how it failed; errStopped, that somebody stopped the run.
func (j *job) execute(ctx context.Context, argv []string, seen func(line string)) error {
	if len(argv) == 0 {
		return errors.New("there is no command to be executed")
	}
	n, err := j.newNote()
	if err != nil {
		return err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = j.Dir, append(j.environment(), n.mark), write, write
	apart(cmd)
	err = cmd.Start()
	write.Close() // the trainer has it
	if err != nil {
		return fmt.Errorf("%s cannot be executed: %w", argv[0], err)
	}
	j.began = true
	n.pid, n.began, n.since = cmd.Process.Pid, Began(cmd.Process.Pid), ticksOf(cmd.Process.Pid)
	g, err := groupOf(n)
	if err != nil {
		return errors.Join(fmt.Errorf("%s: its processes cannot be kept together: %w", argv[0], err), cmd.Process.Kill(), cmd.Wait())
	}
	defer g.close()
	copied, exited := make(chan struct{}), make(chan error, 1)
	go func() { j.log.copyFrom(read, seen); close(copied) }()
	if err := n.write(j.place.process()); err != nil {
		j.say("its process could not be noted: " + err.Error())
	}
	go func() { exited <- cmd.Wait() }()
	stopped, err := j.await(ctx, g, n, exited)
	select {
	case <-copied:
	case <-j.After(drains): // something that left the group has the pipe
		read.Close()
		<-copied
	}
	j.lastPoints(ctx)
	j.run.Exit = cmd.ProcessState.ExitCode()
	switch {
	case stopped:
		return errStopped
	case err != nil && j.log.last != "":
		return fmt.Errorf("%w: %s", err, j.log.last)
	}
	return err
}

// newNote notes the mark of a program before it is executed.
func (j *job) newNote() (n note, err error) {
	mark := make([]byte, 16)
	if _, err = io.ReadFull(j.Keeper.Rand, mark); err == nil {
		n.mark = markName + "=" + hex.EncodeToString(mark)
		err = n.write(j.place.process())
	}
	return n, err
}

// await waits until none of a group is left: its leader ended, or it was stopped, gently
// at first.
func (j *job) await(ctx context.Context, g *group, n note, exited <-chan error) (stopped bool, err error) {
	var kill <-chan time.Time
	stop := func() {
		if kill == nil {
			g.ask() // what does not hear it is killed
			kill = j.After(Grace)
		}
	}
	keep := func() (err error) {
		if stopped, err = j.keepPID(ctx, n.pid, n.began); stopped {
			stop()
		}
		return err
	}
	unkept, until := keep(), j.Now().Add(patience)
	done, tick, over := ctx.Done(), j.After(looks), false
	for looked := 0; !over || kill != nil && g.left() != 0; {
		select {
		case err = <-exited:
			over, exited = true, nil
		case <-done:
			done = nil
			stop()
		case <-kill:
			if _ = j.finish(g); !strings.Contains(j.run.Error, killedText) {
				j.say(killedText)
			}
			if over {
				return stopped, err
			}
			kill = j.After(Grace)
		case <-tick:
			if tick = j.After(looks); j.look(ctx) {
				stopped = true
				stop()
			}
			if looked++; kill != nil {
				g.ask()
			} else if looked%notes == 0 {
				g.left() // who began some may be gone when they are to end
			}
			if unkept != nil && !stopped && !over {
				if unkept = keep(); unkept != nil && !j.Now().Before(until) {
					stop() // nobody else could find it
				}
			}
		}
	}
	g.killGroup() // what a trainer leaves that ended by itself
	if _, left := j.endGroup(context.WithoutCancel(ctx), g); left != nil {
		j.say(left.Error())
	} else {
		_ = os.Remove(j.place.process())
	}
	if unkept != nil && err != nil {
		err = fmt.Errorf("%w (its process could not be kept: %w)", err, unkept)
	}
	return stopped, err
}

// notes is after how many looks it is noted which processes there are.
const notes = 10

// keepPID keeps the process of a trainer, and reports whether somebody stopped the run.
func (j *job) keepPID(ctx context.Context, pid int, began int64) (stopped bool, err error) {
	_, err = j.Store.ChangeRun(ctx, j.run.ID, func(r *train.Run) error {
		r.PID, r.PIDBegan = pid, began
		if stopped = r.Status.Ended(); stopped {
			r.PID, r.PIDBegan = 0, 0
		}
		return nil
	})
	return stopped, err
}

// patience is how long something is tried again that the database refused: no longer than
// a lease lasts that nobody renews.
const patience = lease.Lasts

// again does something until it succeeds, the lease is lost, or patience is over. It goes
// on when the worker is asked to end: what came of hours is not lost for a moment.
func (j *job) again(ctx context.Context, do func(context.Context) error) error {
	work := context.WithoutCancel(ctx)
	for end := j.Now().Add(patience); ; <-j.After(looks) {
		err := do(work)
		if err == nil || errors.Is(err, train.ErrNoRun) || errors.Is(err, errStopped) || lost(ctx) || !j.Now().Before(end) {
			return err
		}
	}
}

// lost reports whether the lease is lost that a context is of.
func lost(ctx context.Context) bool { return errors.Is(context.Cause(ctx), lease.ErrLost) }

// say has the run say at its end what went wrong and did not fail it.
func (j *job) say(what string) {
	if j.run.Error != "" {
		what = j.run.Error + "; " + what
	}
	j.run.Error = what
}

// finish kills what is left of a group until it is gone: no longer than a moment, as what
// waits for a disk does not end. The error says which one does not.
func (w *Worker) finish(g *group) error {
	end := w.Now().Add(drains)
	for none := 0; none < sure; <-w.After(looks / 20) {
		if none++; !g.kill() {
			none = 0
		}
		if pid := g.left(); pid != 0 && !w.Now().Before(end) {
			return fmt.Errorf("process %d does not end", pid)
		}
	}
	return nil
}

// look keeps the points that came, and reports whether somebody stopped the run.
func (j *job) look(ctx context.Context) (stopped bool) {
	j.points.read(j.place.metrics(), false)
	_ = j.keepPoints(ctx) // they are kept the next time
	r, err := j.Store.FindRun(ctx, j.run.ID)
	return err == nil && r.Status.Ended() || errors.Is(err, train.ErrNoRun)
}

// lastPoints keeps what points there are when a program has ended. Where they cannot be
// kept the model is there all the same.
func (j *job) lastPoints(ctx context.Context) {
	for more, n := true, lastLooks; more && n > 0; n-- {
		more = j.points.read(j.place.metrics(), true)
		if err := j.again(ctx, j.keepPoints); err != nil {
			j.say("points of its metrics are lost: " + err.Error())
			break
		}
	}
	if n := j.points.unnamed(); n > 0 {
		j.log.say("a run has metrics of %d names: %d values of others were left out", train.MaxNames, n)
	}
}

// keepPoints keeps the points that came since the last time.
func (j *job) keepPoints(ctx context.Context) error {
	list, from := j.points.taken()
	if from != nil {
		if err := j.Store.BeginAgain(ctx, j.run.ID, *from); err != nil {
			j.points.back(list, from)
			return err
		}
	}
	for len(list) > 0 {
		n := min(len(list), mostKept)
		if err := j.Store.AddPoints(ctx, j.run.ID, list[:n]); err != nil {
			j.points.back(list, nil)
			return err
		}
		list = list[n:]
	}
	return nil
}

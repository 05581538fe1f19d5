package work

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/train"
)

// took takes a line of the trainer.
func (j *job) took(line string) { j.points.printed(line) }

// mostResult is how much of a result is read, in bytes.
const mostResult = 1 << 20

// result reads what a trainer that succeeded says of its model. One that says nothing has
// put it where it was told to.
func (j *job) result() error {
	j.run.Model, j.run.Checkpoint, j.run.Metrics = j.place.Out(), lastCheckpoint(j.place.Out()), nil
	f, _, err := openFile(j.place.result())
	if errors.Is(err, fs.ErrNotExist) {
		return j.empty()
	}
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostResult))
	if err != nil {
		return err
	}
	r, err := train.ParseResult(data)
	if err != nil {
		return fmt.Errorf("%s: %w", j.place.result(), err)
	}
	j.run.Metrics = r.Metrics
	if r.Model != "" {
		j.run.Model = j.at(r.Model)
	}
	if r.Checkpoint != "" {
		j.run.Checkpoint = j.at(r.Checkpoint)
	}
	if r.Model == "" && r.Checkpoint == "" {
		return j.empty()
	}
	return nil
}

// empty fails if nothing lies where a trainer that says nothing puts its model.
func (j *job) empty() error {
	list, err := os.ReadDir(j.place.Out())
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the command succeeded and left no model: nothing is in %s, and $WINNOW_RESULT names none", j.place.Out())
	}
	return err
}

// at is a path that a trainer names as one that any folder has, if anything is there;
// else it is a name.
func (j *job) at(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	for _, dir := range []string{j.Dir, j.place.Out()} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) {
			return path
		}
	}
	return name
}

// measure evaluates what a server trained. The model is there, whatever comes of it; if the
// worker is asked to end, another one may evaluate it later.
func (j *job) measure(ctx context.Context) error {
	err := j.open(ctx)
	if err == nil && len(j.Evaluate) > 0 { // else nobody wants it any more
		err = j.evaluate(ctx)
	}
	switch {
	case lost(ctx):
		return nil
	case ctx.Err() != nil && !errors.Is(err, errStopped):
		return j.again(ctx, func(ctx context.Context) error {
			_, err := j.Store.ChangeRun(ctx, j.run.ID, func(r *train.Run) error {
				r.PID, r.PIDBegan = 0, 0
				return nil
			})
			return err
		})
	case err != nil && !errors.Is(err, errStopped):
		j.say("the result could not be evaluated: " + err.Error())
	}
	return j.end(ctx, train.Succeeded, "")
}

// evaluate measures the base model and the result. A measure that fails is told of; the
// model is there all the same.
func (j *job) evaluate(ctx context.Context) error {
	exit := j.run.Exit
	for _, of := range []struct{ subject, model string }{{train.OfBase, j.run.Base}, {train.OfResult, j.run.Model}} {
		if of.model == "" {
			continue
		}
		j.values["model"] = of.model
		argv, err := j.expand(j.Evaluate)
		if err == nil && strings.HasPrefix(of.model, "-") {
			err = fmt.Errorf("{model} is %q, which a program would take for an option", of.model)
		}
		last := ""
		if err == nil {
			j.log.say("evaluating the %s: %s", of.subject, of.model)
			err = j.execute(ctx, argv, func(line string) {
				if strings.TrimSpace(line) != "" {
					last = line
				}
			})
		}
		if errors.Is(err, errStopped) || ctx.Err() != nil {
			return err
		}
		if err == nil {
			err = j.measured(ctx, of.subject, last)
		}
		if err != nil {
			j.say(fmt.Sprintf("the %s could not be evaluated: %v", of.subject, err))
		}
	}
	j.run.Exit = exit
	return nil
}

// measured keeps what an evaluation says in its last line.
func (j *job) measured(ctx context.Context, subject, line string) error {
	metrics, n, err := train.ParseEval(line)
	if err != nil {
		return err
	}
	var list []train.Eval
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		list = append(list, train.Eval{Subject: subject, Name: name, Value: metrics[name], N: n})
	}
	return j.again(ctx, func(ctx context.Context) error { return j.Store.PutEvals(ctx, j.run.ID, list) })
}

// checkpoints is how deep below its folder a trainer may put checkpoints: swift has a
// folder for each version.
const checkpoints = 3

// lastCheckpoint returns the newest of the folders "checkpoint-N" that trainers write, ""
// if there is none.
func lastCheckpoint(out string) string {
	best, most, newest := "", -1, time.Time{}
	_ = filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(out, path)
		number, is := strings.CutPrefix(d.Name(), "checkpoint-")
		if n, err := strconv.Atoi(number); is && err == nil {
			info, err := d.Info()
			if err == nil && (n > most || n == most && info.ModTime().After(newest)) {
				best, most, newest = path, n, info.ModTime()
			}
			return fs.SkipDir
		}
		if rel != "." && strings.Count(rel, string(filepath.Separator)) >= checkpoints-1 {
			return fs.SkipDir
		}
		return nil
	})
	return best
}

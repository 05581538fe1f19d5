package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"winnow/core/llm"
	"winnow/core/train"
)

var hexForm = regexp.MustCompile(`^[0-9a-f]{12}`)

// Name is what a file of a run is called on the server: it names the data.
func Name(manifest string, s train.Split) (string, error) {
	if !hexForm.MatchString(manifest) {
		return "", hopeless("the data of this run has no manifest: begin another one")
	}
	if s == train.Validation {
		return "winnow-" + manifest[:12] + "-validation.jsonl", nil
	}
	return "winnow-" + manifest[:12] + ".jsonl", nil
}

// send sees to it that the server has the file of a split.
func (d *Driver) send(ctx context.Context, r *train.Run, s train.Split) (train.Run, error) {
	name, err := Name(r.Manifest, s)
	if err != nil {
		return *r, err
	}
	list := files(d.Train)
	if s == train.Validation {
		list = d.Validation
	}
	size, err := list.size()
	if err != nil {
		return *r, fmt.Errorf("the data is gone: begin another run: %w", err)
	}
	if s == train.Train {
		n, err := countRows(list)
		if err != nil {
			return *r, err
		}
		if err := Enough(n); err != nil {
			return *r, hopeless(err.Error())
		}
	}
	file, err := d.Server.FindFile(ctx, name, size)
	if err != nil {
		return *r, err
	}
	if file.ID != "" {
		d.say("%s has %s already: file %s", d.Server.Host(), name, file.ID)
	} else {
		if file, err = d.Server.Upload(ctx, llm.Body{Name: name, Size: size, Open: list.open}); err != nil {
			return *r, err
		}
		d.say("sent %s, %d bytes, to %s: file %s", name, size, d.Server.Host(), file.ID)
	}
	next, err := d.change(ctx, r, func(now *train.Run) error {
		if s == train.Validation {
			now.Remote.Validation = file.ID
		} else {
			now.Remote.File = file.ID
		}
		if s == train.Validation || len(d.Validation) == 0 {
			now.Status = train.Queued // from here on there may be a job
		}
		return nil
	})
	d.untried = err == nil && next.Status == train.Queued
	return next, err
}

// countRows counts the rows of files, to the least that are wanted. They are not the samples
// of a run: a segment may be several rows.
func countRows(list files) (n int, err error) {
	f, err := list.open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	for blank := true; n < MinRows; {
		part, err := in.ReadSlice('\n')
		blank = blank && len(bytes.TrimSpace(part)) == 0
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && err != io.EOF:
			return n, err
		case !blank:
			n++
		}
		if err != nil {
			break
		}
		blank = true
	}
	return n, nil
}

// create sees to it that the server has a job of the run.
func (d *Driver) create(ctx context.Context, r *train.Run) (train.Run, error) {
	base, err := d.base(ctx, r)
	if err != nil {
		return *r, err
	}
	untried := d.untried
	d.untried = false
	job, found, err := d.find(ctx, r, base)
	switch {
	case llm.Gone(err) && untried: // it lists none: there cannot be one yet
	case llm.Gone(err):
		return *r, hopeless(fmt.Sprintf("%s does not list its jobs, so that it is unknown whether it made one of file %s: look there, and begin another run", d.Server.Host(), r.Remote.File))
	case err != nil:
		return *r, err
	}
	if found {
		d.say("job %s is of this data: nothing new is asked for", job.ID)
	} else {
		job, err = d.Server.CreateJob(ctx, llm.NewJob{Base: base, Train: r.Remote.File, Validation: r.Remote.Validation, Params: r.Params})
		if err != nil {
			return *r, err
		}
		d.say("made job %s of %s", job.ID, base)
	}
	next, err := d.change(ctx, r, func(now *train.Run) error {
		now.Remote.Job, now.Started = job.ID, d.Now()
		if s := statusOf(job.Status); !s.Ended() { // else the next look tells what came of it
			now.Status = s
		}
		return nil
	})
	if err != nil {
		return next, d.stray(ctx, r, job.ID, err)
	}
	return next, nil
}

// stray cancels a job whose run somebody ended meanwhile.
func (d *Driver) stray(ctx context.Context, r *train.Run, job string, why error) error {
	after := context.WithoutCancel(ctx)
	if now, err := d.Store.FindRun(after, r.ID); err != nil || now.Status != train.Cancelled || now.Remote.Job != "" {
		return why
	}
	d.say("the run was stopped meanwhile: job %s is cancelled", job)
	if _, err := d.Server.CancelJob(after, job); err != nil {
		d.say("job %s is not cancelled: %v", job, err)
		return fmt.Errorf("it was stopped, and job %s at %s goes on: %w", job, d.Server.Host(), err)
	}
	return why
}

// base is the model that a run begins with: what came of its parent, if it has one.
func (d *Driver) base(ctx context.Context, r *train.Run) (string, error) {
	if r.Parent == 0 {
		return r.Base, nil
	}
	parent, err := d.Store.FindRun(ctx, r.Parent)
	switch {
	case err != nil && !errors.Is(err, train.ErrNoRun):
		return "", err
	case parent.Model == "" || parent.Backend != train.ByOpenAI || parent.Host != r.Host:
		return "", hopeless(fmt.Sprintf("run %d has no model at %s to begin with", r.Parent, r.Host))
	}
	return parent.Model, nil
}

// find looks for a job that is of the run, or is what the run asks for: a crash, or a
// database that was set back, are not to be paid for. Jobs of other runs are theirs.
func (d *Driver) find(ctx context.Context, r *train.Run, base string) (job llm.Job, found bool, err error) {
	theirs, err := d.theirs(ctx, r.ID)
	if err != nil {
		return job, false, err
	}
	err = d.Server.Jobs(ctx, r.Remote.File, func(j llm.Job) bool {
		if found = !theirs[j.ID] && fits(&j, r, base); found {
			job = j
		}
		return found
	})
	return job, found, err
}

// theirs returns the jobs of other runs.
func (d *Driver) theirs(ctx context.Context, id int64) (map[string]bool, error) {
	const page = 200
	jobs := map[string]bool{}
	for before := int64(0); ; {
		list, err := d.Store.Runs(ctx, before, page)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if before = list[i].ID; before != id {
				jobs[list[i].Remote.Job] = true
			}
		}
		if len(list) < page {
			return jobs, nil
		}
	}
}

// fits reports whether a job on the file of a run is what the run asks for. One that is
// older than the run must be as it would be made now, and of use.
func fits(j *llm.Job, r *train.Run, base string) bool {
	if j.Base != "" && !sameModel(j.Base, base) || j.Validation != "" && j.Validation != r.Remote.Validation {
		return false
	}
	if j.Created.IsZero() || !j.Created.Before(r.Created.Truncate(time.Second)) {
		return true
	}
	if j.Status == llm.JobFailed || j.Status == llm.JobCancelled {
		return false
	}
	for name, asked := range r.Params {
		if told, ok := j.Params[name]; ok && !sameValue(told, asked) {
			return false
		}
	}
	return true
}

var dated = regexp.MustCompile(`^-\d{4}-\d{2}-\d{2}$`)

// sameModel reports whether a server that was asked for a model tells of the same one:
// OpenAI appends the date of its edition.
func sameModel(told, asked string) bool {
	return told == asked || len(told) > len(asked) && told[:len(asked)] == asked && dated.MatchString(told[len(asked):])
}

func sameValue(told, asked string) bool {
	a, errA := strconv.ParseFloat(told, 64)
	b, errB := strconv.ParseFloat(asked, 64)
	return told == asked || errA == nil && errB == nil && a == b
}

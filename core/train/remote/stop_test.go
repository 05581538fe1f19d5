package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/llm"
	"winnow/core/llm/llmtest"
	"winnow/core/train"
)

// TestCancel stops a run at each of its stages: no job goes on.
func TestCancel(t *testing.T) {
	ctx := context.Background()
	for steps := range 8 {
		for _, lost := range []bool{false, true} {
			w := newWorld(t, success...)
			d := w.driver()
			if lost {
				left := steps
				d.Store = crashing{w.store, &left}
			}
			for range steps {
				_, _ = d.Step(ctx, w.run)
			}
			before, _ := w.store.FindRun(ctx, w.run.ID)
			r, err := w.driver().Cancel(ctx, w.run)
			if before.Status.Ended() {
				if err == nil || r.Status != train.Succeeded {
					t.Errorf("cancelled after its end: %s, %v", r.Status, err)
				}
				continue
			}
			if err != nil || r.Status != train.Cancelled && r.Status != train.Succeeded || r.Ended.IsZero() {
				t.Errorf("after %d steps, %v: %s, %v\n%s", steps, lost, r.Status, err, w.log.String())
			}
			for _, j := range w.server.Tuning().Jobs() {
				if j.Status != "cancelled" && j.Status != "succeeded" {
					t.Errorf("after %d steps, %v: job %s is %s", steps, lost, j.ID, j.Status)
				}
			}
		}
	}
}

// TestCancelledMeanwhile: a run that is stopped while its job is made has that job
// cancelled.
func TestCancelledMeanwhile(t *testing.T) {
	w := newWorld(t, success...)
	ctx := context.Background()
	d := w.driver()
	if _, err := d.Step(ctx, w.run); err != nil {
		t.Fatal(err)
	}
	d.Server = meanwhile{d.Server.(*llm.Client), func() {
		if r, err := w.driver().Cancel(ctx, w.run); err != nil || r.Status != train.Cancelled {
			t.Errorf("%s, %v", r.Status, err)
		}
	}}
	r, err := d.Step(ctx, w.run)
	if err != nil || r.Status != train.Cancelled || w.server.Tuning().Jobs()[0].Status != "cancelled" {
		t.Errorf("%s, %v, %v", r.Status, err, w.server.Tuning().Jobs())
	}
}

// meanwhile is a server at which something happens before a job is made.
type meanwhile struct {
	*llm.Client
	do func()
}

func (m meanwhile) CreateJob(ctx context.Context, n llm.NewJob) (llm.Job, error) {
	m.do()
	return m.Client.CreateJob(ctx, n)
}

func TestWait(t *testing.T) {
	began := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	job := train.Remote{Job: "j"}
	for _, q := range []struct {
		status train.Status
		remote train.Remote
		since  time.Duration
		want   time.Duration
	}{
		{train.Uploading, train.Remote{}, 0, 0},
		{train.Queued, train.Remote{File: "f"}, time.Hour, 0},
		{train.Queued, job, 0, 30 * time.Second},
		{train.Running, job, 9 * time.Minute, 30 * time.Second},
		{train.Running, job, 10 * time.Minute, 5 * time.Minute},
		{train.Running, job, -time.Hour, 30 * time.Second},
		{train.Evaluating, job, time.Hour, 0},
		{train.Succeeded, job, time.Hour, 0},
		{train.Cancelled, job, time.Hour, 0},
	} {
		r := train.Run{Status: q.status, Remote: q.remote, Started: began}
		if got := Wait(&r, began.Add(q.since)); got != q.want {
			t.Errorf("%s, %v after: %v, want %v", q.status, q.since, got, q.want)
		}
	}
}

// TestWatch: to the end in one call, looking often at first and seldom later, and over
// what passes by itself.
func TestWatch(t *testing.T) {
	script := []llmtest.Stage{{Status: "queued"}}
	for range 24 {
		script = append(script, llmtest.Stage{Status: "running"})
	}
	w := newWorld(t, append(script, llmtest.Stage{Status: "succeeded", Model: "m"})...)
	w.server.Tuning().Fail(llmtest.GetJob, llmtest.Repeat(3, llmtest.Status(500, "oops"))...)
	var waits []time.Duration
	after := func(d time.Duration) <-chan time.Time {
		waits = append(waits, d)
		return w.after(d)
	}
	d := w.driver()
	d.Evaluates = true
	r, err := d.Watch(context.Background(), w.run, after)
	if err != nil || r.Status != train.Evaluating || r.Model != "m" {
		t.Fatalf("%s, %v", r.Status, err)
	}
	slices.Sort(waits)
	if got := fmt.Sprint(len(waits), waits[0], waits[len(waits)-1]); got != "26 30s 5m0s" || !strings.Contains(w.log.String(), "oops (asked 3 times)") {
		t.Errorf("waited %s: %v\n%s", got, waits, w.log.String())
	}
	w = newWorld(t, success...)
	w.server.Tuning().Fail(llmtest.ListFiles, llmtest.Status(401, ""))
	if r, err := w.driver().Watch(context.Background(), w.run, w.after); !llm.Unavailable(err) || r.Status != train.Uploading {
		t.Errorf("%s, %v", r.Status, err)
	}
}

package remote

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/llm/llmtest"
	"winnow/core/train"
	"winnow/core/train/traintest"
)

// crashing is a store whose n-th change does not happen, as if the program had ended
// before it.
type crashing struct {
	*traintest.Store
	left *int
}

var errCrash = errors.New("crash")

func (c crashing) ChangeRun(ctx context.Context, id int64, f func(*train.Run) error) (train.Run, error) {
	if *c.left--; *c.left == 0 {
		return train.Run{}, errCrash
	}
	return c.Store.ChangeRun(ctx, id, f)
}

// once checks that a run led to its files and to one job.
func (w *world) once(files int) {
	w.t.Helper()
	if got := w.server.Tuning().Files(); len(got) != files {
		w.t.Errorf("%d files: %v", len(got), got)
	}
	if got := w.server.Tuning().Jobs(); len(got) != 1 {
		w.t.Errorf("%d jobs: %v\n%s", len(got), got, w.log.String())
	}
}

// TestCrashes: whatever is not written down is found again.
func TestCrashes(t *testing.T) {
	for n := 1; n <= 7; n++ {
		w := newWorld(t, success...)
		left := n
		r := w.steps(20, func(d *Driver) {
			d.Store, d.Validation = crashing{w.store, &left}, []string{filepath.Join(w.dir, "validation.jsonl")}
		})
		if r.Status != train.Succeeded || left > 0 {
			t.Errorf("crash %d: %s, %s", n, r.Status, r.Error)
		}
		w.once(2)
	}
	for _, route := range []string{llmtest.Upload, llmtest.CreateJob} {
		w := newWorld(t, success...)
		w.server.Tuning().Lose(route)
		if r := w.steps(20); r.Status != train.Succeeded {
			t.Errorf("%s lost: %s, %s", route, r.Status, r.Error)
		}
		w.once(1)
	}
}

// TestFaults: whatever goes wrong on the way, in any order, there is one file and one
// job.
func TestFaults(t *testing.T) {
	routes := []string{llmtest.ListFiles, llmtest.Upload, llmtest.ListJobs, llmtest.CreateJob, llmtest.GetJob, llmtest.Events}
	faults := []llmtest.Reply{llmtest.Status(429, "slow"), llmtest.Status(429, "slow", "Retry-After", "400"), llmtest.Status(500, "oops"), llmtest.Status(503, "", "Retry-After", "2"), llmtest.Cut(), llmtest.Status(401, "")}
	for seed := range uint64(80) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, success...)
		for range random.IntN(12) {
			route := routes[random.IntN(len(routes))]
			if random.IntN(4) == 0 && (route == llmtest.Upload || route == llmtest.CreateJob) {
				w.server.Tuning().Lose(route)
				break // the fake one would lose each after it, too
			}
			w.server.Tuning().Fail(route, faults[random.IntN(len(faults))])
		}
		left := random.IntN(8)
		r := w.steps(60, func(d *Driver) { d.Store = crashing{w.store, &left} })
		if r.Status != train.Succeeded {
			t.Fatalf("seed %d: %s, %s\n%s", seed, r.Status, r.Error, w.log.String())
		}
		w.once(1)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestSameData: a run on the data of another one takes its file and not its job. One that
// the database forgot is taken, if it is what would be asked for.
func TestSameData(t *testing.T) {
	w := newWorld(t, success...)
	first := w.steps(10)
	w.now = w.now.Add(48 * time.Hour)
	w.server.Tuning().At(w.now.Unix())
	w.run = w.begin()
	second := w.steps(10)
	if second.Remote.File != first.Remote.File || second.Remote.Job == first.Remote.Job || len(w.server.Tuning().Jobs()) != 2 {
		t.Errorf("%+v, then %+v", first.Remote, second.Remote)
	}
	for _, q := range []struct {
		name   string
		change func(*train.Run)
		jobs   int
	}{
		{"forgotten", func(*train.Run) {}, 2},
		{"of another base", func(r *train.Run) { r.Base = "large" }, 3},
		{"with other parameters", func(r *train.Run) { r.Params = map[string]string{"n_epochs": "9"} }, 4},
		{"with the same, written otherwise", func(r *train.Run) { r.Params = map[string]string{"n_epochs": "3.0"} }, 4},
	} {
		w.now = w.now.Add(48 * time.Hour)
		w.server.Tuning().At(w.now.Unix())
		w.store = traintest.New()
		w.run = w.begin()
		w.run, _ = w.store.ChangeRun(context.Background(), w.run.ID, func(r *train.Run) error { q.change(r); return nil })
		if r := w.steps(10); r.Status != train.Succeeded || len(w.server.Tuning().Jobs()) != q.jobs || len(w.server.Tuning().Files()) != 1 {
			t.Errorf("%s: %s, %d jobs, %d files", q.name, r.Status, len(w.server.Tuning().Jobs()), len(w.server.Tuning().Files()))
		}
	}
}

// TestUnlistedJobs: at a server that lists no jobs one is made, but never a second one.
func TestUnlistedJobs(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, success...)
	w.server.Tuning().Fail(llmtest.ListJobs, llmtest.Repeat(9, llmtest.Status(404, ""))...)
	d := w.driver()
	for range 3 {
		if _, err := d.Step(ctx, w.run); err != nil {
			t.Fatal(err)
		}
	}
	w.once(1)
	w = newWorld(t, success...)
	w.server.Tuning().Fail(llmtest.ListJobs, llmtest.Repeat(9, llmtest.Status(405, ""))...)
	w.server.Tuning().Lose(llmtest.CreateJob)
	d = w.driver()
	if _, err := d.Step(ctx, w.run); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Step(ctx, w.run); err == nil {
		t.Fatal("a lost answer is none")
	}
	r, err := d.Step(ctx, w.run)
	if err != nil || r.Status != train.Failed || !strings.Contains(r.Error, "does not list its jobs") {
		t.Errorf("%s: %s, %v", r.Status, r.Error, err)
	}
	w.once(1)
}

package remote

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/llm"
	"winnow/core/llm/llmtest"
	"winnow/core/train"
	"winnow/core/train/traintest"
)

const manifest = "0123456789abcdef0123456789abcdef"

// world is a server, a store and a run that is to be sent.
type world struct {
	t      *testing.T
	server *llmtest.Server
	store  *traintest.Store
	log    bytes.Buffer
	now    time.Time
	dir    string
	run    train.Run
}

func newWorld(t *testing.T, script ...llmtest.Stage) *world {
	w := &world{t: t, server: llmtest.Start(t), store: traintest.New(), now: time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC), dir: t.TempDir()}
	w.server.Tuning().At(w.now.Unix())
	w.server.Tuning().Job(script...)
	for name, rows := range map[string]int{"train.jsonl": 12, "validation.jsonl": 3} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(strings.Repeat("{\"messages\":[]}\n", rows)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.run = w.begin()
	return w
}

// begin keeps another run of the same data.
func (w *world) begin() train.Run {
	r := train.Run{Backend: train.ByOpenAI, Status: train.Uploading, Base: "small", Manifest: manifest, Samples: 12, Created: w.now,
		Host: w.client().Host(), Params: map[string]string{"n_epochs": "3"}}
	if err := w.store.BeginRun(context.Background(), &r); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// after passes the time at once; timeouts never come.
func (w *world) after(d time.Duration) <-chan time.Time {
	ch := make(chan time.Time, 1)
	if d != timeout {
		w.now = w.now.Add(d)
		ch <- w.now
	}
	return ch
}

const timeout = 77 * time.Second

func (w *world) client() *llm.Client {
	c, err := llm.New(llm.Config{BaseURL: w.server.URL, Model: "small", Key: "sk-very-secret", KeyEnv: "KEY", Table: "train", Timeout: timeout, Retries: 2},
		llm.Deps{After: w.after, Now: w.clock, Rand: func() float64 { return 0 }})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) clock() time.Time { return w.now }

// driver is one that knows nothing but the row, as after a restart.
func (w *world) driver() *Driver {
	return &Driver{Store: w.store, Server: w.client(), Train: []string{filepath.Join(w.dir, "train.jsonl")}, Log: &w.log, Now: w.clock}
}

// steps takes steps with new drivers until the run has ended, errors passed over.
func (w *world) steps(most int, change ...func(*Driver)) train.Run {
	w.t.Helper()
	r := w.run
	for range most {
		d := w.driver()
		for _, f := range change {
			f(d)
		}
		now, err := d.Step(context.Background(), r)
		if err == nil {
			r = now
		}
		if r.Status.Ended() {
			return r
		}
	}
	w.t.Fatalf("after %d steps it is %s\n%s", most, r.Status, w.log.String())
	return r
}

var success = []llmtest.Stage{
	{Status: "validating_files", Events: []llmtest.Event{{Message: "Created"}}},
	{Status: "queued"},
	{Status: "running", Events: []llmtest.Event{
		{Message: "Step 1", Data: map[string]any{"step": 1, "train_loss": 0.9, "total_steps": 3}},
		{Message: "Step 2\x1b[31m", Level: "warn", Data: map[string]any{"step": 2, "train_loss": 0.5, "valid_loss": 0.6}}}},
	{Status: "paused"},
	{Status: "succeeded", Model: "ft:small:org::1", Tokens: 1234, Events: []llmtest.Event{{Message: "Step 3", Data: map[string]any{"step": 3, "train_loss": 0.25}}, {Message: "Done"}}},
}

func TestSuccess(t *testing.T) {
	w := newWorld(t, success...)
	w.server.Tuning().Pages(2)
	d, ctx := w.driver(), context.Background()
	d.Validation = []string{filepath.Join(w.dir, "validation.jsonl")}
	want := []train.Status{train.Uploading, train.Queued, train.Queued, train.Queued, train.Running, train.Running, train.Succeeded, train.Succeeded}
	r := w.run
	for i, status := range want {
		var err error
		if r, err = d.Step(ctx, r); err != nil || r.Status != status {
			t.Fatalf("step %d: %s, %v, want %s", i, r.Status, err, status)
		}
	}
	if r.Remote != (train.Remote{File: "file-1", Validation: "file-2", Job: "ftjob-1", Event: "ftevent-5"}) || r.Model != "ft:small:org::1" || r.Started.IsZero() || r.Ended.IsZero() || r.Error != "" {
		t.Errorf("%+v", r)
	}
	if fmt.Sprint(r.Metrics) != "map[train_loss:0.25 trained_tokens:1234 valid_loss:0.6]" {
		t.Errorf("metrics %v", r.Metrics)
	}
	points, _ := w.store.Points(ctx, r.ID)
	if fmt.Sprint(points) != "[{1 train_loss 0.9} {2 train_loss 0.5} {3 train_loss 0.25} {2 valid_loss 0.6}]" {
		t.Errorf("points %v", points)
	}
	if names, _ := w.store.ModelNames(ctx); names["ft:small:org::1"] != r.ID {
		t.Errorf("names %v", names)
	}
	var files []string
	for _, f := range w.server.Tuning().Files() {
		files = append(files, fmt.Sprint(f.Name, " ", f.Rows))
	}
	if fmt.Sprint(files) != "[winnow-0123456789ab.jsonl 12 winnow-0123456789ab-validation.jsonl 3]" {
		t.Errorf("files %v", files)
	}
	if got := w.server.Tuning().Jobs()[0].Request; got["validation_file"] != "file-2" || got["model"] != "small" {
		t.Errorf("asked for %v", got)
	}
	log := w.log.String()
	for _, line := range []string{"12:00:00 info: Created\n", "warn: Step 2␛[31m\n", "info: Done\n", "winnow: made job ftjob-1 of small\n"} {
		if strings.Count(log, line) != 1 {
			t.Errorf("%q is not once in\n%s", line, log)
		}
	}
	if strings.Contains(log, "sk-very-secret") {
		t.Error("the key is in the log")
	}
}

func TestEnds(t *testing.T) {
	for _, q := range []struct {
		name  string
		stage llmtest.Stage
		want  train.Status
		err   string
	}{
		{"failed", llmtest.Stage{Status: "failed", Error: map[string]any{"code": "invalid_training_file", "message": "line 3 has\nno\x1b messages", "param": "training_file"}}, train.Failed, "line 3 has no␛ messages (invalid_training_file, training_file)"},
		{"failed without a word", llmtest.Stage{Status: "failed"}, train.Failed, "the server says that the job failed, and not why"},
		{"long words", llmtest.Stage{Status: "failed", Error: map[string]any{"message": strings.Repeat("wrong ", 1000)}}, train.Failed, strings.Repeat("wrong ", 166) + "w…"},
		{"cancelled", llmtest.Stage{Status: "cancelled"}, train.Cancelled, ""},
		{"no model", llmtest.Stage{Status: "succeeded"}, train.Succeeded, ""},
		{"a model with a mark", llmtest.Stage{Status: "succeeded", Model: "a b"}, train.Failed, "URL calls the model of job ftjob-1 \"a b\", which is no name: it is not used"},
	} {
		t.Run(q.name, func(t *testing.T) {
			w := newWorld(t, llmtest.Stage{Status: "queued"}, q.stage)
			r := w.steps(5)
			if got := strings.ReplaceAll(r.Error, w.server.URL, "URL"); r.Status != q.want || got != q.err || r.Ended.IsZero() {
				t.Errorf("%s: %q", r.Status, got)
			}
			if names, _ := w.store.ModelNames(context.Background()); len(names) != 0 {
				t.Errorf("names %v", names)
			}
		})
	}
}

// TestClosed: a refusal ends a run, and says what else there is.
func TestClosed(t *testing.T) {
	w := newWorld(t, success...)
	w.server.Tuning().Fail(llmtest.CreateJob, llmtest.Closed())
	r := w.steps(4)
	if r.Status != train.Failed || !strings.Contains(r.Error, `takes no new fine-tuning jobs: another base_url, or backend = "command"`) {
		t.Errorf("%s: %s", r.Status, r.Error)
	}
	n := len(w.server.Tuning().Calls())
	if again, err := w.driver().Step(context.Background(), r); err != nil || again.Status != train.Failed || len(w.server.Tuning().Calls()) != n {
		t.Errorf("a step after the end: %s, %v", again.Status, err)
	}
}

// TestBadIDs: a server that calls things what is no id ends the run; nothing of it is
// kept, and it is not asked for more.
func TestBadIDs(t *testing.T) {
	for _, kind := range []string{"file", "ftjob"} {
		w := newWorld(t, success...)
		w.server.Tuning().IDs(func(of string, n int) string {
			if of == kind {
				return "../../evil"
			}
			return fmt.Sprint(of, n)
		})
		r := w.steps(4)
		if r.Status != train.Failed || !strings.Contains(r.Error, "which is no id") || strings.Contains(fmt.Sprint(r.Remote), "evil") {
			t.Errorf("%s: %s, %s, %+v", kind, r.Status, r.Error, r.Remote)
		}
		for _, c := range w.server.Tuning().Calls() {
			if strings.Contains(c.Path, "evil") {
				t.Errorf("asked for %s", c.Path)
			}
		}
	}
}

// TestWaits: what a person or time can mend leaves the run as it is.
func TestWaits(t *testing.T) {
	for route, steps := range map[string]int{llmtest.ListFiles: 0, llmtest.Upload: 0, llmtest.ListJobs: 1, llmtest.CreateJob: 1, llmtest.GetJob: 2} {
		for _, fault := range []llmtest.Reply{llmtest.Status(401, ""), llmtest.Coded(429, "no more", "insufficient_quota"), llmtest.Garbage()} {
			w := newWorld(t, success...)
			d, ctx := w.driver(), context.Background()
			for range steps {
				if _, err := d.Step(ctx, w.run); err != nil {
					t.Fatal(err)
				}
			}
			before, _ := w.store.FindRun(ctx, w.run.ID)
			w.server.Tuning().Fail(route, fault)
			_, err := d.Step(ctx, w.run)
			after, _ := w.store.FindRun(ctx, w.run.ID)
			if !llm.Unavailable(err) || !strings.HasPrefix(err.Error(), "run 1: ") || after.Status != before.Status || after.Remote != before.Remote {
				t.Errorf("%s: %v; %+v", route, err, after)
			}
			if r := w.steps(10); r.Status != train.Succeeded {
				t.Errorf("%s: then %s", route, r.Error)
			}
			w.once(1)
		}
	}
}

// TestNotAsked: what cannot become a job is not sent.
func TestNotAsked(t *testing.T) {
	for _, q := range []struct {
		name   string
		change func(*train.Run)
		status train.Status
		want   string
	}{
		{"no manifest", func(r *train.Run) { r.Manifest = "../x" }, train.Failed, "the data of this run has no manifest: begin another one"},
		{"another host", func(r *train.Run) { r.Host = "api.openai.com" }, train.Uploading, "run 1 is for api.openai.com, and base_url in [train] names HOST: set it back, or begin another run"},
		{"a command", func(r *train.Run) { r.Backend = train.ByCommand }, train.Uploading, "run 1 is trained by command, not by a server"},
		{"ended", func(r *train.Run) { r.Status = train.Cancelled }, train.Cancelled, ""},
		{"exporting", func(r *train.Run) { r.Status = train.Exporting }, train.Exporting, ""},
		{"evaluating", func(r *train.Run) { r.Status = train.Evaluating }, train.Evaluating, ""},
	} {
		t.Run(q.name, func(t *testing.T) {
			w := newWorld(t)
			ctx := context.Background()
			r, _ := w.store.ChangeRun(ctx, w.run.ID, func(r *train.Run) error { q.change(r); return nil })
			r, err := w.driver().Step(ctx, r)
			got := r.Error
			if err != nil {
				got = strings.ReplaceAll(err.Error(), w.client().Host(), "HOST")
			}
			if r.Status != q.status || got != q.want || len(w.server.Tuning().Calls()) != 0 {
				t.Errorf("%s: %q, %d calls", r.Status, got, len(w.server.Tuning().Calls()))
			}
		})
	}
	w := newWorld(t)
	d := w.driver()
	d.Train = []string{filepath.Join(w.dir, "few.jsonl")}
	row := fmt.Sprintf("{%q:%q}\n", "messages", strings.Repeat("x", 10_000))
	for rows, want := range map[string]int{strings.Repeat(row, 9): 9, strings.Repeat(row, 9) + "\n  \n\n": 9, strings.Repeat(row, 9) + "{}": 10, strings.Repeat(row, 99): 10, "": 0} {
		if err := os.WriteFile(d.Train[0], []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := countRows(d.Train); n != want || err != nil {
			t.Errorf("%d rows, %v, want %d", n, err, want)
		}
	}
	const want = "fine-tuning takes at least 10 rows, and there are 9: approve more, or take another split"
	if err := os.WriteFile(d.Train[0], []byte(strings.Repeat(row, 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := d.Step(context.Background(), w.run); err != nil || r.Status != train.Failed || r.Error != want || len(w.server.Tuning().Calls()) != 0 {
		t.Errorf("%s: %s, %v", r.Status, r.Error, err)
	}
	w = newWorld(t)
	d = w.driver()
	d.Train = []string{filepath.Join(w.dir, "gone.jsonl")}
	if r, err := d.Step(context.Background(), w.run); err != nil || r.Status != train.Failed || !strings.Contains(r.Error, "the data is gone") {
		t.Errorf("%s: %s, %v", r.Status, r.Error, err)
	}
}

// TestParent: a run goes on from what came of its parent, or not at all.
func TestParent(t *testing.T) {
	w := newWorld(t, success...)
	first := w.steps(10)
	second := w.begin()
	w.run, _ = w.store.ChangeRun(context.Background(), second.ID, func(r *train.Run) error { r.Parent = first.ID; return nil })
	if r := w.steps(10); r.Status != train.Succeeded || w.server.Tuning().Jobs()[1].Request["model"] != "ft:small:org::1" {
		t.Errorf("%s: %v", r.Status, w.server.Tuning().Jobs())
	}
	for _, parent := range []int64{4, 99} { // 4 has no model, 99 is not there
		third := w.begin()
		w.run, _ = w.store.ChangeRun(context.Background(), third.ID, func(r *train.Run) error { r.Parent = parent; return nil })
		w.begin()
		if r := w.steps(10); r.Status != train.Failed || !strings.Contains(r.Error, "has no model at") || len(w.server.Tuning().Jobs()) != 2 {
			t.Errorf("%s: %s", r.Status, r.Error)
		}
	}
}

// TestEventsAreNoMust: a server that tells no events has its runs succeed.
func TestEventsAreNoMust(t *testing.T) {
	for _, fault := range []llmtest.Reply{llmtest.Status(404, ""), llmtest.Status(401, ""), llmtest.Raw("application/json", `{"data":[{"id":"../x"}]}`)} {
		w := newWorld(t, success...)
		w.server.Tuning().Fail(llmtest.Events, llmtest.Repeat(50, fault)...)
		if r := w.steps(10); r.Status != train.Succeeded || r.Remote.Event != "" {
			t.Errorf("%s: %s", r.Status, r.Error)
		}
	}
}

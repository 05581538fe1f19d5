package work

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/core/export/lineage"
	"winnow/core/lease"
	"winnow/core/train"
	"winnow/core/train/traintest"
)

// TestMain makes the tests their own trainer.
func TestMain(m *testing.M) {
	if os.Getenv("WINNOW_TEST_TRAINER") != "" {
		if err := launch(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		if err := speak(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
		traintest.Trainer()
		return
	}
	os.Exit(m.Run())
}

// quick is how much faster than in life time passes for workers here.
const quick = 50

// workshop is a worker with a store and a run that has data.
type workshop struct {
	*Worker
	t     *testing.T
	store *traintest.Store
	hold  string // a file: the trainer waits after its first epoch as long as it is there
	child string // a file with the number of a process that the trainer began
}

func newWorkshop(t *testing.T, commands Commands) *workshop {
	store, dir := traintest.New(), t.TempDir()
	after := func(d time.Duration) <-chan time.Time { return time.After(d / quick) }
	w := &workshop{t: t, store: store, hold: filepath.Join(dir, "hold"), child: filepath.Join(dir, "child")}
	commands.Dir, commands.Env = dir, append(os.Environ(), "WINNOW_TEST_TRAINER=1")
	for _, argv := range []*[]string{&commands.Train, &commands.Resume, &commands.Evaluate} {
		if *argv != nil {
			*argv = append([]string{os.Args[0]}, *argv...)
			for i, arg := range *argv {
				(*argv)[i] = strings.NewReplacer("HOLD", w.hold, "CHILD", w.child).Replace(arg)
			}
		}
	}
	began := time.Now()
	now := func() time.Time { return began.Add(time.Since(began) * quick) }
	w.Worker = &Worker{
		Store: store, Commands: commands, Folder: filepath.Join(dir, "runs"), Now: now, After: after,
		Keeper: &lease.Keeper{Store: store, Holder: "test", Now: now, After: after, Rand: rand.Reader, Lasts: time.Hour},
	}
	return w
}

var learning = []string{"data={train}", "out={out}"}

// queued makes a run that waits for a worker, with files of a split each.
func (w *workshop) queued(change func(*train.Run)) train.Run {
	w.t.Helper()
	r := train.Run{Backend: train.ByCommand, Status: train.Queued, Base: "base/model", Exit: -1, Params: map[string]string{"rate": "1e-5"}}
	if err := w.store.BeginRun(w.t.Context(), &r); err != nil {
		w.t.Fatal(err)
	}
	w.do(w.Place(r.ID).Make(&r))
	data := w.Place(r.ID).Data()
	if err := os.MkdirAll(filepath.Join(data, lineage.Folder), 0o700); err != nil {
		w.t.Fatal(err)
	}
	m := lineage.Manifest{Version: lineage.Version, Options: lineage.Options{Splits: []lineage.Split{{Name: "train", Share: 0.9}, {Name: "test", Share: 0.1}}}, Beside: []lineage.File{}}
	for _, split := range []string{"train", "test"} {
		var lines strings.Builder
		for _, tool := range []string{"read", "read", "bash", "edit"} {
			fmt.Fprintf(&lines, `{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":%q,"arguments":{}}}]}]}`+"\n", tool)
		}
		name := split + ".jsonl"
		if err := os.WriteFile(filepath.Join(data, name), []byte(lines.String()), 0o600); err != nil {
			w.t.Fatal(err)
		}
		sum, err := SumOf(filepath.Join(data, name))
		if err != nil {
			w.t.Fatal(err)
		}
		m.Files = append(m.Files, lineage.File{Path: name, Split: split, Rows: 4, SHA256: sum})
	}
	text, err := json.Marshal(&m)
	if err != nil {
		w.t.Fatal(err)
	}
	path := filepath.Join(data, filepath.FromSlash(lineage.ManifestName))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		w.t.Fatal(err)
	}
	r, err = w.store.ChangeRun(w.t.Context(), r.ID, func(r *train.Run) (err error) {
		r.Manifest, err = SumOf(path)
		if change != nil {
			change(r)
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// work trains a run and returns it.
func (w *workshop) work(id int64) train.Run {
	w.t.Helper()
	if err := w.Work(w.t.Context(), id); err != nil {
		w.t.Fatal(err)
	}
	return w.run(id)
}

func (w *workshop) run(id int64) train.Run {
	w.t.Helper()
	r, err := w.store.FindRun(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *workshop) log(id int64) string {
	text, _ := os.ReadFile(w.Place(id).Log())
	return string(text)
}

// keep has the trainer hold, release has it go on.
func (w *workshop) keep() {
	w.t.Helper()
	if err := os.WriteFile(w.hold, nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *workshop) release() { _ = os.Remove(w.hold) }

// begin lets a worker train a run, and returns when its trainer holds after an epoch.
func (w *workshop) begin(id int64) (ended chan error) {
	w.t.Helper()
	w.keep()
	ended = make(chan error, 1)
	go func() { ended <- w.Work(context.Background(), id) }()
	w.until(func() bool {
		points, err := w.store.Points(context.Background(), id)
		return err == nil && len(points) > 0 && w.run(id).PID > 1
	})
	return ended
}

// until waits for what other processes do.
func (w *workshop) until(true func() bool) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !true(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("it does not come to that")
		}
	}
}

// losses are the steps at which a run has losses.
func (w *workshop) losses(id int64) (steps []int) {
	points, err := w.store.Points(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, p := range points {
		if p.Name == "loss" {
			steps = append(steps, p.Step)
		}
	}
	return steps
}

func TestARunIsTrainedAndEvaluated(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "run={run}", "base={base}", "rate=$WINNOW_PARAM_RATE"), Evaluate: []string{"evaluate={model}", "data={validation}"}})
	r := w.queued(nil)
	got := w.work(r.ID)
	model := filepath.Join(w.Place(r.ID).Out(), "model.json")
	if got.Status != train.Succeeded || got.Exit != 0 || got.Error != "" || got.PID != 0 || got.Started.IsZero() || got.Ended.IsZero() {
		t.Errorf("%+v\n%s", got, w.log(r.ID))
	}
	if got.Model != model || filepath.Base(got.Checkpoint) != "checkpoint-3" || !(got.Metrics["loss"] > 0) {
		t.Errorf("%q, %q, %v", got.Model, got.Checkpoint, got.Metrics)
	}
	if steps := w.losses(r.ID); len(steps) != 3 {
		t.Errorf("losses at %v", steps)
	}
	evals, _ := w.store.Evals(t.Context(), r.ID)
	if want := []train.Eval{{Subject: train.OfBase, Name: "known", Value: 0, N: 4}, {Subject: train.OfResult, Name: "known", Value: 1, N: 4}}; !slices.Equal(evals, want) {
		t.Errorf("%+v", evals)
	}
	if names, _ := w.store.ModelNames(t.Context()); names[model] != r.ID {
		t.Errorf("%v", names)
	}
	// What is executed is never read by a shell.
	if want := []string{os.Args[0], "data=" + filepath.Join(w.Place(r.ID).Data(), "train.jsonl"), "out=" + w.Place(r.ID).Out(), "run=1", "base=base/model", "rate=$WINNOW_PARAM_RATE"}; !slices.Equal(got.Command, want) {
		t.Errorf("%q", got.Command)
	}
	if log := w.log(r.ID); strings.Count(log, "'loss'") != 3 || !strings.Contains(log, "winnow: evaluating the result") {
		t.Errorf("%s", log)
	}
	if err := w.Work(t.Context(), r.ID); err == nil || !strings.Contains(err.Error(), "does not wait for a worker: it succeeded") {
		t.Error(err)
	}
}

func TestWhatGoesWrongIsKeptWithTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		commands Commands
		change   func(*train.Run)
		want     string
	}{
		"the command fails":     {Commands{Train: []string{"fail=CUDA out of memory"}}, nil, "exit status 3: CUDA out of memory"},
		"there is no command":   {Commands{}, nil, "no trainer is configured: set command under [train]"},
		"a word is unknown":     {Commands{Train: []string{"{nothing}"}}, nil, "{nothing}"},
		"nothing was made":      {Commands{Train: []string{"evaluate=none", "data={train}"}}, nil, "the command succeeded and left no model"},
		"the data was changed":  {Commands{Train: learning}, func(r *train.Run) { r.Manifest = "other" }, "is not what the run was begun with"},
		"the parent is no run":  {Commands{Train: learning}, func(r *train.Run) { r.Parent = 7 }, "run 7, which this one goes on from"},
		"the parent failed":     {Commands{Train: learning}, func(r *train.Run) { r.Parent = 1 }, "run 1, which this one goes on from, has no model"},
		"the base is an option": {Commands{Train: append(learning, "{base}")}, func(r *train.Run) { r.Base = "--exec=x" }, "which a program would take for an option"},
	} {
		w := newWorkshop(t, c.commands)
		r := w.queued(c.change)
		if got := w.work(r.ID); got.Status != train.Failed || !strings.Contains(got.Error, c.want) || got.Ended.IsZero() {
			t.Errorf("%s: %s: %q", name, got.Status, got.Error)
		}
	}
	w := newWorkshop(t, Commands{Train: learning})
	w.Train = []string{filepath.Join(t.TempDir(), "none")}
	if got := w.work(w.queued(nil).ID); got.Status != train.Failed || !strings.Contains(got.Error, "cannot be executed") {
		t.Errorf("%s: %q", got.Status, got.Error)
	}
}

func TestAnEvaluationThatFailsLosesNoModel(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning, Evaluate: []string{"fail=no GPU"}})
	got := w.work(w.queued(nil).ID)
	if got.Status != train.Succeeded || got.Exit != 0 || !strings.Contains(got.Error, "the result could not be evaluated: exit status 3: no GPU") {
		t.Errorf("%+v", got)
	}
}

// Stopping ends all that a trainer began, also what does not end when it is asked to; the
// run goes on from its checkpoint later.
func TestStopLeavesNoChildAndResumeGoesOn(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "hold=HOLD", "child=CHILD"), Resume: append(learning, "from={checkpoint}")})
	r := w.queued(nil)
	ended := w.begin(r.ID)
	number, err := os.ReadFile(w.child)
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(string(number))
	if Began(child) == 0 || Began(w.run(r.ID).PID) == 0 {
		t.Fatal("they are not there")
	}
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	got := w.run(r.ID)
	if got.Status != train.Cancelled || got.PID != 0 || filepath.Base(got.Checkpoint) != "checkpoint-1" || Began(child) != 0 {
		t.Errorf("%+v, child began %d", got, Began(child))
	}
	if _, err := w.Stop(t.Context(), r.ID); err == nil || !strings.Contains(err.Error(), "has ended already: it was stopped") {
		t.Error(err)
	}
	if _, err := w.Requeue(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	got = w.work(r.ID)
	if got.Status != train.Succeeded || filepath.Base(got.Command[len(got.Command)-1]) != "checkpoint-1" || !got.Started.Equal(w.run(r.ID).Started) {
		t.Errorf("%+v\n%s", got, w.log(r.ID))
	}
	if steps := w.losses(r.ID); !slices.Equal(steps, []int{1, 2, 3}) {
		t.Errorf("losses at %v", steps)
	}
	if log := w.log(r.ID); strings.Count(log, "'epoch': 1.0") != 1 || strings.Count(log, "'epoch': 3.0") != 1 {
		t.Errorf("%s", log)
	}
	if _, err := w.Requeue(t.Context(), r.ID); err == nil || !strings.Contains(err.Error(), "succeeded") {
		t.Error(err)
	}
}

// A worker that is asked to end takes its trainer with it.
func TestAWorkerThatEndsLeavesNoTrainer(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "hold=HOLD")})
	r := w.queued(nil)
	if err := os.WriteFile(w.hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Work(ctx, r.ID) }()
	w.until(func() bool { return w.run(r.ID).PID > 1 })
	pid := w.run(r.ID).PID
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := w.run(r.ID); got.Status != train.Cancelled || got.Error != "its worker was stopped" || Began(pid) != 0 {
		t.Errorf("%+v", got)
	}
}

// One that loses its lease ends its trainer, and says nothing of the run: somebody else
// may have it.
func TestAWorkerThatLosesItsLeaseEnds(t *testing.T) {
	w := newWorkshop(t, Commands{Train: append(learning, "hold=HOLD")})
	w.Keeper.Lasts = 4 * time.Second // renewed after a second
	r := w.queued(nil)
	ended := w.begin(r.ID)
	pid := w.run(r.ID).PID
	list, _ := w.store.Leases(t.Context())
	if len(list) != 1 || list[0].Name != LeaseName(r.ID) {
		t.Fatalf("%+v", list)
	}
	if err := w.store.ReturnLease(t.Context(), list[0].Name, list[0].Token); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, lease.ErrLost) {
		t.Error(err)
	}
	if got := w.run(r.ID); got.Status != train.Running || Began(pid) != 0 {
		t.Errorf("%s, the trainer began %d", got.Status, Began(pid))
	}
	if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != train.Lost {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
}

// A run is lost when neither its worker nor its trainer is there; a trainer whose worker
// is gone is stopped all the same.
func TestARunThatNobodyIsAtIsLost(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	for status, want := range map[train.Status]train.Status{train.Running: train.Lost, train.Evaluating: train.Lost, train.Queued: train.Lost, train.Exporting: train.Cancelled} {
		r := w.queued(func(r *train.Run) { r.Status, r.PID, r.PIDBegan = status, os.Getpid(), Began(os.Getpid())+1 })
		if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != want || w.run(r.ID).Error == "" {
			t.Errorf("%s: %v, %+v", status, err, w.run(r.ID))
		}
	}
	hold := func(name string, status train.Status) {
		r := w.queued(func(r *train.Run) { r.Status = status })
		if name == "" {
			name = LeaseName(r.ID)
		}
		if err := w.Keeper.Hold(t.Context(), name, func(ctx context.Context, _ string) error { return w.Settle(ctx) }); err != nil || w.run(r.ID).Status != status {
			t.Errorf("%s %s: %v, %s", name, status, err, w.run(r.ID).Status)
		}
		if err := w.Settle(t.Context()); err != nil {
			t.Error(err)
		}
	}
	hold("", train.Running)
	hold(BeginLease, train.Exporting)
	hold(BeginLease, train.Queued)
	remote := w.queued(func(r *train.Run) { r.Status, r.Backend = train.Running, train.ByOpenAI })
	if err := w.Settle(t.Context()); err != nil || w.run(remote.ID).Status != train.Running {
		t.Errorf("%v, %s", err, w.run(remote.ID).Status)
	}

	cmd := exec.Command(os.Args[0], "deaf=")
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1")
	apart(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	go cmd.Wait()
	r := w.queued(func(r *train.Run) { r.Status, r.PID, r.PIDBegan = train.Running, pid, Began(pid) })
	if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != train.Running {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	w.until(func() bool { return Began(pid) == 0 })
}

// A worker that ended before the database knew of its trainer has left a note of it.
func TestATrainerIsFoundByTheNoteOfItsWorker(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	for note, want := range map[string]train.Status{
		fmt.Sprintf("%d %d\n", os.Getpid(), Began(os.Getpid())):   train.Running,
		fmt.Sprintf("%d %d\n", os.Getpid(), Began(os.Getpid())+1): train.Lost,
		fmt.Sprintf("%d", os.Getpid()):                            train.Lost,
	} {
		r := w.queued(func(r *train.Run) { r.Status = train.Running })
		if err := os.WriteFile(w.Place(r.ID).process(), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != want {
			t.Errorf("%q: %v, %s", note, err, w.run(r.ID).Status)
		}
	}
	if done := w.work(w.queued(nil).ID); done.Status != train.Succeeded {
		t.Fatal(done)
	} else if _, err := os.Stat(w.Place(done.ID).process()); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the note stays:", err)
	}
}

// What was exported is what is trained.
func TestDataThatWasChangedIsNotTrained(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	r := w.queued(nil)
	if err := os.WriteFile(filepath.Join(w.Place(r.ID).Data(), "train.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if done := w.work(r.ID); done.Status != train.Failed || !strings.Contains(done.Error, "train.jsonl is not what the run was begun with") {
		t.Errorf("%+v", done)
	}
}

func TestTheFirstPartIsTrained(t *testing.T) {
	for _, c := range []struct{ parts, trained string }{{"", ""}, {"a b", "a"}, {"validation train", "validation"}, {"train test", "train"}} {
		var parts []lineage.Split
		for _, name := range strings.Fields(c.parts) {
			parts = append(parts, lineage.Split{Name: name})
		}
		for _, name := range append(strings.Fields(c.parts), c.trained) {
			if got := SplitOf(parts, name); (got == train.Train) != (name == c.trained) {
				t.Errorf("%s of %q: %s", name, c.parts, got)
			}
		}
	}
}

// A trainer whose leader is gone is there as long as others of its group are.
func TestAGroupWithoutItsLeaderIsThere(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	r := w.queued(func(r *train.Run) { r.Status = train.Running })
	cmd := exec.Command(os.Args[0], "child="+w.child, "fail=at once")
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1", w.marked(r.ID))
	apart(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	began := Began(pid)
	_ = cmd.Wait()
	number, err := os.ReadFile(w.child)
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(string(number))
	if _, err := w.store.ChangeRun(t.Context(), r.ID, func(r *train.Run) error { r.PID, r.PIDBegan = pid, began; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := w.Settle(t.Context()); err != nil || w.run(r.ID).Status != train.Running {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
	if _, err := w.Stop(t.Context(), r.ID); err != nil || Began(child) != 0 {
		t.Errorf("%v, the child began %d", err, Began(child))
	}
}

// What the documentation says of stopping is so, and launchers can end their ranks before
// they are killed.
func TestLaunchersHaveTimeToEndTheirRanks(t *testing.T) {
	text, err := os.ReadFile("../../../docs/training-runs.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("kills them after %.0f seconds", Grace.Seconds()); Grace <= launchers || !strings.Contains(string(text), want) {
		t.Errorf("%q is not said", want)
	}
}

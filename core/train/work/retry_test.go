package work

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/export/lineage"
	"winnow/core/train"
)

// speak prints what arguments "print=TEXT" have, and writes that of "tell=TEXT" into the
// file of metrics, as those of a file "copy=FILE".
func speak(args []string) error {
	for _, arg := range args {
		switch name, text, _ := strings.Cut(arg, "="); name {
		case "print":
			fmt.Println(text)
		case "copy":
			data, err := os.ReadFile(text)
			if err != nil {
				return err
			}
			if err := os.WriteFile(os.Getenv("WINNOW_METRICS"), data, 0o600); err != nil {
				return err
			}
		case "tell":
			if err := os.WriteFile(os.Getenv("WINNOW_METRICS"), []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// points are those of a run, as "name step value".
func (w *workshop) points(id int64) (all []string) {
	list, err := w.store.Points(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, p := range list {
		all = append(all, fmt.Sprintf("%s %d %g", p.Name, p.Step, p.Value))
	}
	return all
}

// again has a run go on that failed.
func (w *workshop) again(id int64) {
	w.t.Helper()
	if _, err := w.Requeue(w.t.Context(), id); err != nil {
		w.t.Fatal(err)
	}
	if got := w.work(id); got.Status != train.Failed {
		w.t.Fatalf("%+v", got)
	}
}

// A try that goes on from a checkpoint tells its steps anew from the first one on that it
// has; without numbers they go on after the last one.
func TestWhatIsToldAgainTakesThePlaceOfWhatWas(t *testing.T) {
	const first = "{'loss': 1, 'step': 10}\n{'loss': 0.9, 'step': 20}\n{'eval_loss': 5, 'step': 25}\n{'loss': 0.8, 'step': 30}\n"
	kept := []string{"eval_loss 25 5", "loss 10 1", "loss 20 0.9", "loss 30 0.8"}
	for name, c := range map[string]struct {
		first, second []string
		want          []string
	}{
		"numbered":       {[]string{"print=" + first}, []string{"print={'loss': 0.5, 'step': 20}\n{'loss': 0.4, 'step': 40}"}, []string{"loss 10 1", "loss 20 0.5", "loss 40 0.4"}},
		"numbered late":  {[]string{"print=" + first}, []string{"print={'loss': 7}\n{'loss': 0.5, 'step': 20}"}, []string{"loss 10 1", "loss 20 0.5"}},
		"in a file":      {[]string{"tell=" + first}, []string{"tell={\"loss\": 0.5, \"step\": 20}\n"}, []string{"loss 10 1", "loss 20 0.5"}},
		"file after log": {[]string{"tell=" + first}, []string{"print={'loss': 9}", "tell={\"loss\": 0.5, \"step\": 20}\n"}, []string{"loss 10 1", "loss 20 0.5"}},
		"no numbers":     {[]string{"print=" + first}, []string{"print={'loss': 0.5}\n{'loss': 0.4}"}, append(slices.Clone(kept), "loss 31 0.5", "loss 32 0.4")},
		"no numbers in a file": {[]string{"tell=" + first}, []string{"tell={\"loss\": 0.5}\n{\"loss\": 0.4}\n"},
			append(slices.Clone(kept), "loss 31 0.5", "loss 32 0.4")},
		"silence": {[]string{"print=" + first}, nil, kept},
	} {
		w := newWorkshop(t, Commands{Train: append(c.first, "fail=first"), Resume: append(c.second, "fail=second")})
		r := w.queued(nil)
		if got := w.work(r.ID); got.Status != train.Failed || !slices.Equal(w.points(r.ID), kept) {
			t.Fatalf("%s: %+v, %q", name, got, w.points(r.ID))
		}
		if err := os.Mkdir(filepath.Join(w.Place(r.ID).Out(), "checkpoint-15"), 0o700); err != nil {
			t.Fatal(err)
		}
		if w.again(r.ID); !slices.Equal(w.points(r.ID), c.want) {
			t.Errorf("%s: %q, want %q", name, w.points(r.ID), c.want)
		}
	}
}

// Without a checkpoint a run begins anew: nothing of the first try is left.
func TestATryFromTheBeginningForgetsTheFirst(t *testing.T) {
	w := newWorkshop(t, Commands{Train: []string{"tell={\"loss\": 1}\n{\"loss\": 0.5}\n{\"acc\": 1}\n", "fail=first"}})
	r := w.queued(nil)
	w.work(r.ID)
	if err := w.store.PutEvals(t.Context(), r.ID, []train.Eval{{Subject: train.OfBase, Name: "old", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	w.Train = []string{os.Args[0], "print={'loss': 3}", "fail=second"}
	w.again(r.ID)
	if got, evals := w.points(r.ID), w.evals(r.ID); !slices.Equal(got, []string{"loss 1 3"}) || len(evals) > 0 {
		t.Errorf("%q, %+v", got, evals)
	}
}

func (w *workshop) evals(id int64) []train.Eval {
	list, err := w.store.Evals(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// Lines that a worker did not come to read are read by the next one, if they say where
// they belong.
func TestWhatNobodyReadIsReadLater(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning, Resume: []string{"print={'loss': 0.1}", "fail=second"}})
	r := w.queued(func(r *train.Run) { r.Status, r.Started = train.Failed, w.Now() })
	if err := os.MkdirAll(filepath.Join(w.Place(r.ID).Out(), "checkpoint-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Place(r.ID).metrics(), []byte("{\"loss\": 1, \"step\": 5}\n{\"loss\": 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w.again(r.ID); !slices.Equal(w.points(r.ID), []string{"loss 5 1", "loss 6 0.1"}) {
		t.Errorf("%q", w.points(r.ID))
	}
}

// counting is a store that counts the points of each transaction.
type counting struct {
	train.Store
	most, all int
}

func (c *counting) AddPoints(ctx context.Context, id int64, list []train.Point) error {
	c.most, c.all = max(c.most, len(list)), c.all+len(list)
	return c.Store.AddPoints(ctx, id, list)
}

// A run has so many names of metrics, also over all of its tries, and so many points are
// kept at once.
func TestNamesOfMetricsHaveABound(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "{\"m%d\": 1, \"loss\": 2, \"step\": %d}\n", i, i)
	}
	file := filepath.Join(t.TempDir(), "metrics")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorkshop(t, Commands{Train: []string{"copy=" + file, "fail=first"}, Resume: []string{"tell={\"new\": 1, \"loss\": 2}\n", "fail=second"}})
	c := &counting{Store: w.store}
	w.Worker.Store = c
	r := w.queued(nil)
	w.work(r.ID)
	names := map[string]bool{}
	count := func() int {
		list, _ := w.store.Points(t.Context(), r.ID)
		for _, p := range list {
			names[p.Name] = true
		}
		return len(list)
	}
	if n := count(); len(names) != train.MaxNames || !names["loss"] || !names["m0"] || n != 20_000+train.MaxNames-1 {
		t.Errorf("%d points of %d names", n, len(names))
	}
	if c.most > mostKept || c.all != 20_000+train.MaxNames-1 {
		t.Errorf("%d points at once, %d in all", c.most, c.all)
	}
	if log := w.log(r.ID); strings.Count(log, "winnow: a run has metrics of 200 names: 19801 values of others were left out\n") != 1 {
		t.Errorf("%s", log)
	}
	if err := os.Mkdir(filepath.Join(w.Place(r.ID).Out(), "checkpoint-15"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.again(r.ID)
	if count(); len(names) != train.MaxNames || names["new"] {
		t.Errorf("%q", slices.Sorted(maps.Keys(names)))
	}
}

// While the database is busy only so many points wait.
func TestPointsThatWaitHaveABound(t *testing.T) {
	var p points
	for range mostWaiting + 10 {
		p.printed("{'loss': 1}")
	}
	list, _ := p.taken()
	p.printed("{'loss': 1}")
	if p.back(list, nil); len(list) != mostWaiting || len(p.list) != mostWaiting {
		t.Errorf("%d, %d", len(list), len(p.list))
	}
}

// A checkpoint of a try that nothing goes on from is none of the next one, and stays beside it.
func TestACheckpointOfAnEarlierTryIsNotOfThisOne(t *testing.T) {
	w := newWorkshop(t, Commands{Train: []string{"fail=first"}})
	r := w.queued(nil)
	w.work(r.ID)
	w.do(os.Mkdir(filepath.Join(w.Place(r.ID).Out(), "checkpoint-900"), 0o700))
	w.Train = []string{"true"}
	if _, err := w.Requeue(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.work(r.ID); got.Status != train.Failed || got.Checkpoint != "" || !strings.Contains(got.Error, "left no model") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(string(w.Place(r.ID)), "out-before", "checkpoint-900")); err != nil {
		t.Error(err)
	}
}

// What an evaluation tells takes the place of nothing that the training told.
func TestAnEvaluationLeavesTheCurve(t *testing.T) {
	const told = "tell={\"loss\": 1, \"step\": 10}\n{\"loss\": 2, \"step\": 20}\n"
	w := newWorkshop(t, Commands{Train: []string{told, "fail=first"}, Resume: append(slices.Clone(learning), "from={checkpoint}", "epochs=1"), Evaluate: []string{"tell={\"x\": 5, \"step\": 0}\n", "evaluate={model}", "data={validation}"}})
	r := w.queued(nil)
	w.work(r.ID)
	dir := filepath.Join(w.Place(r.ID).Out(), "checkpoint-1")
	w.do(os.Mkdir(dir, 0o700))
	w.do(os.WriteFile(filepath.Join(dir, "state.json"), []byte(`{"epoch":1,"tools":{}}`), 0o600))
	if _, err := w.Requeue(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.work(r.ID); got.Status != train.Succeeded || !slices.Contains(w.points(r.ID), "loss 10 1") || len(w.evals(r.ID)) != 2 {
		t.Errorf("%+v, %q, %+v", got, w.points(r.ID), w.evals(r.ID))
	}
}

// Where a stop could not be kept the run has its data.
func TestAStopThatFailsDiscardsNothing(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	r := w.queued(nil)
	w.Worker.Store = &uncommitted{w.store}
	if _, err := w.Stop(t.Context(), r.ID); err == nil {
		t.Error("it was kept")
	}
	if _, err := os.Stat(w.Place(r.ID).Data()); err != nil {
		t.Error(err)
	}
}

// uncommitted is a store that fails when all has been said.
type uncommitted struct{ train.Store }

func (u *uncommitted) ChangeRun(ctx context.Context, id int64, f func(*train.Run) error) (train.Run, error) {
	r, err := u.FindRun(ctx, id)
	if err == nil {
		err = f(&r)
	}
	return r, cmp.Or(err, errBusy)
}

// withoutValidation takes the part that is held back out of the data of a run.
func (w *workshop) withoutValidation(id int64) {
	w.t.Helper()
	path := filepath.Join(w.Place(id).Data(), filepath.FromSlash(lineage.ManifestName))
	text, err := os.ReadFile(path)
	w.do(err)
	var m lineage.Manifest
	w.do(json.Unmarshal(text, &m))
	m.Files = m.Files[:1]
	text, err = json.Marshal(&m)
	w.do(err)
	w.do(os.WriteFile(path, text, 0o600))
	_, err = w.store.ChangeRun(w.t.Context(), id, func(r *train.Run) (err error) {
		r.Manifest, err = SumOf(path)
		return err
	})
	w.do(err)
}

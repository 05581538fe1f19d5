package work

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/export/unfinished"
	"winnow/core/train"
)

// foreign has a run whose folder was made for another one of its number, with a model and
// a checkpoint.
func foreign(w *workshop, change func(*train.Run)) (r train.Run, kept []string) {
	w.t.Helper()
	r = w.queued(change)
	place := w.Place(r.ID)
	other := r
	other.Created = r.Created.Add(time.Hour)
	w.do(os.RemoveAll(string(place)))
	w.do(place.Make(&other))
	kept = []string{filepath.Join(place.Out(), "model.json"), filepath.Join(place.Out(), "checkpoint-3", "w"), filepath.Join(place.Data(), "train.jsonl"), place.Log()}
	for _, path := range kept {
		w.do(os.MkdirAll(filepath.Dir(path), 0o700))
		w.do(os.WriteFile(path, []byte("theirs\n"), 0o600))
	}
	return r, kept
}

// Whatever becomes of a run, a folder that was made for another one stays as it is, and
// nothing of it is taken for the run's.
func TestAFolderOfAnotherRunIsLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*train.Run)
		end    func(*workshop, int64) error
		want   train.Status
	}{
		"trained": {nil, func(w *workshop, id int64) error { return w.Work(w.t.Context(), id) }, train.Failed},
		"stopped": {nil, func(w *workshop, id int64) error { _, err := w.Stop(w.t.Context(), id); return err }, train.Cancelled},
		"lost":    {nil, func(w *workshop, id int64) error { return w.Settle(w.t.Context()) }, train.Lost},
		"cut":     {func(r *train.Run) { r.Status = train.Exporting }, func(w *workshop, id int64) error { return w.Settle(w.t.Context()) }, train.Cancelled},
		"failed": {func(r *train.Run) { r.Status = train.Failed }, func(w *workshop, id int64) error {
			r := w.run(id)
			w.Discard(&r)
			return nil
		}, train.Failed},
		"resumed": {func(r *train.Run) { r.Status = train.Lost }, func(w *workshop, id int64) error {
			if _, err := w.Requeue(w.t.Context(), id); err == nil || !strings.Contains(err.Error(), "are gone: ") {
				t.Errorf("resumed: %v", err)
			}
			return nil
		}, train.Lost},
		"evaluated": {func(r *train.Run) { r.Status, r.Backend, r.Model = train.Evaluating, train.ByOpenAI, "ft:m" }, func(w *workshop, id int64) error { return w.Work(w.t.Context(), id) }, train.Succeeded},
	} {
		w := newWorkshop(t, Commands{Train: learning, Evaluate: learning})
		r, kept := foreign(w, c.change)
		if err := c.end(w, r.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := w.run(r.ID); got.Status != c.want || got.Checkpoint != "" || (name == "trained" || name == "evaluated") && !strings.Contains(got.Error, "are gone: ") {
			t.Errorf("%s: %+v", name, got)
		}
		for _, path := range kept {
			if text, err := os.ReadFile(path); string(text) != "theirs\n" {
				t.Errorf("%s: %s: %v, %q", name, path, err, text)
			}
		}
	}
}

// The folder of a run is made once, and knows its run.
func TestMakeRefusesAFolderThatIsThere(t *testing.T) {
	w := newWorkshop(t, Commands{})
	r := train.Run{ID: 4, Created: time.Unix(1, 234567890)}
	p := w.Place(r.ID)
	if err := errors.Join(p.Free(), p.Gone(&r), p.Make(&r), p.Gone(&r)); err != nil || !p.Of(&r) {
		t.Fatal(err)
	}
	for _, err := range []error{p.Free(), p.Make(&r)} {
		if !errors.As(err, new(Taken)) || err.Error() != string(p)+" is there already, of another database: move it away" {
			t.Error(err)
		}
	}
	kept := r
	kept.Created = r.Created.Truncate(time.Microsecond).UTC() // as a database keeps it
	other := r
	other.Created = r.Created.Add(time.Second)
	if p.Gone(&kept) != nil || p.Gone(&other) == nil || p.Of(&other) {
		t.Error("it does not know its run")
	}
	w.do(os.Remove(p.owner()))
	if p.Of(&r) || p.Gone(&r) == nil {
		t.Error("a folder without a word of its run is taken for its")
	}
}

// Of an export that was killed nothing lies about; one that is at work is left alone.
func TestAKilledExportLeavesNothing(t *testing.T) {
	for _, busy := range []bool{false, true} {
		w := newWorkshop(t, Commands{})
		r := w.queued(func(r *train.Run) { r.Status = train.Exporting })
		half, err := unfinished.CreateFolder(w.Place(r.ID).Data())
		w.do(err)
		w.do(os.WriteFile(filepath.Join(half, "train.jsonl"), []byte("texts"), 0o600))
		if busy {
			lock, err := unfinished.NewLock(w.Place(r.ID).Data())
			w.do(err)
			defer lock.Release()
		}
		w.do(w.Settle(t.Context()))
		if _, err := os.Stat(half); (err == nil) != busy {
			t.Errorf("busy %v: %v", busy, err)
		}
		if _, err := os.Stat(string(w.Place(r.ID))); (err == nil) != busy {
			t.Errorf("busy %v: its folder: %v", busy, err)
		}
	}
}

// A run does not go on from what lies where the model of the run before was.
func TestNoRunGoesOnFromAModelOfAnother(t *testing.T) {
	w := newWorkshop(t, Commands{Train: learning})
	parent, kept := foreign(w, nil)
	_, err := w.store.ChangeRun(t.Context(), parent.ID, func(r *train.Run) error {
		r.Status, r.Model = train.Succeeded, kept[0]
		return nil
	})
	w.do(err)
	r := w.queued(func(r *train.Run) { r.Parent = parent.ID })
	if got := w.work(r.ID); got.Status != train.Failed || !strings.Contains(got.Error, "the files of run 1 are gone: ") {
		t.Errorf("%+v", got)
	}
}

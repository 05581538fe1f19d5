package work

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"winnow/core/train"
)

// tuned makes a run that a server trained, and that is to be evaluated.
func (w *workshop) tuned() train.Run {
	r := w.queued(func(r *train.Run) {
		r.Backend, r.Status, r.Model, r.Started = train.ByOpenAI, train.Evaluating, "ft:small:1", w.Now()
	})
	w.do(w.store.AddPoints(w.t.Context(), r.ID, []train.Point{{Step: 1, Name: "loss", Value: 1}}))
	return r
}

// What a server trained is evaluated by its name, and nothing that the server told goes.
func TestWhatAServerTrainedIsEvaluated(t *testing.T) {
	w := newWorkshop(t, Commands{Train: []string{"fail=not asked"}, Evaluate: []string{"evaluate={model}", "data={validation}"}})
	r := w.tuned()
	got := w.work(r.ID)
	if evals := w.evals(r.ID); got.Status != train.Succeeded || got.Error != "" || got.Model != "ft:small:1" || got.PID != 0 || len(evals) != 2 || evals[1].Subject != train.OfResult || evals[1].N != 4 {
		t.Errorf("%+v, %+v", got, evals)
	}
	if len(w.points(r.ID)) != 1 {
		t.Errorf("%q", w.points(r.ID))
	}
	w = newWorkshop(t, Commands{Evaluate: []string{"evaluate={model}"}})
	r = w.tuned()
	w.do(os.RemoveAll(w.Place(r.ID).Data()))
	if got := w.work(r.ID); got.Status != train.Succeeded || got.Model == "" || got.Error == "" {
		t.Errorf("without data: %+v", got)
	}
}

// Who stops an evaluation has the model all the same; a worker that is asked to end leaves
// it to another one.
func TestAnEvaluationThatEndsLosesNoModel(t *testing.T) {
	begin := func(ctx context.Context) (*workshop, int64, chan error) {
		w := newWorkshop(t, Commands{Evaluate: []string{"deaf="}})
		r := w.tuned()
		ended := make(chan error, 1)
		go func() { ended <- w.Work(ctx, r.ID) }()
		w.until(func() bool { return w.run(r.ID).PID > 1 })
		return w, r.ID, ended
	}
	w, id, ended := begin(t.Context())
	pid := w.run(id).PID
	got, err := w.Stop(t.Context(), id)
	w.do(err)
	w.do(<-ended)
	if got.Status != train.Succeeded || got.Error != "its evaluation was stopped" || Began(pid) != 0 {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w, id, ended = begin(ctx)
	cancel()
	w.do(<-ended)
	if got := w.run(id); got.Status != train.Evaluating || got.PID != 0 {
		t.Errorf("%+v", got)
	}
}

// Where nobody wants an evaluation any more, or its command comes to nothing, the model is
// there all the same.
func TestAnEvaluationThatIsNoneLosesNoModel(t *testing.T) {
	w := newWorkshop(t, Commands{})
	if got := w.work(w.tuned().ID); got.Status != train.Succeeded || got.Error != "" || got.Model == "" {
		t.Errorf("%+v", got)
	}
	w.Evaluate = []string{"{validation}"}
	r := w.tuned()
	w.withoutValidation(r.ID)
	if got := w.work(r.ID); got.Status != train.Succeeded || !strings.Contains(got.Error, "there is no command to be executed") {
		t.Errorf("%+v", got)
	}
}

// An evaluator whose worker was killed is at work: no other one begins beside it.
func TestAnEvaluatorIsAtIt(t *testing.T) {
	w := newWorkshop(t, Commands{Evaluate: []string{"evaluate={model}"}})
	r := w.tuned()
	if is, err := w.AtIt(t.Context(), r.ID); is || err != nil {
		t.Error(is, err)
	}
	cmd := exec.Command(os.Args[0], "deaf=")
	cmd.Env = append(os.Environ(), "WINNOW_TEST_TRAINER=1")
	apart(cmd)
	w.do(cmd.Start())
	go cmd.Wait()
	w.do(note{pid: cmd.Process.Pid, began: Began(cmd.Process.Pid), mark: "none"}.write(w.Place(r.ID).process()))
	if is, err := w.AtIt(t.Context(), r.ID); !is || err != nil {
		t.Error(is, err)
	}
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Error(err)
	}
	w.until(func() bool { return Began(cmd.Process.Pid) == 0 })
}

// What a server trains is not ended here alone once it has a job of it.
func TestAJobIsNotEndedHere(t *testing.T) {
	w := newWorkshop(t, Commands{})
	r := w.queued(func(r *train.Run) { r.Backend, r.Status, r.Remote.Job = train.ByOpenAI, train.Running, "job-1" })
	if _, err := w.Stop(t.Context(), r.ID); !errors.Is(err, train.ErrMoved) || w.run(r.ID).Status != train.Running {
		t.Errorf("%v, %s", err, w.run(r.ID).Status)
	}
}

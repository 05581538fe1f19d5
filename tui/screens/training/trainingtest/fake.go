// Package trainingtest has runs without a database, for tests.
package trainingtest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"winnow/core/train"
	"winnow/tui/screens/training"
)

// Fake is runs that stand still, and a trainer that does what it is told.
type Fake struct {
	Resumes train.Status // what becomes of a run that is resumed, "": it is running
	States  map[int64]training.State
	Many    map[int64]int // how many samples a run has
	Next    train.Plan
	Fail    error
	Did     []string
	Title   string // of samples
}

// Run implements training.Library.
func (f *Fake) Run(_ context.Context, id int64) (training.State, error) {
	st, ok := f.States[id]
	if !ok && f.Fail == nil {
		return st, train.ErrNoRun
	}
	return st, f.Fail
}

// Samples implements training.Library.
func (f *Fake) Samples(_ context.Context, id int64, after string, limit int) (list []training.Sample, err error) {
	from := 0
	if after != "" {
		_, _ = fmt.Sscanf(after, "detail-%d", &from)
	}
	for i := from + 1; i <= f.Many[id] && len(list) < limit; i++ {
		one := training.Sample{Sample: train.Sample{Detail: fmt.Sprintf("detail-%06d", i), Segment: fmt.Sprintf("a1b2c3d4-%04d", i), Split: train.Train, Model: "ours-6"}, Title: f.Title}
		if i%10 == 3 {
			one.Split, one.Model = train.Validation, ""
		}
		if i == 2 {
			one.Why = "rejected"
		}
		list = append(list, one)
	}
	return list, f.Fail
}

// Plan implements training.Trainer.
func (f *Fake) Plan(_ context.Context, data string) (train.Plan, error) {
	p := f.Next
	if p.Data = "full"; data != "" {
		p.Data = data
	}
	if p.Data == "new" {
		p.Parent, p.Samples = 6, p.New
	}
	return p, f.Fail
}

// Begin implements training.Trainer.
func (f *Fake) Begin(_ context.Context, data string) (train.Run, error) {
	f.Did = append(f.Did, "begin "+data)
	return train.Run{ID: 8}, f.Fail
}

// Stop implements training.Trainer.
func (f *Fake) Stop(_ context.Context, id int64) (train.Run, error) {
	return f.become("stop", id, train.Cancelled)
}

// Resume implements training.Trainer.
func (f *Fake) Resume(_ context.Context, id int64) (train.Run, error) {
	return f.become("resume", id, cmp.Or(f.Resumes, train.Running))
}

// Promote implements training.Trainer.
func (f *Fake) Promote(_ context.Context, id int64, force bool) (train.Run, error) {
	f.Did = append(f.Did, fmt.Sprint("promote ", id, " ", force))
	if f.Fail != nil {
		return train.Run{}, f.Fail
	}
	st := f.States[id]
	st.Run.Promoted, st.Run.PromotedBy = st.Run.Ended, "ann"
	f.States[id] = st
	return st.Run, nil
}

func (f *Fake) become(did string, id int64, status train.Status) (train.Run, error) {
	f.Did = append(f.Did, fmt.Sprint(did, " ", id))
	if f.Fail != nil {
		return train.Run{}, f.Fail
	}
	st := f.States[id]
	st.Run.Status = status
	f.States[id] = st
	return st.Run, nil
}

// Falling are points of a loss that falls with some noise.
func Falling(name string, n int) []train.Point {
	list := make([]train.Point, n)
	for i := range list {
		x := float64(i) / float64(max(1, n))
		list[i] = train.Point{Step: 1 + 10*i, Name: name, Value: 0.4 + 2*math.Exp(-4*x) + 0.15*math.Sin(float64(i*i%97))*(1-x/2)}
	}
	return list
}

// Sample is runs at a time; say changes the texts that others give.
func Sample(now time.Time, say func(string) string) *Fake {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	running := train.Run{
		ID: 8, Created: ago(20 * time.Minute), Started: ago(18 * time.Minute), Curator: say("ann"), Cause: train.Due, Backend: train.ByCommand, Status: train.Running, Base: say("qwen3-8b"), Parent: 6,
		Samples: 96, New: 96, Validation: 11, Tokens: 412_000, Params: map[string]string{"learning_rate": say("1e-5")}, Command: []string{"swift", "sft", "--model", say("{parent_or_base}"), "--dataset", "{train}"}, Exit: -1,
	}
	failed := running
	failed.ID, failed.Status, failed.Cause, failed.Parent, failed.Ended = 7, train.Failed, train.Asked, 0, ago(time.Minute)
	failed.Error = say("torch.OutOfMemoryError: CUDA out of memory. \x1b[2J\x1b]0;title\x07Tried to allocate 2.00 GiB. " + strings.Repeat("GPU 0 has a total capacity of 23.64 GiB of which 1.06 GiB is free. ", 40))
	done := running
	done.ID, done.Status, done.Parent, done.Model, done.Ended, done.Cost = 6, train.Succeeded, 0, say("ours-6"), ago(time.Minute), 1.2
	done.Samples, done.New, done.Validation, done.Tokens, done.Checkpoint = 1108, 1108, 123, 4_120_000, "runs/6/out/checkpoint-1200"
	done.Metrics, done.Promoted, done.PromotedBy, done.Note = map[string]float64{"train_loss": 0.4127}, ago(time.Second), say("ann"), say("the first one that is better")
	log := []string{say("loading checkpoint shards"), "{'loss': 0.9123, 'epoch': 0.9}", say("\x1b[31mwarning\x1b[0m: \u202eflash-attn is not installed")}
	f := &Fake{Title: say("Fix flaky parser test"), Many: map[int64]int{8: 107, 6: 1231}}
	f.States = map[int64]training.State{
		8: {Run: running, Points: append(Falling("loss", 35), Falling("token_acc", 7)...), Log: log, Warning: say("64 of 96 samples were written by models that this one comes from: it learns from itself")},
		7: {Run: failed, Points: Falling("loss", 1), Log: log},
		6: {
			Run: done, Points: append(Falling("eval_loss", 12), Falling("loss", 2000)...), Log: log, LogCut: true, AllWithdrawn: 3,
			Evals:     []train.Eval{{Subject: train.OfBase, Name: "pass", Value: 0.41, N: 200}, {Subject: train.OfResult, Name: "pass", Value: 0.62, N: 200}, {Subject: train.OfResult, Name: say("bleu"), Value: 31.2}},
			Withdrawn: []train.Withdrawn{{Sample: train.Sample{Detail: "detail-000002", Segment: "a1b2c3d4-0002"}, Title: say("Docker compose for postgres"), Why: "rejected"}, {Sample: train.Sample{Detail: "detail-000009", Segment: "a1b2c3d4-0009"}, Why: "gone"}},
		},
		5: {Run: train.Run{ID: 5, Created: ago(time.Hour), Curator: "ann", Status: train.Queued, Base: "qwen3-8b"}},
	}
	f.Next = train.Plan{
		Backend: train.ByCommand, Base: say("qwen3-8b"), Format: "swift", Samples: 1204, New: 96, Validation: 133, Tokens: 4_530_000, LeftOut: 12, Reasons: say("9 max_tokens, 3 nul"),
		Command: []string{"swift", "sft", "--model", "{parent_or_base}", "--dataset", say("{train}")}, Due: say("96 of 100 new samples"),
	}
	return f
}

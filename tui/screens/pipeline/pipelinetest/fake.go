// Package pipelinetest has a pipeline without a database, for tests.
package pipelinetest

import (
	"context"
	"fmt"
	"time"

	"winnow/core/cycle"
	"winnow/core/inbox"
	"winnow/core/lease"
	"winnow/core/session"
	"winnow/core/train"
	"winnow/tui/screens/pipeline"
)

// Fake is a pipeline that stands still.
type Fake struct {
	State   pipeline.State
	Fail    error
	Asked   int               // how often it was read
	Due     string            // whether a run is
	Counted []context.Context // of those who asked that
	Retried []string          // kind and key
	News    []inbox.News
	To      int64 // up to which it looked
}

// Pipeline implements pipeline.Library.
func (f *Fake) Pipeline(context.Context) (pipeline.State, error) {
	f.Asked++
	return f.State, f.Fail
}

// DueText implements pipeline.Library.
func (f *Fake) DueText(ctx context.Context) (string, error) {
	f.Counted = append(f.Counted, ctx)
	return f.Due, nil
}

// Retry implements pipeline.Library.
func (f *Fake) Retry(_ context.Context, kind, key string) (n int, err error) {
	f.Retried = append(f.Retried, kind+"/"+key)
	var stays []cycle.Attempt
	for _, a := range f.State.Attempts {
		if (kind == "" || a.Kind == kind) && (key == "" || a.Key == key) {
			n++
		} else {
			stays = append(stays, a)
		}
	}
	f.State.Attempts = stays
	return n, f.Fail
}

// Arrived implements tui.Pipeline.
func (f *Fake) Arrived(_ context.Context, since int64) ([]inbox.News, int64, error) {
	if since < 0 || since >= f.To {
		return nil, f.To, nil
	}
	return f.News, f.To, nil
}

// Sample is a pipeline with a bit of everything at a time; say changes the texts that
// others give.
func Sample(now time.Time, say func(string) string) *Fake {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	f := &Fake{}
	s := &f.State
	s.Cycles = []cycle.Cycle{
		{ID: 12, Began: ago(90 * time.Second), Holder: say("winnow run, pid 4121"), Steps: []cycle.Step{
			{Name: "import", Status: cycle.Done, Began: ago(90 * time.Second), Ended: ago(88 * time.Second), Todo: 3, Done: 3},
			{Name: "segment", Status: cycle.Running, Began: ago(88 * time.Second), Todo: 30, Done: 12, Failed: 1, TokensIn: 81_200, TokensOut: 2100, Cost: 0.04},
			{Name: "judge", Status: cycle.Waiting, Began: ago(5 * time.Second), Ended: ago(5 * time.Second), Note: say("http://localhost:8000/v1: connection refused")},
		}},
		{ID: 11, Began: ago(10 * time.Minute), Ended: ago(10 * time.Minute)},
		{ID: 10, Began: ago(20 * time.Minute), Ended: ago(17 * time.Minute), Steps: []cycle.Step{{Name: "segment", Status: cycle.Done, Done: 4}, {Name: "judge", Status: cycle.Partly, Done: 8, Failed: 1}}},
		{ID: 9, Began: ago(30 * time.Minute), Ended: ago(30 * time.Minute), Steps: []cycle.Step{{Name: "judge", Status: cycle.Waiting, Note: "no model"}}},
	}
	s.Leases = []lease.Lease{{Name: "segment", Holder: say("winnow run, pid 4121"), Until: now.Add(time.Minute)}, {Name: "cycle:12", Holder: "winnow run", Until: now.Add(time.Minute)}, {Name: "extract", Holder: say("winnow extract, pid 77"), Until: now.Add(time.Minute)}}
	s.Attempts = []cycle.Attempt{
		{Kind: "judge", Key: "a1b2c3d4-0001", Tries: 1, Next: now.Add(time.Hour), Error: say("no usable answer: the model gave prose")},
		{Kind: "judge", Key: "a1b2c3d4-0002", Tries: 3, Next: ago(time.Minute), Error: say("no usable answer")},
		{Kind: "segment", Key: "9f2c41d0-0001", Tries: 5, Error: say("the answer leaves messages 14 to 20 out")},
	}
	s.Names = map[string]string{"a1b2c3d4-0001": say("Fix flaky parser test"), "9f2c41d0-0001": say("Docker compose for postgres")}
	s.Agents = []inbox.Agent{
		{Name: say("ci"), Uploads: 1204, Bytes: 81_000_000, Messages: 9120, Last: ago(time.Minute)},
		{Name: say("laptop"), Uploads: 31, Refused: 2, Bytes: 1_204_000, Messages: 340, Last: ago(2 * time.Hour)},
	}
	outcomes := []inbox.Outcome{inbox.Stored, inbox.New, inbox.Grown, inbox.Unchanged, inbox.Rewritten, inbox.Refused}
	for i := range 40 {
		a := inbox.Arrival{
			Receipt: inbox.Receipt{Success: true, ID: fmt.Sprintf("%08x", i), Agent: say("laptop"), Session: say(fmt.Sprint("fix-parser-", i)), Outcome: outcomes[i%len(outcomes)]},
			N:       int64(40 - i), At: ago(time.Duration(i) * time.Minute), Bytes: int64(2000 + 4000*i),
		}
		switch a.Outcome {
		case inbox.Refused:
			a.Success, a.Code, a.Error = false, "shorter", say("the stored session goes on after this (48,211 bytes): ?replace=1 replaces it")
		case inbox.Stored:
		default:
			a.Figures = &inbox.Figures{Lines: session.Counts{Read: int64(96 * i), Bad: int64(i % 3)}, Messages: inbox.MessageFigures{New: 12 * (i % 4)}}
		}
		s.Uploads = append(s.Uploads, a)
	}
	return f
}

// Train adds runs to a pipeline.
func Train(f *Fake, now time.Time, say func(string) string) {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	f.Due = say("due: 120 new samples; the last run failed")
	f.State.Runs = []train.Run{
		{ID: 8, Created: ago(20 * time.Minute), Started: ago(18 * time.Minute), Status: train.Running, Base: say("qwen3-8b"), Parent: 6, Samples: 96, New: 96},
		{ID: 7, Created: ago(3 * time.Hour), Status: train.Failed, Base: say("qwen3-8b"), Samples: 1204, New: 96, Error: say("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.06 GiB is free. " +
			"Including non-PyTorch memory, this process has 22.56 GiB memory in use")},
		{ID: 6, Created: ago(50 * time.Hour), Status: train.Succeeded, Base: say("qwen3-8b"), Model: say("ours-6"), Promoted: ago(40 * time.Hour), Samples: 1108, New: 1108},
		{ID: 5, Created: ago(51 * time.Hour), Status: train.Cancelled, Base: say("qwen3-8b"), Samples: 1108, New: 1108},
	}
	f.State.Losses = map[int64]train.Point{8: {Step: 340, Name: "loss", Value: 0.8312}, 6: {Step: 1200, Name: "train_loss", Value: 0.4127}}
}

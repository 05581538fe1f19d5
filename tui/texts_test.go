package tui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"winnow/tui/work"
)

// fakeIndexing has messages that are not searchable until it has run.
type fakeIndexing struct {
	mu    sync.Mutex
	some  bool
	asked int
	runs  int
	run   Job // what a run does
	fail  error
}

func (f *fakeIndexing) Unindexed(context.Context) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	return f.some, f.fail
}

func (f *fakeIndexing) Index(ctx context.Context, report func(Progress)) error {
	f.mu.Lock()
	f.some, f.runs = false, f.runs+1
	f.mu.Unlock()
	if f.run == nil {
		return nil
	}
	return f.run(ctx, report)
}

func (f *fakeIndexing) add() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.some = true
}

func (f *fakeIndexing) did() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs
}

func indexingWith(f *fakeIndexing) func(*Options) { return func(o *Options) { o.Indexing = f } }

func TestTextsAreIndexedWhenNothingElseIsDone(t *testing.T) {
	f := &fakeIndexing{some: true}
	lib := small(3)
	x := start(t, lib, 100, 24, indexingWith(f))
	x.tick()
	if f.did() != 1 || strings.Contains(x.screen(), "text index") {
		t.Errorf("%d runs\n%s", f.did(), x.screen())
	}
	x.tick()
	x.tick()
	if f.did() != 1 || f.asked > 2 {
		t.Errorf("%d runs, asked %d times although nothing changed", f.did(), f.asked)
	}
	f.add()
	lib.change(func(*fakeLibrary) {})
	x.tick()
	x.tick()
	if f.did() != 2 {
		t.Errorf("%d runs after something came", f.did())
	}
}

// Messages that are read and cut go first.
func TestTextsWaitForTheImport(t *testing.T) {
	f := &fakeIndexing{some: true}
	begun, end := make(chan bool), make(chan bool)
	x := prepare(t, small(3), indexingWith(f), func(o *Options) {
		o.JobName = "import"
		o.Job = func(context.Context, func(Progress)) error {
			begun <- true
			<-end
			return nil
		}
	})
	done := make(chan bool)
	go func() {
		defer close(done)
		<-begun
		if f.did() > 0 {
			t.Error("indexed beside the import")
		}
		close(end)
	}()
	x.run(x.app.Init())
	<-done
	x.tick()
	x.tick()
	if f.did() != 1 {
		t.Errorf("%d runs", f.did())
	}
}

func TestIndexingThatFailsIsToldOnce(t *testing.T) {
	f := &fakeIndexing{some: true, run: func(context.Context, func(Progress)) error { return errors.New("disk full") }}
	lib := small(3)
	x := start(t, lib, 100, 24, indexingWith(f))
	x.tick()
	x.wants("text index: disk full")
	f.add()
	lib.change(func(*fakeLibrary) {})
	x.tick()
	x.tick()
	if f.did() != 1 {
		t.Errorf("%d runs", f.did())
	}
}

// TestTextsAreIndexedBesideAJudge: behind what is measured, but not behind what
// takes hours.
func TestTextsAreIndexedBesideAJudge(t *testing.T) {
	f, scores := &fakeIndexing{some: true}, &fakeScoring{plan: judgePlan, allowed: []string{judgePlan.Host}}
	scores.plan.Segments = 3
	scores.measure = func(context.Context, func(Progress)) error {
		if f.did() > 0 {
			t.Error("indexed while there is something to measure")
		}
		return nil
	}
	x := start(t, small(3), 100, 24, scoringWith(scores), indexingWith(f))
	x.tick()
	if scores.did() != "om" || f.did() != 1 {
		t.Fatalf("runs: %q and %d", scores.did(), f.did())
	}
	f.add()
	x.app.scores.job.Running, x.app.scores.judging = true, false
	x.app.texts.want = true
	if x.app.lookForTexts() != nil {
		t.Error("looked up while something is measured")
	}
	if x.app.scores.judging = true; x.app.lookForTexts() == nil {
		t.Error("not looked up beside a judge")
	}
}

// TestWhatAJobTellsIsDrawnFromTheNextUpdateOn: a job tells how far it is at any
// moment, also between the update that gave the list its rows and the drawing.
func TestWhatAJobTellsIsDrawnFromTheNextUpdateOn(t *testing.T) {
	for _, w := range []int{80, 130} {
		x := start(t, small(60), w, 24)
		j := &x.app.texts.job
		*j = work.New(nil, textsName)
		j.Running = true
		for _, p := range []Progress{{Messages: 7}, {}, {Messages: 9}} {
			x.press("j")
			before := x.screen()
			j.Report(p)
			checkSize(t, x, w, 24)
			if after := x.screen(); after != before {
				t.Errorf("drawn before the update:\n%s", after)
			}
		}
		if x.press("j"); !strings.Contains(x.screen(), textsName+"  9 messages") {
			t.Errorf("never drawn:\n%s", x.screen())
		}
	}
}

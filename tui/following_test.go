package tui

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
)

// follower starts a screen with a job that goes on until it is stopped.
func follower(t *testing.T, lib *fakeLibrary) (x *harness, report func(Progress), finish func()) {
	t.Helper()
	begun := make(chan func(Progress))
	x = prepare(t, lib, func(o *Options) {
		o.JobName = "import"
		o.Job = func(ctx context.Context, r func(Progress)) error {
			begun <- r
			<-ctx.Done()
			return nil
		}
	})
	finish = x.startBehind()
	return x, <-begun, finish
}

// lacks checks that a text is not on the screen.
func lacks(t *testing.T, x *harness, text string) {
	t.Helper()
	if s := x.screen(); strings.Contains(s, text) {
		t.Errorf("%q on the screen:\n%s", text, s)
	}
}

func TestJobThatWaitsForMoreIsQuiet(t *testing.T) {
	x, report, finish := follower(t, small(3))
	report(Progress{Files: 3, AllFiles: 3, Messages: 40})
	x.wants("ctrl+x stop")
	report(Progress{Files: 3, AllFiles: 3, Messages: 40, Waiting: true})
	x.send(work.Tick{})
	x.wants("import done · 3 of 3 files · 40 messages")
	lacks(t, x, "ctrl+x")
	x.press("j")
	x.send(work.Tick{})
	lacks(t, x, "40 messages")
	report(Progress{Messages: 52, Waiting: true})
	x.send(work.Tick{})
	x.wants("+12 messages")
	report(Progress{Messages: 53, Waiting: true})
	x.send(work.Tick{})
	x.wants("+13 messages")
	x.press("j")
	lacks(t, x, "+1")
	report(Progress{Messages: 54, Waiting: true})
	x.send(work.Tick{})
	x.wants("+1 message")
	x.press("a") // what a verdict says is not talked over
	report(Progress{Messages: 60, Waiting: true})
	x.send(work.Tick{})
	lacks(t, x, "+6")

	report(Progress{Files: 1, AllFiles: 2, Messages: 61, Bytes: 1e6, AllBytes: 1e9}) // something large came
	x.send(work.Tick{})
	x.wants("1 of 2 files", "ctrl+x stop")
	report(Progress{Messages: 70, Waiting: true})
	x.send(work.Tick{})
	lacks(t, x, "ctrl+x")

	x.press("ctrl+x")
	finish()
	x.wants("its files are no longer followed")
	x.press("ctrl+x")
	x.wants("nothing is running")
}

// TestEmptyScreenOfAWaitingJob: rows that come later are looked for as those
// of other programs are.
func TestEmptyScreenOfAWaitingJob(t *testing.T) {
	lib := &fakeLibrary{version: 1}
	x, report, finish := follower(t, lib)
	report(Progress{Note: "/data: no files in it", Waiting: true})
	x.send(work.Tick{})
	x.press("j")
	x.wants("The import brought nothing", "/data: no files in it", "What comes there is read as it comes")
	for _, timer := range x.timers {
		if timer.after > pollEvery {
			t.Errorf("a timer of %v", timer.after)
		}
	}
	x.press("ctrl+x")
	finish()
}

// TestJobTakesThePlaceOfAWaitingOne: what is imported next takes the place of a job
// that only waits, which has ended by then. Its last words are not taken for
// those of the new one.
func TestJobTakesThePlaceOfAWaitingOne(t *testing.T) {
	x, report, finish := follower(t, small(3))
	report(Progress{Messages: 40, Waiting: true})
	x.send(work.Tick{})
	old := x.app.job
	ended := false
	next := x.app.job.Then(func(context.Context, func(Progress)) error {
		select {
		case <-old.Done():
			ended = true
		default:
		}
		return nil
	}, "import")
	x.app.job = next
	begin := x.app.startJob()
	finish() // its end arrives
	if !x.app.job.Running {
		t.Error("the end of the old job ended the new one")
	}
	x.send(work.Tick{Of: old.Done()})
	if m := begin().(work.Ended); m.Err != nil || !ended {
		t.Errorf("the new job began before the old one had ended: %v", m.Err)
	}
}

// TestWaitingForAJobWaitsForTheOneBefore: the one before works on the database
// until it has noticed that it was stopped, also if what was to follow it never
// began.
func TestWaitingForAJobWaitsForTheOneBefore(t *testing.T) {
	x := prepare(t, small(3))
	ended := make(chan struct{})
	var first atomic.Bool
	x.app.job = work.New(func(ctx context.Context, _ func(Progress)) error {
		<-ctx.Done()
		<-ended
		first.Store(true)
		return nil
	}, "import")
	running, run := make(chan tea.Msg), x.app.startJob()
	go func() { running <- run() }()
	for !x.app.job.Begun() {
		runtime.Gosched()
	}
	x.app.job = x.app.job.Then(func(context.Context, func(Progress)) error { return nil }, "import")
	x.app.startJob() // its command is never run
	go close(ended)
	if x.app.job.Wait(); !first.Load() {
		t.Error("the job before runs on")
	}
	<-running
}

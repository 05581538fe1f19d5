package tui

import (
	"context"
	"strings"
	"testing"
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
	x.progress()
	x.wants("import done · 3 of 3 files · 40 messages")
	lacks(t, x, "ctrl+x")
	x.press("j")
	x.progress()
	lacks(t, x, "40 messages")
	report(Progress{Messages: 52, Waiting: true})
	x.progress()
	x.wants("+12 messages")
	report(Progress{Messages: 53, Waiting: true})
	x.progress()
	x.wants("+13 messages")
	x.press("j")
	lacks(t, x, "+1")
	report(Progress{Messages: 54, Waiting: true})
	x.progress()
	x.wants("+1 message")
	x.press("a") // what a verdict says is not talked over
	report(Progress{Messages: 60, Waiting: true})
	x.progress()
	lacks(t, x, "+6")

	report(Progress{Files: 1, AllFiles: 2, Messages: 61, Bytes: 1e6, AllBytes: 1e9}) // something large came
	x.progress()
	x.wants("1 of 2 files", "ctrl+x stop")
	report(Progress{Messages: 70, Waiting: true})
	x.progress()
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
	x.progress()
	x.press("j")
	x.wants("The import added nothing", "/data: no files in it", "New files there are read as they appear")
	for _, timer := range x.timers {
		if timer.after > pollEvery {
			t.Errorf("a timer of %v", timer.after)
		}
	}
	x.press("ctrl+x")
	finish()
}

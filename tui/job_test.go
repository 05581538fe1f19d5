package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
	"winnow/tui/work/worktest"
)

func TestProgressIsOnTheScreenFromTheFirstFrameOn(t *testing.T) {
	lib := &fakeLibrary{version: 1}
	x := prepare(t, lib, func(o *Options) {
		o.JobName = "import"
		o.Job = func(context.Context, func(Progress)) error { return nil }
	})
	for _, size := range [][2]int{{40, 10}, {80, 24}, {160, 45}} {
		x.hold = true // nothing has answered yet: no rows, no progress
		x.app.Init()
		x.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		x.wants("import  starting")
		x.app.work.Import.Report(Progress{Files: 2, AllFiles: 9, Messages: 77, Bytes: 1e6, AllBytes: 1e7})
		x.app.work.Look()
		x.wants("import  10% · 2 of 9 files", "The import is running")
		x.app.Say("a message of any length: " + strings.Repeat("words ", 40))
		x.wants("import  10% · 2 of 9 files")
		x.app.work.Import.Report(Progress{})
	}
}

func TestFirstSessionsOfAJobAppearWithItsNextTick(t *testing.T) {
	lib := &fakeLibrary{version: 1}
	begun, end := make(chan func(Progress)), make(chan error)
	x := prepare(t, lib, func(o *Options) {
		o.JobName = "import"
		o.Job = func(_ context.Context, r func(Progress)) error { begun <- r; return <-end }
	})
	finish := x.startBehind()
	report := <-begun
	lib.change(func(l *fakeLibrary) { l.segments = manySegments(3) })
	report(Progress{Files: 1, AllFiles: 2, Messages: 12})
	x.progress()
	x.wants("Task number 2", "1 of 2 files")
	for _, timer := range x.timers {
		if timer.after > pollEvery {
			t.Errorf("a timer of %v", timer.after)
		}
	}
	end <- nil
	finish()
}

func TestJobThatBroughtNothingSaysWhy(t *testing.T) {
	for want, job := range map[string]Job{
		"8 files gave no session: winnow ledger shows them": func(_ context.Context, report func(Progress)) error {
			report(Progress{Files: 8, AllFiles: 8, Note: "8 files gave no session: winnow ledger shows them"})
			return nil
		},
		"/data/empty: no files in it": func(context.Context, func(Progress)) error { return errors.New("/data/empty: no files in it") },
		"no files found":              func(context.Context, func(Progress)) error { return nil },
	} {
		x := start(t, &fakeLibrary{version: 1}, 80, 24, func(o *Options) { o.JobName, o.Job = "import", job })
		x.press("j") // the message of the footer is gone
		x.wants("The import added nothing", want, "winnow demo")
	}
}

func TestWhatAnImportLeftOutIsSaidFirst(t *testing.T) {
	lib := small(3)
	x := start(t, lib, 80, 24, func(o *Options) {
		o.JobName = "import"
		o.Job = func(_ context.Context, report func(Progress)) error {
			report(Progress{Files: 1365, AllFiles: 1365, Messages: 53_022, Note: "8 files gave no session: winnow ledger shows them"})
			return nil
		}
	})
	x.wants("import done · 8 files gave no session: winnow ledger shows", "Task number 2")
}

func TestFilesAreCountedOnceOneIsDone(t *testing.T) {
	j := work.New(nil, "import")
	j.Report(Progress{AllFiles: 9, Messages: 3})
	j.Look()
	if got := strings.Join(j.Counts(), ", "); got != "9 files, 3 messages" {
		t.Error(got)
	}
	j.Report(Progress{Files: 1, AllFiles: 9, Messages: 3})
	j.Look()
	if got := strings.Join(j.Counts(), ", "); got != "1 of 9 files, 3 messages" {
		t.Error(got)
	}
}

// TestWhatAJobTellsIsDrawnFromTheNextUpdateOn: a job tells how far it is at any
// moment, also between the update that gave the list its rows and the drawing.
func TestWhatAJobTellsIsDrawnFromTheNextUpdateOn(t *testing.T) {
	for _, w := range []int{80, 130} {
		reports := make(chan func(Progress))
		texts := &worktest.Source{Left: work.Plan{}}
		texts.Run = func(ctx context.Context, _ bool, report func(Progress)) error {
			reports <- report
			<-ctx.Done()
			return nil
		}
		x := start(t, small(60), w, 24, func(o *Options) { o.Work.Texts = texts })
		texts.Left = work.Plan{Here: 60}
		x.app.work.Changed()
		finish := x.workBehind(x.app.work.Leisure())
		report := <-reports
		for _, p := range []Progress{{Messages: 7}, {}, {Messages: 9}} {
			x.press("j")
			before := x.screen()
			report(p)
			checkSize(t, x, w, 24)
			if after := x.screen(); after != before {
				t.Errorf("drawn before the update:\n%s", after)
			}
		}
		if x.press("j"); !strings.Contains(x.screen(), "text index  9 messages") {
			t.Errorf("never drawn:\n%s", x.screen())
		}
		x.press("ctrl+x")
		finish()
		x.wants("text index stopped")
	}
}

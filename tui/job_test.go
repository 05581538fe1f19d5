package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
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
		x.app.job.Report(Progress{Files: 2, AllFiles: 9, Messages: 77, Bytes: 1e6, AllBytes: 1e7})
		x.app.jobs().Look()
		x.wants("import  10% · 2 of 9 files", "The import is running")
		x.app.say("a message of any length: " + strings.Repeat("words ", 40))
		x.wants("import  10% · 2 of 9 files")
		x.app.job.Report(Progress{})
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
	x.send(work.Tick{})
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
		x.wants("The import brought nothing", want, "winnow demo")
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

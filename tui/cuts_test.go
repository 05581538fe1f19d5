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

// modelPlan sends something.
var modelPlan = work.Plan{Sent: 8931, Tokens: 3_100_000, Host: "api.example.com", Model: "tiny\x1b[2J-1"}

// cutting has sessions cut by f.
func cutting(f *worktest.Source) func(*Options) {
	return func(o *Options) { f.Instead, o.Work.Cuts = true, f }
}

func TestRulesCutWhatAnOpenedDatabaseHas(t *testing.T) {
	f := &worktest.Source{Left: work.Plan{Here: 4}}
	f.Run = func(_ context.Context, _ bool, report func(Progress)) error {
		report(Progress{Sessions: 4, AllSessions: 4, Note: "4 sessions cut into 9 segments"})
		return nil
	}
	x := start(t, small(3), 100, 24, cutting(f))
	if f.Did != "h" {
		t.Errorf("runs: %q", f.Did)
	}
	x.wants("segmenting done · 4 sessions cut into 9 segments")
	x.tick()
	if f.Did != "h" || f.Plans != 1 {
		t.Errorf("runs: %q, asked %d times", f.Did, f.Plans)
	}
}

func TestNothingToCutIsNotSpokenOf(t *testing.T) {
	f := &worktest.Source{}
	x := start(t, small(3), 100, 24, cutting(f))
	if f.Did != "" || f.Plans != 1 || strings.Contains(x.screen(), "segmenting") {
		t.Errorf("%q after %d\n%s", f.Did, f.Plans, x.screen())
	}
	f = &worktest.Source{Fail: errors.New("[llm]: base_url: no such thing")}
	x = start(t, small(3), 100, 24, cutting(f))
	x.wants("segmenting: [llm]: base_url: no such thing")
}

// TestCuttingFollowsTheImport: when the import has settled, and whenever
// something came after that; not while it reads.
func TestCuttingFollowsTheImport(t *testing.T) {
	f := &worktest.Source{Left: work.Plan{Here: 2}}
	f.Run = func(_ context.Context, _ bool, report func(Progress)) error {
		report(Progress{Note: "2 sessions cut into 5 segments"})
		return nil
	}
	begun := make(chan func(Progress))
	x := prepare(t, small(3), cutting(f), func(o *Options) {
		o.JobName = "import"
		o.Job = func(ctx context.Context, r func(Progress)) error {
			begun <- r
			<-ctx.Done()
			return nil
		}
	})
	finish := x.startBehind()
	report := <-begun
	report(Progress{Files: 3, AllFiles: 9, Messages: 40})
	x.progress()
	if f.Plans != 0 {
		t.Error("asked while the import reads")
	}
	report(Progress{Messages: 52, Waiting: true})
	x.progress()
	if f.Did != "h" {
		t.Errorf("runs: %q", f.Did)
	}
	x.wants("import done · 52 messages · 2 sessions cut into 5 segments")
	x.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	x.wants("f unsure", " 2 sessions cut into 5 segments")
	x.send(tea.WindowSizeMsg{Width: 200, Height: 24})
	x.progress()
	x.progress()
	if f.Plans != 1 {
		t.Errorf("asked %d times although nothing came", f.Plans)
	}
	f.Left = work.Plan{Here: 1}
	x.press("a") // its message stays
	report(Progress{Messages: 55, Waiting: true})
	x.progress()
	x.wants("approved “Task")
	if f.Did != "hh" {
		t.Errorf("runs: %q", f.Did)
	}
	x.press("ctrl+x")
	finish()
	if f.Plans != 2 {
		t.Errorf("asked %d times: a stopped import cuts nothing more", f.Plans)
	}
}

// TestCuttingShowsHowFarItIsAndStops: the line, and ctrl+x.
func TestCuttingShowsHowFarItIsAndStops(t *testing.T) {
	f := &worktest.Source{Left: work.Plan{Here: 8931}}
	begun := make(chan func(Progress))
	f.Run = func(ctx context.Context, _ bool, report func(Progress)) error {
		begun <- report
		<-ctx.Done()
		return ctx.Err()
	}
	x := prepare(t, small(3), cutting(f))
	x.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	finish := x.workBehind(x.app.work.Begin())
	report := <-begun
	report(Progress{Sessions: 1204, AllSessions: 8931, Tokens: 3_100_000, Cost: "$0.42"})
	x.app.work.Look()
	x.wants("segmenting  1,204 of 8,931 sessions · 3.1M tokens · $0.42", "ctrl+x stop")
	if n := len(x.lines()); n != 24 {
		t.Errorf("%d lines", n)
	}
	x.press("ctrl+x")
	x.wants("stopping the segmenting")
	finish()
	x.wants("segmenting stopped")
	f.Left = work.Plan{Here: 5}
	x.run(x.app.work.Begin())
	if f.Did != "h" {
		t.Errorf("goes on although it was stopped: %q", f.Did)
	}
}

func TestFailedSessionsAreTold(t *testing.T) {
	f := &worktest.Source{Left: work.Plan{Here: 4}}
	f.Run = func(_ context.Context, _ bool, report func(Progress)) error {
		report(Progress{Failed: 2, Note: "2 sessions not cut: 500 from \x1b[2Jhost; winnow segment says why"})
		return nil
	}
	x := start(t, small(3), 120, 24, cutting(f))
	x.wants("2 sessions not cut: 500 from", "winnow segment says why")
	if strings.Contains(x.screen(), "\x1b[2J") {
		t.Error("an escape sequence on the screen")
	}
	f = &worktest.Source{Left: work.Plan{Here: 4}}
	f.Run = func(context.Context, bool, func(Progress)) error {
		return errors.New("401 from http://host: check KEY")
	}
	x = start(t, small(3), 120, 24, cutting(f))
	x.wants("segmenting: 401 from http://host: check KEY")
}

// TestQuestionSaysWhatIsSentNow: more may come, or be cut elsewhere, while it
// is asked.
func TestQuestionSaysWhatIsSentNow(t *testing.T) {
	f := &worktest.Source{Left: modelPlan}
	x := ask(t, f, 80, 24)
	more := modelPlan
	more.Sent = 9000
	f.Left = more
	x.run(x.app.work.Begin())
	x.wants("9,000 sessions", "y send")
	x.press("?")
	lacks(t, x, "Send ")
	x.press("q")
	x.wants("Send ")
	f.Left = work.Plan{}
	x.run(x.app.work.Begin())
	lacks(t, x, "Send ")
	if x.press("y"); f.Did != "" || len(f.Allowed) != 0 {
		t.Errorf("runs: %q, allowed %v", f.Did, f.Allowed)
	}
}

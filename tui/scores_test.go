package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/tui/work"
	"winnow/tui/work/worktest"
)

// scoring has segments scored by f.
func scoring(f *worktest.Source) func(*Options) { return func(o *Options) { o.Work.Scores = f } }

// judgePlan sends something.
var judgePlan = work.Plan{Sent: 120, Tokens: 3_100_000, Host: "api.example.com", Model: "tiny\x1b[2J-1"}

func TestWhatIsNotScoredIsMeasured(t *testing.T) {
	f := &worktest.Source{Left: work.Plan{Here: 3}}
	x := start(t, small(3), 100, 24, scoring(f))
	if f.Did != "h" || f.Plans != 2 {
		t.Errorf("runs: %q, asked %d times", f.Did, f.Plans)
	}
	if strings.Contains(x.screen(), "scoring") {
		t.Errorf("it is spoken of:\n%s", x.screen())
	}
	x.tick()
	if f.Did != "h" || f.Plans != 2 {
		t.Errorf("runs: %q, asked %d times", f.Did, f.Plans)
	}
	x = start(t, small(3), 100, 24, scoring(&worktest.Source{Fail: errors.New("[judge]: base_url: no such thing")}))
	x.wants("scoring: [judge]: base_url: no such thing")
}

// TestNothingIsJudgedBeforeYes: what can be measured is, at once.
func TestNothingIsJudgedBeforeYes(t *testing.T) {
	plan := judgePlan
	plan.Here = 7
	f := &worktest.Source{Left: plan}
	x := start(t, small(30), 80, 24, scoring(f))
	x.tick()
	x.wants("120 segments", "3.1M", "api.example.com", "judge?", "y send", "n offline")
	if f.Did != "h" {
		t.Errorf("runs: %q", f.Did)
	}
	golden.RequireEqual(t, x.screen())
	x.press("y")
	if f.Did != "hm" || fmt.Sprint(f.Allowed) != "[api.example.com]" {
		t.Errorf("runs: %q, allowed %v", f.Did, f.Allowed)
	}
	f.Left = judgePlan
	x.run(x.app.work.Score())
	if f.Did != "hmm" {
		t.Errorf("asked again: %q", f.Did)
	}
}

// TestJudgingShowsHowFarItIsAndStops: the line, and ctrl+x.
func TestJudgingShowsHowFarItIsAndStops(t *testing.T) {
	f := &worktest.Source{Left: judgePlan, Allowed: []string{judgePlan.Host}}
	begun := make(chan func(Progress))
	f.Run = func(ctx context.Context, _ bool, report func(Progress)) error {
		begun <- report
		<-ctx.Done()
		return ctx.Err()
	}
	x := prepare(t, small(3), scoring(f))
	x.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	finish := x.workBehind(x.app.work.Score())
	report := <-begun
	report(Progress{Segments: 12, AllSegments: 120, Tokens: 3_100, Cost: "$0.42"})
	x.app.work.Look()
	x.wants("judging  12 of 120 segments · 3.1k tokens · $0.42", "ctrl+x stop")
	x.press("ctrl+x")
	x.wants("stopping the judging")
	finish()
	x.wants("judging stopped")
	f.Left = judgePlan
	x.run(x.app.work.Score())
	if f.Did != "m" {
		t.Errorf("goes on although it was stopped: %q", f.Did)
	}
}

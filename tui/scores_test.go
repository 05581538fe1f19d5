package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/tui/work"
)

// fakeScoring scores nothing, but keeps what it was told to do.
type fakeScoring struct {
	mu       sync.Mutex
	plan     ScorePlan
	plans    int
	allowed  []string
	runs     string // o for measuring, m for a model
	measure  Job
	judge    Job
	failPlan error
	refuse   error // of Allow
}

func (f *fakeScoring) Plan(context.Context) (ScorePlan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plans++
	p := f.plan
	p.Allowed = slices.Contains(f.allowed, p.Host)
	return p, f.failPlan
}

func (f *fakeScoring) Allow(_ context.Context, host string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse == nil {
		f.allowed = append(f.allowed, host)
	}
	return f.refuse
}

func (f *fakeScoring) Measure() Job { return f.job("o", &f.plan.Segments, f.measure) }

func (f *fakeScoring) Judge() Job { return f.job("m", &f.plan.Judge, f.judge) }

func (f *fakeScoring) job(what string, left *int, run Job) Job {
	return func(ctx context.Context, report func(Progress)) error {
		f.mu.Lock()
		f.runs += what
		*left = 0
		f.mu.Unlock()
		if run == nil {
			return nil
		}
		return run(ctx, report)
	}
}

func (f *fakeScoring) did() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs
}

func scoringWith(f *fakeScoring) func(*Options) { return func(o *Options) { o.Scoring = f } }

// judgePlan sends something.
var judgePlan = ScorePlan{Judge: 120, Tokens: 3_100_000, Host: "api.example.com", Model: "tiny\x1b[2J-1"}

func TestWhatIsNotScoredIsMeasured(t *testing.T) {
	f := &fakeScoring{plan: ScorePlan{Segments: 3}}
	x := start(t, small(3), 100, 24, scoringWith(f))
	if f.did() != "o" || f.plans != 2 {
		t.Errorf("runs: %q, asked %d times", f.did(), f.plans)
	}
	if strings.Contains(x.screen(), "scoring") {
		t.Errorf("it is spoken of:\n%s", x.screen())
	}
	x.tick()
	if f.did() != "o" || f.plans != 2 {
		t.Errorf("runs: %q, asked %d times", f.did(), f.plans)
	}
	x = start(t, small(3), 100, 24, scoringWith(&fakeScoring{failPlan: errors.New("[judge]: base_url: no such thing")}))
	x.wants("scoring: [judge]: base_url: no such thing")
}

// What can never be scored is tried once.
func TestWhatCannotBeScoredIsTriedOnce(t *testing.T) {
	f := &fakeScoring{plan: ScorePlan{Segments: 3}}
	f.measure = func(_ context.Context, report func(Progress)) error {
		f.plan.Segments = 1
		report(Progress{Failed: 1, Note: "1 segment not scored: damaged \x1b[2J"})
		return nil
	}
	x := start(t, small(3), 120, 24, scoringWith(f))
	x.wants("1 segment not scored: damaged")
	if f.did() != "o" || strings.Contains(x.screen(), "\x1b[2J") {
		t.Errorf("runs: %q\n%s", f.did(), x.screen())
	}
}

// TestScoringFollowsCutting: first sessions are cut, then what came of it is
// scored, and while it is asked whether something may be sent, what there is.
func TestScoringFollowsCutting(t *testing.T) {
	f := &fakeScoring{}
	cuts := &fakeSegmenting{plan: CutPlan{Sessions: 2}}
	cuts.cut = func(context.Context, func(Progress)) error {
		if len(f.did()) != len(cuts.did())-1 {
			t.Errorf("%q before %q", f.did(), cuts.did())
		}
		f.plan.Segments = 5
		return nil
	}
	x := start(t, small(3), 100, 24, segmentingWith(cuts), scoringWith(f))
	if cuts.did() != "r" || f.did() != "o" {
		t.Errorf("runs: %q, %q", cuts.did(), f.did())
	}
	cuts.plan.Sessions = 1
	x.run(x.app.lookForCuts())
	if cuts.did() != "rr" || f.did() != "oo" {
		t.Errorf("then: %q, %q", cuts.did(), f.did())
	}
	f = &fakeScoring{plan: ScorePlan{Segments: 4}}
	cuts = &fakeSegmenting{plan: modelPlan}
	x = start(t, small(3), 100, 24, segmentingWith(cuts), scoringWith(f))
	if x.tick(); f.did() != "o" {
		t.Errorf("beside the question: %q", f.did())
	}
	x.wants("Send ", "to cut?")
	f = &fakeScoring{plan: ScorePlan{Segments: 4}}
	start(t, small(3), 100, 24, segmentingWith(&fakeSegmenting{fail: errors.New("no")}), scoringWith(f))
	if f.did() != "o" {
		t.Errorf("without a cutter: %q", f.did())
	}
}

// TestNothingIsJudgedBeforeYes: what can be measured is, at once.
func TestNothingIsJudgedBeforeYes(t *testing.T) {
	plan := judgePlan
	plan.Segments = 7
	f := &fakeScoring{plan: plan}
	x := start(t, small(30), 80, 24, scoringWith(f))
	x.tick()
	x.wants("120 segments", "3.1M", "api.example.com", "judge?", "y send", "n offline")
	if f.did() != "o" {
		t.Errorf("runs: %q", f.did())
	}
	golden.RequireEqual(t, x.screen())
	x.press("y")
	if f.did() != "om" || fmt.Sprint(f.allowed) != "[api.example.com]" {
		t.Errorf("runs: %q, allowed %v", f.did(), f.allowed)
	}
	f.plan = judgePlan
	x.run(x.app.lookForScores())
	if f.did() != "omm" {
		t.Errorf("asked again: %q", f.did())
	}
}

func TestNoJudgeInThisRun(t *testing.T) {
	for _, key := range []string{"n", "esc"} {
		f := &fakeScoring{plan: judgePlan}
		x := start(t, small(30), 80, 24, scoringWith(f))
		x.tick()
		x.press(key)
		f.plan = judgePlan
		f.plan.Segments = 2
		x.run(x.app.lookForScores())
		if f.did() != "o" || len(f.allowed) != 0 || x.app.question != nil {
			t.Errorf("%s: runs %q, allowed %v", key, f.did(), f.allowed)
		}
	}
	f := &fakeScoring{plan: judgePlan, refuse: errors.New("disk full")}
	x := start(t, small(30), 80, 24, scoringWith(f))
	x.tick()
	x.press("y")
	if f.did() != "" {
		t.Errorf("runs: %q", f.did())
	}
	x.wants("judging: disk full")
}

// Of two questions the one about cutting comes first.
func TestOneQuestionAtATime(t *testing.T) {
	f := &fakeScoring{plan: judgePlan}
	cuts := &fakeSegmenting{plan: modelPlan}
	x := start(t, small(30), 100, 24, segmentingWith(cuts), scoringWith(f))
	x.tick()
	x.wants("to cut?")
	x.press("n")
	if cuts.did() != "r" || f.did() != "" {
		t.Errorf("runs: %q, %q", cuts.did(), f.did())
	}
	x.tick()
	x.wants("to judge?")
	x.press("y")
	if f.did() != "m" {
		t.Errorf("runs: %q", f.did())
	}
}

// TestJudgingShowsHowFarItIsAndStops: the line, and ctrl+x.
func TestJudgingShowsHowFarItIsAndStops(t *testing.T) {
	f := &fakeScoring{plan: judgePlan, allowed: []string{judgePlan.Host}}
	begun := make(chan func(Progress))
	f.judge = func(ctx context.Context, report func(Progress)) error {
		begun <- report
		<-ctx.Done()
		return ctx.Err()
	}
	x := prepare(t, small(3), scoringWith(f))
	x.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	plan := judgePlan
	plan.Allowed = true
	cmd := x.app.tookScorePlan(scoresPlanned{plan: plan})
	ended := make(chan tea.Msg)
	go func() { ended <- cmd() }() // the harness has no timer beside it
	report := <-begun
	report(Progress{Segments: 12, AllSegments: 120, Tokens: 3_100, Cost: "$0.42"})
	x.app.jobs().Look()
	x.wants("judging  12 of 120 segments · 3.1k tokens · $0.42", "ctrl+x stop")
	x.press("ctrl+x")
	x.wants("stopping the judging")
	x.send(<-ended)
	x.wants("judging stopped")
	f.plan = judgePlan
	x.run(x.app.lookForScores())
	if f.did() != "m" {
		t.Errorf("goes on although it was stopped: %q", f.did())
	}
}

// TestAgentAtWorkIsNotJudgedInstantly: each batch of messages puts it off.
func TestAgentAtWorkIsNotJudgedInstantly(t *testing.T) {
	f := &fakeScoring{plan: judgePlan, allowed: []string{judgePlan.Host}}
	x := start(t, small(3), 100, 24, scoringWith(f))
	if f.did() != "m" {
		t.Fatalf("runs: %q", f.did())
	}
	x.timers = nil
	x.app.job = work.New(nil, "import")
	for i := range 3 {
		f.plan = judgePlan
		x.app.job.Report(Progress{Messages: 10 + i, Waiting: true})
		x.app.jobs().Look()
		x.run(x.app.lookForScores())
	}
	if f.did() != "m" || len(x.timers) != 3 || x.timers[0].after != quietBeforeModel {
		t.Fatalf("runs: %q, timers %v", f.did(), x.timers)
	}
	x.tick()
	if f.did() != "mm" {
		t.Errorf("runs: %q", f.did())
	}
}

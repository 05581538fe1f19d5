package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
)

// fakeSegmenting cuts nothing, but keeps what it was told to do.
type fakeSegmenting struct {
	mu      sync.Mutex
	plan    CutPlan
	plans   int
	allowed []string
	runs    []bool // by rules
	cut     Job    // what a run does
	fail    error  // of Plan
	refuse  error  // of Allow
}

func (f *fakeSegmenting) Plan(context.Context) (CutPlan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.plans++
	p := f.plan
	p.Allowed = slices.Contains(f.allowed, p.Host)
	return p, f.fail
}

func (f *fakeSegmenting) Allow(_ context.Context, host string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse == nil {
		f.allowed = append(f.allowed, host)
	}
	return f.refuse
}

func (f *fakeSegmenting) Cut(rules bool) Job {
	return func(ctx context.Context, report func(Progress)) error {
		f.mu.Lock()
		f.runs = append(f.runs, rules)
		f.plan.Sessions = 0
		f.mu.Unlock()
		if f.cut == nil {
			return nil
		}
		return f.cut(ctx, report)
	}
}

// did says what was run, by rules (r) or with the model (m).
func (f *fakeSegmenting) did() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := ""
	for _, rules := range f.runs {
		if rules {
			text += "r"
		} else {
			text += "m"
		}
	}
	return text
}

// modelPlan sends something.
var modelPlan = CutPlan{Sessions: 8931, Tokens: 3_100_000, Host: "api.example.com", Model: "tiny\x1b[2J-1"}

func segmentingWith(f *fakeSegmenting) func(*Options) { return func(o *Options) { o.Segmenting = f } }

func TestRulesCutWhatAnOpenedDatabaseHas(t *testing.T) {
	f := &fakeSegmenting{plan: CutPlan{Sessions: 4, Tokens: 100}}
	f.cut = func(_ context.Context, report func(Progress)) error {
		report(Progress{Sessions: 4, AllSessions: 4, Note: "4 sessions cut into 9 segments"})
		return nil
	}
	x := start(t, small(3), 100, 24, segmentingWith(f))
	if f.did() != "r" {
		t.Errorf("runs: %q", f.did())
	}
	x.wants("segmenting done · 4 sessions cut into 9 segments")
	x.tick()
	if f.did() != "r" || f.plans != 1 {
		t.Errorf("runs: %q, asked %d times", f.did(), f.plans)
	}
}

func TestNothingToCutIsNotSpokenOf(t *testing.T) {
	f := &fakeSegmenting{}
	x := start(t, small(3), 100, 24, segmentingWith(f))
	if f.did() != "" || f.plans != 1 || strings.Contains(x.screen(), "segmenting") {
		t.Errorf("%q after %d\n%s", f.did(), f.plans, x.screen())
	}
	f = &fakeSegmenting{fail: errors.New("[llm]: base_url: no such thing")}
	x = start(t, small(3), 100, 24, segmentingWith(f))
	x.wants("segmenting: [llm]: base_url: no such thing")
}

// TestCuttingFollowsTheImport: when the import has settled, and whenever
// something came after that; not while it reads.
func TestCuttingFollowsTheImport(t *testing.T) {
	f := &fakeSegmenting{plan: CutPlan{Sessions: 2}}
	f.cut = func(_ context.Context, report func(Progress)) error {
		report(Progress{Note: "2 sessions cut into 5 segments"})
		return nil
	}
	begun := make(chan func(Progress))
	x := prepare(t, small(3), segmentingWith(f), func(o *Options) {
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
	x.send(work.Tick{})
	if f.plans != 0 {
		t.Error("asked while the import reads")
	}
	report(Progress{Messages: 52, Waiting: true})
	x.send(work.Tick{})
	if f.did() != "r" {
		t.Errorf("runs: %q", f.did())
	}
	x.wants("import done · 52 messages · 2 sessions cut into 5 segments")
	x.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	x.wants("f unsure", "  2 sessions cut into 5 segments")
	x.send(tea.WindowSizeMsg{Width: 200, Height: 24})
	x.send(work.Tick{})
	x.send(work.Tick{})
	if f.plans != 1 {
		t.Errorf("asked %d times although nothing came", f.plans)
	}
	f.plan.Sessions = 1
	x.press("a") // its message stays
	report(Progress{Messages: 55, Waiting: true})
	x.send(work.Tick{})
	x.wants("approved “Task")
	if f.did() != "rr" {
		t.Errorf("runs: %q", f.did())
	}
	x.press("ctrl+x")
	finish()
	if f.plans != 2 {
		t.Errorf("asked %d times: a stopped import cuts nothing more", f.plans)
	}
}

// TestCuttingShowsHowFarItIsAndStops: the line, and ctrl+x.
func TestCuttingShowsHowFarItIsAndStops(t *testing.T) {
	f := &fakeSegmenting{plan: CutPlan{Sessions: 8931}}
	begun := make(chan func(Progress))
	f.cut = func(ctx context.Context, report func(Progress)) error {
		begun <- report
		<-ctx.Done()
		return ctx.Err()
	}
	x := prepare(t, small(3), segmentingWith(f))
	x.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	cmd := x.app.tookPlan(cutsPlanned{plan: f.plan})
	ended := make(chan tea.Msg)
	go func() { ended <- cmd() }() // the harness has no timer beside it
	report := <-begun
	report(Progress{Sessions: 1204, AllSessions: 8931, Tokens: 3_100_000, Cost: "$0.42"})
	x.app.jobs().Look()
	x.wants("segmenting  1,204 of 8,931 sessions · 3.1M tokens · $0.42", "ctrl+x stop")
	if n := len(x.lines()); n != 24 {
		t.Errorf("%d lines", n)
	}
	x.press("ctrl+x")
	x.wants("stopping the segmenting")
	x.send(<-ended)
	x.wants("segmenting stopped")
	f.plan.Sessions = 5
	x.run(x.app.lookForCuts())
	if f.did() != "r" {
		t.Errorf("goes on although it was stopped: %q", f.did())
	}
}

func TestFailedSessionsAreTold(t *testing.T) {
	f := &fakeSegmenting{plan: CutPlan{Sessions: 4}}
	f.cut = func(_ context.Context, report func(Progress)) error {
		report(Progress{Failed: 2, Note: "2 sessions not cut: 500 from \x1b[2Jhost; winnow segment says why"})
		return nil
	}
	x := start(t, small(3), 120, 24, segmentingWith(f))
	x.wants("2 sessions not cut: 500 from", "winnow segment says why")
	if strings.Contains(x.screen(), "\x1b[2J") {
		t.Error("an escape sequence on the screen")
	}
	f = &fakeSegmenting{plan: CutPlan{Sessions: 4}}
	f.cut = func(context.Context, func(Progress)) error { return errors.New("401 from http://host: check KEY") }
	x = start(t, small(3), 120, 24, segmentingWith(f))
	x.wants("segmenting: 401 from http://host: check KEY")
}

// TestMessagesOfAnAgentAtWorkWaitBeforeAModelIsAsked: each batch puts it off.
func TestMessagesOfAnAgentAtWorkWaitBeforeAModelIsAsked(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan, allowed: []string{modelPlan.Host}}
	x := start(t, small(3), 100, 24, segmentingWith(f))
	if f.did() != "m" {
		t.Fatalf("runs: %q", f.did())
	}
	x.timers = nil
	f.plan = modelPlan
	x.app.job = work.New(nil, "import")
	for i := range 3 {
		x.app.job.Report(Progress{Messages: 10 + i, Waiting: true})
		x.app.jobs().Look()
		x.run(x.app.cutNews())
	}
	if f.did() != "m" || len(x.timers) != 3 || x.timers[0].after != quietBeforeModel {
		t.Fatalf("runs: %q, timers %v", f.did(), x.timers)
	}
	x.tick()
	if f.did() != "mm" || f.plans != 2 {
		t.Errorf("runs: %q, asked %d times", f.did(), f.plans)
	}
	x.run(x.app.lookForCuts()) // nothing to cut
	f.plan = modelPlan
	x.app.job.Report(Progress{Messages: 20, Waiting: true})
	x.app.jobs().Look()
	x.run(x.app.cutNews())
	if f.did() != "mm" {
		t.Errorf("runs: %q: a model is asked at once", f.did())
	}
}

// TestQuestionSaysWhatIsSentNow: more may come, or be cut elsewhere, while it
// is asked.
func TestQuestionSaysWhatIsSentNow(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan}
	x := ask(t, f, 80, 24)
	f.plan.Sessions = 9000
	x.run(x.app.lookForCuts())
	x.wants("9,000 sessions", "y send")
	x.press("?")
	lacks(t, x, "Send ")
	x.press("q")
	x.wants("Send ")
	f.plan = CutPlan{}
	x.run(x.app.lookForCuts())
	lacks(t, x, "Send ")
	if x.press("y"); f.did() != "" || len(f.allowed) != 0 {
		t.Errorf("runs: %q, allowed %v", f.did(), f.allowed)
	}
}

// TestPlanThatComesLateStartsNothing: the question was answered meanwhile.
func TestPlanThatComesLateStartsNothing(t *testing.T) {
	f := &fakeSegmenting{plan: modelPlan}
	x := ask(t, f, 80, 24)
	late := x.app.lookForCuts()
	x.press("esc")
	x.run(late)
	if f.did() != "" || x.app.question != nil {
		t.Errorf("runs: %q", f.did())
	}
}

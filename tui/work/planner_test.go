package work_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
	"winnow/tui/work"
	"winnow/tui/work/worktest"
)

// program is a program without a screen: it runs the commands that come back until
// none is left, keeps timers for the test to fire, and what is said.
type program struct {
	*work.Planner
	t        *testing.T
	timers   []timer
	looks    []tea.Msg // at jobs
	message  string
	said     work.Said
	pressed  int
	unfilled bool
	polls    int
}

type timer struct {
	after time.Duration
	msg   tea.Msg
}

// plans returns a program that has work to do. Without an import that work has begun.
func plans(t *testing.T, s work.Sources, imports work.Run) *program {
	x := &program{t: t}
	x.Planner = work.NewPlanner(x, draw.GlyphsFor(false), s, work.New(imports, "import"), func(error) tea.Cmd { return nil })
	if imports == nil {
		x.run(x.Begin())
	}
	return x
}

func (x *program) run(cmd tea.Cmd) {
	if cmd != nil {
		x.send(cmd())
	}
}

func (x *program) send(msg tea.Msg) {
	x.Look()
	switch m := msg.(type) {
	case tea.BatchMsg:
		for _, cmd := range m {
			x.run(cmd)
		}
	case work.Then:
		x.run(m())
	}
}

// tick fires the timers that are set, once.
func (x *program) tick() {
	timers := x.timers
	x.timers = nil
	for _, t := range timers {
		x.send(t.msg)
	}
}

// poll is what the program does when the database has changed.
func (x *program) poll() {
	x.Changed()
	x.run(x.Leisure())
}

// comes has an import that waits for more bring messages.
func (x *program) comes(messages int) {
	x.Import.Report(work.Progress{Messages: messages, Waiting: true})
	x.progress()
}

// progress is when the jobs are looked at.
func (x *program) progress() {
	looks := x.looks
	x.looks = nil
	for _, look := range looks {
		x.send(look)
	}
}

// follows is an import that brings nothing until the test says so.
func follows(ctx context.Context, _ func(work.Progress)) error {
	<-ctx.Done()
	return ctx.Err()
}

// The program as the planner needs it.

func (x *program) Context() context.Context { return x.t.Context() }

func (x *program) Now() time.Time { return time.Time{} }

func (x *program) After(d time.Duration, msg tea.Msg) tea.Cmd {
	if d < time.Second {
		x.looks = append(x.looks, msg)
	} else {
		x.timers = append(x.timers, timer{d, msg})
	}
	return nil
}

func (x *program) Poll() tea.Cmd {
	x.polls++
	return nil
}

func (x *program) Unfilled() bool { return x.unfilled }

func (x *program) Pressed() (n int, idle bool) { return x.pressed, true }

func (x *program) Said() work.Said {
	if x.message == "" {
		return work.Nothing
	}
	return x.said
}

func (x *program) Say(text string, as work.Said) { x.message, x.said = text, as }

func (x *program) Add(text string) { x.message += " · " + text }

func (x *program) Fail(what string, err error) { x.message, x.said = what+": "+err.Error(), work.Other }

// wants fails the test unless that was done.
func (x *program) wants(s *worktest.Source, did string) {
	x.t.Helper()
	if got := s.Did; got != did {
		x.t.Errorf("did %q, want %q", got, did)
	}
}

// byModel is work for a model.
var byModel = work.Plan{Sent: 8931, Tokens: 3_100_000, Host: "api.example.com", Model: "tiny-1"}

// cuts cut sessions: by rules, or by a model instead.
func cuts(p work.Plan, allowed ...string) *worktest.Source {
	return &worktest.Source{Left: p, Allowed: allowed, Instead: true}
}

// TestMessagesOfAnAgentAtWorkWaitBeforeAModelIsAsked: each batch puts it off.
func TestMessagesOfAnAgentAtWorkWaitBeforeAModelIsAsked(t *testing.T) {
	f := cuts(byModel, byModel.Host)
	x := plans(t, work.Sources{Cuts: f}, follows)
	begin := x.Begin()
	done := make(chan tea.Msg)
	go func() { done <- begin() }()
	x.timers = nil
	x.comes(9)
	x.wants(f, "m")
	f.Left = byModel
	x.timers = nil
	for i := range 3 {
		x.comes(10 + i)
	}
	quiet := slices.DeleteFunc(slices.Clone(x.timers), func(t timer) bool { return t.after != time.Minute })
	if x.wants(f, "m"); len(quiet) != 3 {
		t.Fatalf("timers %v", x.timers)
	}
	x.timers = quiet
	x.tick()
	if x.wants(f, "mm"); f.Plans != 2 {
		t.Errorf("asked %d times", f.Plans)
	}
	x.comes(12) // nothing came
	f.Left = byModel
	x.comes(20)
	x.wants(f, "mm") // a model is not asked at once
	x.Import.Stop()
	x.send(<-done)
}

// TestAgentAtWorkIsNotJudgedInstantly: each batch of messages puts it off, but not
// what is measured.
func TestAgentAtWorkIsNotJudgedInstantly(t *testing.T) {
	f := &worktest.Source{Left: byModel, Allowed: []string{byModel.Host}}
	x := plans(t, work.Sources{Scores: f}, follows)
	begin := x.Begin()
	done := make(chan tea.Msg)
	go func() { done <- begin() }()
	x.comes(9)
	x.wants(f, "m")
	more := byModel
	more.Here = 2
	x.timers = nil
	for i := range 3 {
		f.Left = more
		x.comes(10 + i)
	}
	quiet := slices.DeleteFunc(slices.Clone(x.timers), func(t timer) bool { return t.after != time.Minute })
	if x.wants(f, "mhhh"); len(quiet) != 3 {
		t.Fatalf("timers %v", x.timers)
	}
	x.timers = quiet
	x.tick()
	x.wants(f, "mhhhm")
	x.Import.Stop()
	x.send(<-done)
}

// TestPlanThatComesLateStartsNothing: the question was answered meanwhile.
func TestPlanThatComesLateStartsNothing(t *testing.T) {
	f := cuts(byModel)
	x := plans(t, work.Sources{Cuts: f}, nil)
	x.tick()
	late := x.Begin()
	x.run(x.AnswerLater())
	x.run(late)
	if x.wants(f, ""); x.Asks() {
		t.Error("it is asked again")
	}
}

// TestAnswers: what a model would cut is cut by rules if nothing is sent, what it
// would judge stays measured; until the next start. What is allowed is not asked
// about again.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name           string
		answer         func(*program) tea.Cmd
		cut, cutNext   string
		score, scored2 string
	}{
		{"send", func(x *program) tea.Cmd { return x.Answer(true) }, "m", "mm", "m", "mhm"},
		{"nothing is sent", func(x *program) tea.Cmd { return x.Answer(false) }, "h", "hh", "", "h"},
		{"later", (*program).later, "", "", "", "h"},
	} {
		f, s := cuts(byModel), &worktest.Source{Left: byModel}
		x := plans(t, work.Sources{Cuts: f}, nil)
		x.tick()
		x.run(c.answer(x))
		x.wants(f, c.cut)
		f.Left = byModel
		x.run(x.Begin())
		x.wants(f, c.cutNext)
		x = plans(t, work.Sources{Scores: s}, nil)
		x.tick()
		x.run(c.answer(x))
		x.wants(s, c.score)
		more := byModel
		more.Here = 2
		s.Left = more
		x.run(x.Score())
		if x.wants(s, c.scored2); x.Asks() || len(s.Allowed)+len(f.Allowed) != 2*len(c.score) {
			t.Errorf("%s: asks %v, allowed %v and %v", c.name, x.Asks(), f.Allowed, s.Allowed)
		}
	}
}

func (x *program) later() tea.Cmd { return x.AnswerLater() }

// TestYesThatCannotBeRememberedSendsNothing: the next run would ask for what was sent
// already.
func TestYesThatCannotBeRememberedSendsNothing(t *testing.T) {
	for want, s := range map[string]work.Sources{"segmenting: disk full": {Cuts: cuts(byModel)}, "judging: disk full": {Scores: &worktest.Source{Left: byModel}}} {
		f, _ := s.Cuts.(*worktest.Source)
		if f == nil {
			f = s.Scores.(*worktest.Source)
		}
		f.Refuse = errors.New("disk full")
		x := plans(t, s, nil)
		x.tick()
		x.run(x.Answer(true))
		if x.wants(f, ""); x.message != want {
			t.Errorf("%q is said, want %q", x.message, want)
		}
	}
}

// TestOneQuestionAtATime: the one about cutting comes first.
func TestOneQuestionAtATime(t *testing.T) {
	f, s := cuts(byModel), &worktest.Source{Left: byModel}
	x := plans(t, work.Sources{Cuts: f, Scores: s}, nil)
	asks := func(what string) {
		t.Helper()
		x.tick()
		if !x.Asks() {
			t.Fatal("nothing is asked")
		}
		if text, _ := x.Question(); !strings.HasSuffix(text, " to "+what+"?") {
			t.Error(text)
		}
	}
	asks("cut")
	x.run(x.Answer(false))
	x.wants(f, "h")
	x.wants(s, "")
	asks("judge")
	x.run(x.Answer(true))
	x.wants(s, "m")
}

// TestScoringFollowsCutting: first sessions are cut, then what came of it is scored,
// and while it is asked whether something may be sent, what there is.
func TestScoringFollowsCutting(t *testing.T) {
	f, s := cuts(work.Plan{Here: 2}), &worktest.Source{}
	f.Run = func(context.Context, bool, func(work.Progress)) error {
		if len(s.Did) != len(f.Did)-1 {
			t.Errorf("%q before %q", s.Did, f.Did)
		}
		s.Left = work.Plan{Here: 5}
		return nil
	}
	x := plans(t, work.Sources{Cuts: f, Scores: s}, nil)
	x.wants(s, "h")
	f.Left = work.Plan{Here: 1}
	x.run(x.Begin())
	x.wants(f, "hh")
	x.wants(s, "hh")
	for _, f := range []*worktest.Source{cuts(byModel), {Fail: errors.New("no")}} {
		s = &worktest.Source{Left: work.Plan{Here: 4}}
		x = plans(t, work.Sources{Cuts: f, Scores: s}, nil)
		x.wants(f, "")
		x.wants(s, "h")
	}
}

// TestWhatCannotBeScoredIsTriedOnce: and told.
func TestWhatCannotBeScoredIsTriedOnce(t *testing.T) {
	s := &worktest.Source{Left: work.Plan{Here: 3}}
	s.Run = func(_ context.Context, _ bool, report func(work.Progress)) error {
		s.Left = work.Plan{Here: 1}
		report(work.Progress{Failed: 1, Note: "1 segment not scored"})
		return nil
	}
	x := plans(t, work.Sources{Scores: s}, nil)
	if x.wants(s, "h"); x.message != ": 1 segment not scored" {
		t.Error(x.message)
	}
}

// TestWhatIsDoneAtLeisure: once, when nothing else is done, and again when something
// came.
func TestWhatIsDoneAtLeisure(t *testing.T) {
	texts, alikes := &worktest.Source{Left: work.Plan{Here: 9}}, &worktest.Source{Left: work.Plan{Here: 1}}
	alikes.Run = func(context.Context, bool, func(work.Progress)) error {
		if texts.Did == "" {
			t.Error("segments are compared before messages can be found")
		}
		return nil
	}
	x := plans(t, work.Sources{Texts: texts, Alikes: alikes}, nil)
	x.wants(texts, "") // what is read first is what is seen
	x.poll()
	for range 3 {
		x.run(x.Leisure())
	}
	x.wants(texts, "h")
	x.wants(alikes, "h")
	if n := texts.Plans; n != 1 || x.message != "" {
		t.Errorf("asked %d times although nothing changed; %q is said", n, x.message)
	}
	texts.Left = work.Plan{Here: 1}
	x.poll()
	x.wants(texts, "hh")
	x.wants(alikes, "h")
}

// TestLeisureWaits: for what is read, cut and measured, but not for a judge, who may
// take hours, nor for an import that waits itself.
func TestLeisureWaits(t *testing.T) {
	texts, scores := &worktest.Source{Left: work.Plan{Here: 9}}, &worktest.Source{Left: work.Plan{Here: 3, Sent: 2, Host: "h"}, Allowed: []string{"h"}}
	var x *program
	scores.Run = func(_ context.Context, send bool, _ func(work.Progress)) error {
		x.poll()
		if wants := map[bool]string{true: "h"}[send]; texts.Did != wants {
			t.Errorf("sending %v: texts %q", send, texts.Did)
		}
		return nil
	}
	x = plans(t, work.Sources{Scores: scores, Texts: texts}, follows)
	begin := x.Begin()
	done := make(chan tea.Msg)
	go func() { done <- begin() }()
	x.poll()
	x.wants(texts, "")
	x.comes(1)
	x.wants(scores, "hm")
	x.wants(texts, "h")
	texts.Left = work.Plan{Here: 1}
	x.poll()
	x.wants(texts, "hh")
	x.Import.Stop()
	x.send(<-done)
}

// TestLeisureThatFailsIsToldOnce: it would fail again.
func TestLeisureThatFailsIsToldOnce(t *testing.T) {
	texts := &worktest.Source{Left: work.Plan{Here: 9}}
	texts.Run = func(context.Context, bool, func(work.Progress)) error { return errors.New("disk full") }
	x := plans(t, work.Sources{Texts: texts}, nil)
	x.poll()
	if x.message != "text index: disk full" {
		t.Error(x.message)
	}
	texts.Left = work.Plan{Here: 9}
	x.poll()
	x.wants(texts, "h")
	alikes := &worktest.Source{Fail: errors.New("disk full")}
	x = plans(t, work.Sources{Alikes: alikes}, nil)
	for range 2 {
		x.poll()
	}
	if x.message != "alike segments: disk full" || alikes.Plans != 1 {
		t.Errorf("%q is said, asked %d times", x.message, alikes.Plans)
	}
}

// TestWhatIsShownFirst: an export goes before an import, what waits comes last, and
// what is done at leisure is not shown before it tells how far it is.
func TestWhatIsShownFirst(t *testing.T) {
	texts := &worktest.Source{Left: work.Plan{Here: 1}}
	x := plans(t, work.Sources{Texts: texts}, follows)
	wants := func(want string) {
		t.Helper()
		got := ""
		if j := x.Shown(); j != nil {
			got = j.Name
		}
		if got != want {
			t.Errorf("%q is shown, want %q", got, want)
		}
	}
	wants("")
	x.Begin()
	wants("import")
	x.comes(1)
	if wants("import"); x.Busy() != nil {
		t.Error("an import that waits has a line")
	}
	texts.Run = func(_ context.Context, _ bool, report func(work.Progress)) error {
		wants("import")
		report(work.Progress{Note: "9%"})
		x.Look()
		wants("text index")
		x.Start(x.Export, work.New(follows, "export"))
		wants("export")
		return nil
	}
	x.poll()
	x.wants(texts, "h")
}

// TestJobTakesThePlaceOfAWaitingOne: what is imported next takes the place of a job
// that only waits, which has ended by then. Its last words are not taken for those
// of the new one.
func TestJobTakesThePlaceOfAWaitingOne(t *testing.T) {
	old := make(chan bool)
	x := plans(t, work.Sources{}, func(ctx context.Context, report func(work.Progress)) error {
		defer close(old)
		return follows(ctx, report)
	})
	first := x.Begin()
	done := make(chan tea.Msg, 1)
	go func() { done <- first() }()
	x.comes(40)
	ended := false
	next := x.Start(x.Import, x.Import.Then(func(context.Context, func(work.Progress)) error {
		select {
		case <-old:
			ended = true
		default:
		}
		return nil
	}, "import"))
	if x.send(<-done); !x.Import.Running {
		t.Error("the end of the old job ended the new one")
	}
	x.progress()
	if x.run(next); !strings.HasPrefix(x.message, "import done") || !ended {
		t.Errorf("the new job began before the old one had ended: %s", x.message)
	}
}

// TestWaitingForAJobWaitsForTheOneBefore: the one before works on the database until
// it has noticed that it was stopped, also if what was to follow it never began.
func TestWaitingForAJobWaitsForTheOneBefore(t *testing.T) {
	begun, end, running := make(chan bool), make(chan bool), make(chan tea.Msg)
	first := false
	x := plans(t, work.Sources{}, func(ctx context.Context, _ func(work.Progress)) error {
		close(begun)
		<-ctx.Done()
		<-end
		first = true
		return nil
	})
	run := x.Begin()
	go func() { running <- run() }()
	<-begun
	x.Start(x.Import, x.Import.Then(func(context.Context, func(work.Progress)) error { return nil }, "import")) // its command is never run
	go close(end)
	if x.Wait(); !first {
		t.Error("the job before runs on")
	}
	<-running
}

// TestYesWhileSomethingIsMeasured: the judge begins when that has ended, as the
// database is closed when the last job has; what was not measured then is, later.
func TestYesWhileSomethingIsMeasured(t *testing.T) {
	s := &worktest.Source{Left: byModel}
	x := plans(t, work.Sources{Scores: s}, nil)
	x.tick()
	measuring, ended := make(chan bool), false
	s.Run = func(ctx context.Context, send bool, _ func(work.Progress)) error {
		if s.Run = nil; send {
			t.Error("judged first")
		}
		close(measuring)
		<-ctx.Done()
		ended = true
		s.Left.Here = 1
		return ctx.Err()
	}
	s.Left.Here = 2
	measure := x.Score()().(work.Then)()
	done := make(chan tea.Msg, 1)
	go func() { done <- measure() }()
	<-measuring
	m := x.Answer(true)()
	if !ended {
		t.Fatal("judged beside it")
	}
	x.send(m)
	x.send(<-done)
	if x.wants(s, "hmh"); x.message != "" {
		t.Error(x.message)
	}
}

// TestWhatWaitsIsDoneOnce: what comes while it waits is done with it, and other work
// at leisure goes on meanwhile.
func TestWhatWaitsIsDoneOnce(t *testing.T) {
	learns := &worktest.Source{Left: work.Plan{Here: 1, Wait: 5 * time.Second}}
	texts := &worktest.Source{Left: work.Plan{Here: 3}}
	x := plans(t, work.Sources{Learns: learns, Texts: texts}, nil)
	x.poll()
	x.wants(learns, "")
	x.wants(texts, "h")
	for range 3 {
		x.poll()
	}
	if len(x.timers) != 1 || x.timers[0].after != 5*time.Second {
		t.Fatalf("timers %+v", x.timers)
	}
	x.tick()
	x.wants(learns, "h")
	if len(x.timers) != 0 {
		t.Errorf("timers %+v", x.timers)
	}
	learns.Left = work.Plan{Here: 1, Wait: 5 * time.Second}
	x.poll()
	x.tick()
	x.wants(learns, "hh")
}

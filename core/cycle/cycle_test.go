package cycle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"winnow/core/lease"
	"winnow/core/llm"
)

// shelf keeps cycles in memory.
type shelf struct {
	cycles   []Cycle
	steps    []Step // as they were kept, one after the other
	attempts map[string]Attempt
	tried    int   // how often attempts were kept
	full     error // of that
	cost     float64
	since    time.Time
	held     map[string]string // names of leases, and who has them
}

func newShelf() *shelf { return &shelf{attempts: map[string]Attempt{}, held: map[string]string{}} }

func (s *shelf) BeginCycle(_ context.Context, c *Cycle) error {
	c.ID = int64(len(s.cycles) + 1)
	s.cycles = append(s.cycles, *c)
	return nil
}

func (s *shelf) PutStep(_ context.Context, _ int64, step *Step) error {
	s.steps = append(s.steps, *step)
	return nil
}

func (s *shelf) EndCycle(_ context.Context, id int64, at time.Time) error {
	s.cycles[id-1].Ended = at
	return nil
}

func (s *shelf) Cycles(context.Context, int) ([]Cycle, error) { return s.cycles, nil }

func (s *shelf) CostSince(_ context.Context, t time.Time) (float64, error) {
	s.since = t
	return s.cost, nil
}

func (s *shelf) Attempts(_ context.Context, kind string) (list []Attempt, err error) {
	for _, a := range s.attempts {
		if a.Kind == kind {
			list = append(list, a)
		}
	}
	return list, nil
}

func (s *shelf) Tried(_ context.Context, kind string, done []string, failed []Attempt) error {
	s.tried++
	for _, key := range done {
		delete(s.attempts, kind+key)
	}
	for _, a := range failed {
		s.attempts[kind+a.Key] = a
	}
	return s.full
}

func (s *shelf) Retry(_ context.Context, kind, key string) (int, error) {
	delete(s.attempts, kind+key)
	return 1, nil
}

func (s *shelf) TakeLease(_ context.Context, l lease.Lease, _ time.Time) (lease.Lease, bool, error) {
	holder, there := s.held[l.Name]
	return lease.Lease{Name: l.Name, Holder: holder, Until: l.Until}, !there, nil
}

func (s *shelf) RenewLease(context.Context, lease.Lease) (bool, error) { return true, nil }
func (s *shelf) ReturnLease(context.Context, string, string) error     { return nil }
func (s *shelf) Leases(context.Context) ([]lease.Lease, error)         { return nil, nil }

// task is a step that a test does.
type task struct {
	name string
	do   func(context.Context, *Order) (Step, error)
}

func (t task) Name() string                                   { return t.name }
func (t task) Do(ctx context.Context, o *Order) (Step, error) { return t.do(ctx, o) }
func does(name string, s Step, err error) Task {
	return task{name, func(context.Context, *Order) (Step, error) { return s, err }}
}
func runner(s *shelf, now func() time.Time, tasks ...Task) *Runner {
	return &Runner{Store: s, Tasks: tasks, Keeper: &lease.Keeper{
		Store: s, Holder: "run", Now: now, Rand: rand.NewChaCha8([32]byte{}),
		After: func(time.Duration) <-chan time.Time { return nil },
	}}
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.FixedZone("east", 2*60*60))

func still() time.Time { return noon }

// down is the error of a client whose server is not there.
func down(t *testing.T) error {
	t.Helper()
	c, err := llm.New(llm.Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Retries: -1}, llm.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if err = c.Ask(t.Context(), llm.Request{User: "x"}, nil); !llm.Unavailable(err) {
		t.Fatal(err)
	}
	return err
}

// TestWhatBecomesOfSteps: one that fails does not keep the next from being done.
func TestWhatBecomesOfSteps(t *testing.T) {
	s := newShelf()
	s.held["judge"] = "winnow, pid 7"
	r := runner(s, still,
		does("nothing", Step{}, nil),
		does("some", Step{Todo: 3, Done: 3}, nil),
		does("partly", Step{Todo: 3, Done: 2, Failed: 1, Note: "1 session: no answer"}, nil),
		does("failed", Step{Todo: 3, Done: 1}, errors.New("disk full")),
		does("down", Step{Todo: 3}, fmt.Errorf("stopped: %w", down(t))),
		does("forbidden", Step{Todo: 3}, Wait(errors.New("nothing may be sent to x yet"))),
		task{"judge", func(ctx context.Context, o *Order) (Step, error) {
			return Step{Todo: 2}, o.Hold(ctx, "judge", func(context.Context, string) error { t.Error("two hold it"); return nil })
		}},
	)
	var told []string
	r.Told = func(s *Step) { told = append(told, s.Name+" "+string(s.Status)) }
	c, err := r.Once(t.Context())
	if got := strings.Join(told, ", "); err != nil || got != "nothing done, some done, partly partly, failed failed, down waiting, forbidden waiting, judge skipped" {
		t.Errorf("%s, %v", got, err)
	}
	for i, want := range []string{"", "", "1 session: no answer", "disk full", "", "nothing may be sent to x yet", "winnow, pid 7, is at it until 12:01:00"} {
		if got := c.Steps[i].Note; got != want && i != 4 {
			t.Errorf("%s: %q", c.Steps[i].Name, got)
		}
		if wrong := i >= 3 && i <= 5; c.Steps[i].Wrong() != wrong || c.Steps[i].Idle() != (i == 0 || i == 6) {
			t.Errorf("%+v: wrong %v, idle %v", c.Steps[i], c.Steps[i].Wrong(), c.Steps[i].Idle())
		}
	}
	if s.cycles[0].Ended.IsZero() || c.Idle() || len(s.steps) != 14 {
		t.Errorf("%+v, %d steps kept", s.cycles, len(s.steps))
	}
}

// One that always fails is tried five times in three days, and the others are done; it
// is tried at once when it changed, and when somebody asks for it.
func TestWhatFailsIsTriedLaterAndLater(t *testing.T) {
	s, now := newShelf(), noon
	input, tries := "1", 0
	fail := task{"segment", func(_ context.Context, o *Order) (Step, error) {
		if o.Skip("bad", input) {
			return Step{}, nil
		}
		tries++
		o.Failed("bad", input, errors.New("no usable answer"))
		o.Did("good")
		return Step{Done: 1, Failed: 1}, nil
	}}
	r := runner(s, func() time.Time { return now }, fail)
	days := func(n int) {
		t.Helper()
		for range n * 24 * 6 {
			if _, err := r.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
			now = now.Add(10 * time.Minute)
		}
	}
	if days(3); tries != 5 {
		t.Errorf("%d tries in three days", tries)
	}
	if a := s.attempts["segmentbad"]; a.Tries != 5 || !a.Next.IsZero() || a.Error != "no usable answer" {
		t.Errorf("%+v", a)
	}
	if days(10); tries != 5 {
		t.Errorf("%d tries in 13 days", tries)
	}
	input = "2"
	if days(3); tries != 10 {
		t.Errorf("%d tries, when it changed", tries)
	}
	if _, err := s.Retry(t.Context(), "segment", "bad"); err != nil {
		t.Fatal(err)
	}
	if days(3); tries != 15 {
		t.Errorf("%d tries, when somebody asked for it", tries)
	}
	r.Tasks[0] = task{"segment", func(_ context.Context, o *Order) (Step, error) { o.Did("bad"); return Step{Done: 1}, nil }}
	if days(1); len(s.attempts) > 0 {
		t.Errorf("it was done: %v", s.attempts)
	}
}

// A model that cannot be used is nobody's failure.
func TestWithoutAModelNoAttemptCounts(t *testing.T) {
	for name, last := range map[string]error{"found out at the end": fmt.Errorf("stopped: %w", down(t)), "one by one": nil} {
		s := newShelf()
		r := runner(s, still, task{"segment", func(_ context.Context, o *Order) (Step, error) {
			o.Failed("a", "1", errors.New("500"))
			o.Failed("b", "1", down(t))
			return Step{Failed: 2}, last
		}})
		c, err := r.Once(t.Context())
		if err != nil || c.Steps[0].Status != Waiting || c.Steps[0].Failed > 0 || len(s.attempts) > 0 {
			t.Errorf("%s: %+v, %v, %v", name, c.Steps, s.attempts, err)
		}
	}
}

func TestBudgets(t *testing.T) {
	spend := func(name string) Task {
		return task{name, func(_ context.Context, o *Order) (step Step, err error) {
			for step.Done < 10 && !o.Enough(Usage{In: step.TokensIn, Out: step.TokensOut, Cost: step.Cost}) {
				step.Done++
				step.TokensIn += 80
				step.TokensOut += 20
				step.Cost += 0.25
			}
			return step, nil
		}}
	}
	for _, c := range []struct {
		tokens     int
		cost, used float64
		want       string
	}{
		{0, 0, 5, "10 done, 10 done"},
		{250, 0, 0, "3 waiting the 250 tokens of this cycle are used, 0 waiting the 250 tokens of this cycle are used"},
		{1500, 0, 0, "10 done, 5 waiting the 1500 tokens of this cycle are used"},
		{0, 2, 1, "4 waiting today's budget of $2.00 is used, 4 waiting today's budget of $2.00 is used"},
		{0, 2, 2, "0 waiting today's budget of $2.00 is used, 0 waiting today's budget of $2.00 is used"},
	} {
		s := newShelf()
		s.cost = c.used
		r := runner(s, still, spend("segment"), spend("judge"))
		r.MaxTokens, r.MaxCost = c.tokens, c.cost
		got, err := r.Once(t.Context())
		var texts []string
		for i := range got.Steps {
			texts = append(texts, strings.TrimSpace(fmt.Sprint(got.Steps[i].Done, " ", got.Steps[i].Status, " ", got.Steps[i].Note)))
			if got.Steps[i].Wrong() {
				t.Errorf("%+v is wrong", got.Steps[i])
			}
		}
		if text := strings.Join(texts, ", "); err != nil || text != c.want {
			t.Errorf("%+v: %s, %v", c, text, err)
		}
		if c.cost > 0 && !s.since.Equal(noon.Add(-12*time.Hour)) {
			t.Errorf("the day began at %s", s.since)
		}
	}
}

// A step is kept when it moves, once a second at most.
func TestStepsAreSeenLive(t *testing.T) {
	s, now := newShelf(), noon
	r := runner(s, func() time.Time { return now }, task{"segment", func(_ context.Context, o *Order) (Step, error) {
		for i := range 40 {
			now = now.Add(100 * time.Millisecond)
			o.Moved(Step{Todo: 40, Done: i})
		}
		return Step{Todo: 40, Done: 40}, nil
	}})
	if _, err := r.Once(t.Context()); err != nil || len(s.steps) != 6 || s.steps[2].Status != Running || s.steps[2].Name != "segment" || s.steps[2].Done != 19 || s.steps[5].Ended.IsZero() {
		t.Errorf("%+v, %v", s.steps, err)
	}
}

func TestAnEndIsKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newShelf()
	r := runner(s, still, task{"segment", func(ctx context.Context, o *Order) (Step, error) {
		o.Failed("a", "1", errors.New("no"))
		cancel()
		return Step{Todo: 3, Done: 1}, ctx.Err()
	}}, does("judge", Step{}, nil))
	c, err := r.Once(ctx)
	if !errors.Is(err, context.Canceled) || len(c.Steps) != 1 || c.Steps[0].Done != 1 || !strings.HasPrefix(s.steps[1].Note, "stopped") || s.cycles[0].Ended.IsZero() || s.attempts["segmenta"].Tries != 1 {
		t.Errorf("%+v, %v; %+v", c, err, s)
	}
}

// TestWhatFailsIsKeptWhenAStepIsStopped: one that fails in each of many runs that are
// stopped is tried no oftener than in others. Without a model nothing counts.
func TestWhatFailsIsKeptWhenAStepIsStopped(t *testing.T) {
	s, now, tries := newShelf(), noon, 0
	for _, without := range []bool{true, false} {
		for range 30 * 24 {
			ctx, cancel := context.WithCancel(t.Context())
			r := runner(s, func() time.Time { return now }, task{"segment", func(ctx context.Context, o *Order) (Step, error) {
				if !o.Skip("bad", "1") {
					tries++
					o.Failed("bad", "1", errors.New("no usable answer"))
				}
				if without {
					o.Failed("other", "1", down(t))
				}
				cancel()
				return Step{}, ctx.Err()
			}})
			if _, err := r.Once(ctx); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if now = now.Add(time.Hour); without {
				break
			}
		}
		if want := map[bool]int{true: 1, false: 6}[without]; tries != want || without && len(s.attempts) > 0 {
			t.Errorf("%d tries, want %d; %v", tries, want, s.attempts)
		}
	}
}

// A step ends though what failed in it cannot be kept, which is one write.
func TestAStepEndsThoughAttemptsAreNotKept(t *testing.T) {
	s := newShelf()
	s.full = errors.New("disk full")
	r := runner(s, still, task{"segment", func(_ context.Context, o *Order) (Step, error) {
		o.Failed("a", "1", errors.New("no"))
		o.Failed("b", "1", errors.New("no"))
		return Step{Failed: 2}, nil
	}})
	_, err := r.Once(t.Context())
	if last := s.steps[len(s.steps)-1]; !errors.Is(err, s.full) || last.Status != Failed || last.Note != "disk full" || last.Ended.IsZero() || s.tried != 1 {
		t.Errorf("%v, %+v, kept %d times", err, last, s.tried)
	}
}

func TestEvery(t *testing.T) {
	s, now := newShelf(), noon
	r := runner(s, func() time.Time { return now }, does("segment", Step{}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	var pauses []string
	r.Keeper.After = func(d time.Duration) <-chan time.Time {
		if d == lease.Renews { // of the lease
			return nil
		}
		pauses = append(pauses, d.String())
		passed := make(chan time.Time, 1)
		passed <- now
		return passed
	}
	chances, told := []float64{0, 0.5, 1}, 0
	r.Every(ctx, 10*time.Minute, func() float64 { return chances[len(pauses)%3] }, func(Cycle, error) {
		if told++; told == 4 {
			cancel()
		}
	})
	if got := strings.Join(pauses[:3], " "); told != 4 || got != "9m0s 10m0s 11m0s" {
		t.Errorf("%d cycles, after %s", told, got)
	}
}

package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/core/chat"
	"winnow/core/metric"
	"winnow/core/runs"
)

// strict judges by the number of letters. It reads every message.
type strict struct {
	mu    sync.Mutex
	asked []int // first messages
	// fail, if not nil, is called with how often it was asked, from 1, and the
	// first message.
	fail func(n int, first string) error
	bad  bool // it answers nonsense
	hang bool // it never answers the first request
}

func (s *strict) Judge(ctx context.Context, in metric.Input) (metric.Analysis, error) {
	a, next, letters, first := in.Measured, in.Start, 0, ""
	err := in.Each(ctx, in.Start, in.End, func(m *chat.Message) error {
		if m.N != next {
			return fmt.Errorf("message %d, want %d", m.N, next)
		}
		if next++; first == "" {
			first = m.Content
		}
		letters += len(m.Content)
		return nil
	})
	s.mu.Lock()
	s.asked = append(s.asked, in.Start)
	n := len(s.asked)
	s.mu.Unlock()
	switch {
	case err != nil:
		return a, err
	case s.hang && n == 1:
		<-ctx.Done()
		return a, ctx.Err()
	case next != in.End+1:
		return a, fmt.Errorf("%d messages of %d", next-in.Start, in.End-in.Start+1)
	case s.bad:
		a.Metrics = map[string]*metric.Value{metric.Goal: {Score: 7, Weight: 1}}
		a.Scorer = metric.Judged
		return a, nil
	case s.fail != nil:
		if err := s.fail(n, first); err != nil {
			return a, err
		}
	}
	said := metric.Analysis{
		Version: metric.Version, Scorer: metric.Judged, Model: "strict-1", Start: in.Start,
		Summary: metric.Summary{TaskType: metric.Writing, Reason: fmt.Sprint("begins at #", in.Start)},
		Metrics: map[string]*metric.Value{metric.Goal: {Score: float64(letters%10) / 10, Weight: 3, Reason: fmt.Sprintf("#%d is short", in.End)}},
	}
	a.TakeJudged(&said, metric.Config{})
	return a, nil
}

// scorers says of each segment of a session who scored it: o, l, or - for
// nobody.
func scorers(m *memSession) string {
	text := ""
	for i := range m.Segments {
		switch s := &m.Segments[i]; {
		case !s.Labeled:
			text += "-"
		case strings.Contains(s.Analysis, `"scorer":"llm"`):
			text += "l"
		default:
			text += "o"
		}
	}
	return text
}

// TestJudgeTakesWhatIsMeasured: what is scored without a model is still to be
// judged, and what was judged is not asked about again.
func TestJudgeTakesWhatIsMeasured(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 40))
	b.load()
	b.cut(&everyN{n: 3}, false)
	b.score(runs.Scorer{})
	measured := b.session(path).Segments[0].Analysis
	j := &strict{}
	if r := b.score(runs.Scorer{Judge: j, Limit: 2}); r.Segments != 2 || r.Changed != 2 || scorers(b.session(path)) != "lloo" {
		t.Fatalf("%+v, %s", r, scorers(b.session(path)))
	}
	if r := b.score(runs.Scorer{Judge: j}); r.Segments != 2 || len(j.asked) != 4 || scorers(b.session(path)) != "llll" {
		t.Fatalf("%+v, asked for %v", r, j.asked)
	}
	if r := b.score(runs.Scorer{Judge: j}); r.Segments != 0 || len(j.asked) != 4 {
		t.Fatalf("%+v, asked for %v", r, j.asked)
	}
	if r := b.score(runs.Scorer{}); r.Segments != 0 {
		t.Fatalf("measured again: %+v", r)
	}
	// What a model said stays, whoever measures.
	judged := b.analyses()
	if r := b.score(runs.Scorer{Again: true}); r.Segments != 4 || r.Changed != 0 {
		t.Fatalf("%+v", r)
	}
	half := metric.Config{Weights: map[string]float64{metric.Goal: 0.5}}
	if r := b.score(runs.Scorer{Again: true, Config: half}); r.Changed != 4 || scorers(b.session(path)) != "llll" {
		t.Fatalf("%+v", r)
	}
	first := &b.session(path).Segments[0]
	if a, err := metric.Parse(first.Analysis); err != nil || a.Metrics[metric.Goal].Weight != 0.5 || a.Model != "strict-1" || first.Analysis == judged[first.ID] {
		t.Errorf("%s, %v", first.Analysis, err)
	}
	if first.Analysis == measured {
		t.Error("the judge said nothing")
	}
	if r := b.score(runs.Scorer{Judge: j, Again: true}); r.Segments != 4 || len(j.asked) != 8 {
		t.Errorf("%+v, asked for %v", r, j.asked)
	}
	// A changed segment is neither judged nor measured.
	b.write("s", talk(13, 40))
	b.load()
	if got := scorers(b.session(path)); got != "lll-" && got != "llll-" {
		t.Errorf("grown: %s", got)
	}
}

// TestFailedJudgementLeavesWhatIsThere: whether that is an analysis or none.
func TestFailedJudgementLeavesWhatIsThere(t *testing.T) {
	for name, j := range map[string]*strict{
		"nonsense": {bad: true},
		"silence":  {fail: func(int, string) error { return errSilly }},
	} {
		b := newBench(t)
		path := b.write("s", talk(8, 40))
		b.load()
		b.cut(&everyN{n: 4}, false)
		b.score(runs.Scorer{Limit: 1})
		was := b.analyses()
		g := runs.Scorer{Store: b.store, Judge: j}
		r, err := g.Run(t.Context())
		if err != nil || r.Segments != 0 || len(r.Failed) != 2 || scorers(b.session(path)) != "o-" {
			t.Fatalf("%s: %+v, %v, %s", name, r, err, scorers(b.session(path)))
		}
		for id, a := range b.analyses() {
			if a != was[id] {
				t.Errorf("%s: %s became %s", name, was[id], a)
			}
		}
		if r := b.score(runs.Scorer{Judge: &strict{}}); r.Segments != 2 || scorers(b.session(path)) != "ll" {
			t.Errorf("%s, then %+v", name, r)
		}
	}
}

// When some in a row fail, a judge that can't judge anything stops the run;
// texts that are too hard for it don't.
func TestJudgeThatIsGoneStopsTheRun(t *testing.T) {
	isProbe := func(first string) bool { return strings.HasPrefix(first, "What is the capital") }
	for _, c := range []struct {
		name   string
		fail   func(n int, first string) bool
		asked  int
		probes int
		stops  bool
	}{
		{"never there", func(int, string) bool { return true }, 4, 1, true},
		{"gone in the middle", func(n int, _ string) bool { return n > 20 }, 24, 1, true},
		{"away for a moment", func(n int, _ string) bool { return n%3 != 0 }, 40, 0, false},
		{"hard texts", func(_ int, first string) bool { return !isProbe(first) }, 44, 4, false},
	} {
		b := newBench(t)
		for i := range 40 {
			b.write(fmt.Sprintf("s%02d", i), talk(6, 20+i))
		}
		b.load()
		probes := 0
		j := &strict{fail: func(n int, first string) error {
			if isProbe(first) {
				probes++
			}
			if c.fail(n, first) {
				return errSilly
			}
			return nil
		}}
		g := &runs.Scorer{Store: b.store, Judge: j, Jobs: 1}
		r, err := g.Run(t.Context())
		if errors.Is(err, errSilly) != c.stops || err == nil == c.stops || len(j.asked) != c.asked || probes != c.probes {
			t.Errorf("%s: %v; asked %d times, %d failed, %d probes", c.name, err, len(j.asked), len(r.Failed), probes)
		}
	}
}

func TestSegmentsUnderWayAreNamedWhenJudgingStops(t *testing.T) {
	b := newBench(t)
	for i := range 6 {
		b.write(fmt.Sprint("s", i), talk(6, 20+i))
	}
	b.load()
	j := &strict{hang: true, fail: func(int, string) error { return errSilly }}
	g := &runs.Scorer{Store: b.store, Judge: j, Jobs: 2}
	r, err := g.Run(t.Context())
	under := slices.ContainsFunc(r.Failed, func(f runs.ScoreFailure) bool { return errors.Is(f.Err, runs.ErrUnfinished) })
	if !errors.Is(err, errSilly) || len(r.Failed) != 4 || !under {
		t.Errorf("%v; %+v", err, r.Failed)
	}
}

// A judge is asked once about a segment that changes meanwhile: it costs.
func TestJudgeIsAskedOnceAboutWhatChanges(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 40))
	b.load()
	n := 6
	b.store.beforeScores = func(int) {
		n++
		b.write("s", talk(n, 40))
		b.load()
	}
	j := &strict{}
	if r := b.score(runs.Scorer{Judge: j}); r.Busy != 1 || r.Segments != 0 || len(j.asked) != 1 || scorers(b.session(path)) != "-" {
		t.Errorf("%+v, asked %v, %s", r, j.asked, scorers(b.session(path)))
	}
}

// What a judge says of a text is not kept with another one that took its place, though
// nothing but what was said differs.
func TestAJudgeIsNotBelievedOfAnotherText(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 40))
	b.load()
	b.store.beforeScores = func(int) {
		for i := range b.session(path).Segments {
			b.session(path).Segments[i].Fingerprint = "another"
		}
	}
	if r := b.score(runs.Scorer{Judge: &strict{}}); r.Busy != 1 || r.Segments != 0 || scorers(b.session(path)) != "-" {
		t.Errorf("%+v, %s", r, scorers(b.session(path)))
	}
}

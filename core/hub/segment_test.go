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
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/core/segment"
)

// everyN cuts after each n-th message. It reads all of them, and those before.
type everyN struct {
	n  int
	by review.CutBy

	mu    sync.Mutex
	asked []segment.Span
	// fail, if not nil, is called with how often it was asked, from 1, and the
	// first message.
	fail func(ctx context.Context, n int, first *chat.Message) error
	// answer, if not nil, changes what it says.
	answer func([]segment.Cut) []segment.Cut
}

func (c *everyN) By() review.CutBy {
	if c.by == "" {
		return review.CutOffline
	}
	return c.by
}

func (c *everyN) Cut(ctx context.Context, t segment.Text) ([]segment.Cut, error) {
	c.mu.Lock()
	c.asked = append(c.asked, segment.Span{From: t.From, To: t.To})
	n := len(c.asked)
	c.mu.Unlock()
	var cuts []segment.Cut
	next := 1
	err := t.Each(ctx, 1, t.To, func(m *chat.Message) error {
		if m.N != next {
			return fmt.Errorf("message %d behind %d", m.N, next-1)
		}
		next++
		if m.N == 1 && c.fail != nil {
			if err := c.fail(ctx, n, m); err != nil {
				return err
			}
		}
		if m.N == t.From || m.N > t.From && (m.N-1)%c.n == 0 {
			cuts = append(cuts, segment.Cut{Start: m.N, End: m.N})
		} else if m.N > t.From {
			cuts[len(cuts)-1].End = m.N
		}
		return nil
	})
	if c.answer != nil {
		cuts = c.answer(cuts)
	}
	return cuts, err
}

// cut runs a cutter over all sessions.
func (b *bench) cut(c segment.Cutter, again bool) runs.CutReport {
	b.t.Helper()
	g := &runs.Segmenter{Store: b.store, Cutter: c, Jobs: 2, Again: again}
	r, err := g.Run(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.store.verify()
	b.store.verifyCuts()
	return r
}

// places are the segments of a session, as "1-3 4-8".
func places(m *memSession) string {
	var list []string
	for _, r := range m.Segments {
		list = append(list, fmt.Sprintf("%d-%d", r.Start, r.End))
	}
	return strings.Join(list, " ")
}

func TestRunCutsWhatIsToBeCut(t *testing.T) {
	b := newBench(t)
	long, short := b.write("long", talk(10, 20)), b.write("short", talk(2, 20))
	b.load()
	c := &everyN{n: 4}
	var last runs.CutProgress
	g := &runs.Segmenter{Store: b.store, Cutter: c, Progress: func(p runs.CutProgress) { last = p }}
	r, err := g.Run(t.Context())
	if err != nil || r.Sessions != 1 || r.Changed != 1 || r.Segments != 3 || r.Messages != 10 || len(r.Failed) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	b.store.verifyCuts()
	m := b.session(long)
	if places(m) != "1-4 5-8 9-10" || !m.Segmented {
		t.Fatalf("%s, segmented %v", places(m), m.Segmented)
	}
	for i, topic := range []string{"message 1", "message 5", "message 9"} {
		if s := m.Segments[i]; !strings.HasPrefix(s.Topic, topic) || s.CutBy != review.CutOffline || s.Verdict != review.Pending {
			t.Errorf("segment %d: topic %q, cut by %s, %s", i, s.Topic, s.CutBy, s.Verdict)
		}
	}
	if s := b.session(short).Segments; len(s) != 1 || s[0].CutBy != review.CutSingle {
		t.Errorf("two messages: %+v", s)
	}
	if last.Sessions != 1 || last.Sessions != last.AllSessions || last.Messages != 10 || last.AllMessages != 10 || last.Tokens != last.AllTokens || last.Tokens == 0 {
		t.Errorf("in the end %+v", last)
	}
	if len(c.asked) != 1 {
		t.Errorf("the cutter was asked for %v", c.asked)
	}
	writes := b.store.cutWrites
	if r := b.cut(c, false); r.Sessions != 0 {
		t.Errorf("nothing was left, but %+v", r)
	}
	if r := b.cut(c, true); r.Sessions != 2 || r.Changed != 0 || b.store.cutWrites != writes {
		t.Errorf("cut again: %+v, %d writes", r, b.store.cutWrites-writes)
	}
}

// A session of at most two messages that is to be cut is one segment, without
// a cutter; so are one or two that follow what a curator cut.
func TestNothingToCutAsksNobody(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(4, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	b.judge(path, 0).CutBy = review.CutCurator
	c := &everyN{n: 4, by: review.CutModel}
	for n, want := range []string{"1-4 5-5", "1-4 5-6"} {
		b.write("s", talk(5+n, 20))
		b.load()
		if b.cut(c, false); len(c.asked) != 0 || places(b.session(path)) != want || b.session(path).Segments[1].CutBy != review.CutSingle {
			t.Errorf("asked for %v; %s", c.asked, places(b.session(path)))
		}
	}
	b.write("s", talk(7, 20))
	b.load()
	if b.cut(c, false); len(c.asked) != 1 || places(b.session(path)) != "1-4 5-7" || b.session(path).Segments[1].CutBy != review.CutModel {
		t.Errorf("asked for %v; %s", c.asked, places(b.session(path)))
	}
	two := b.write("two", talk(2, 20))
	b.load()
	m := b.session(two)
	m.Segments[0].CutBy, m.Segmented = review.CutProvisional, false
	if b.cut(c, false); len(c.asked) != 1 || b.session(two).Segments[0].CutBy != review.CutSingle {
		t.Errorf("asked for %v; %+v", c.asked, b.session(two).Segments)
	}
}

func (b *bench) judge(path string, i int) *review.SegmentWrite {
	s := &b.session(path).Segments[i]
	s.Verdict, s.Reviewer = review.Approved, "ann"
	return s
}

// Two segments with equal roles and contents in one session both exist, with
// different fingerprints that stay.
func TestEqualSegmentsBothExist(t *testing.T) {
	b := newBench(t)
	pair := line("user", "same") + line("assistant", "thing")
	path := b.write("s", pair+pair+pair)
	b.load()
	b.cut(&everyN{n: 2}, false)
	var first []string
	for _, s := range b.session(path).Segments {
		first = append(first, s.ID+s.Fingerprint)
	}
	if len(first) != 3 {
		t.Fatalf("%v", first)
	}
	b.write("s", pair+pair+pair+pair)
	b.load()
	b.cut(&everyN{n: 2}, false)
	b.cut(&everyN{n: 2}, true)
	var then []string
	for _, s := range b.session(path).Segments {
		then = append(then, s.ID+s.Fingerprint)
	}
	if len(then) != 4 || !slices.Equal(then[:3], first) {
		t.Errorf("first %v, then %v", first, then)
	}
}

func TestLimitTakesTheFirst(t *testing.T) {
	b := newBench(t)
	for i := range 7 {
		b.write(fmt.Sprint("s", i), talk(4, 20))
	}
	b.load()
	var last runs.CutProgress
	g := &runs.Segmenter{Store: b.store, Cutter: &everyN{n: 2}, Limit: 3, Progress: func(p runs.CutProgress) { last = p }}
	if r, err := g.Run(t.Context()); err != nil || r.Sessions != 3 || last.AllSessions != 3 || last.Sessions != 3 || last.AllMessages != 12 {
		t.Fatalf("%+v, %v; %+v", r, err, last)
	}
	g.Limit = 0
	if r, err := g.Run(t.Context()); err != nil || r.Sessions != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
}

// Each session is taken once, however many there are and whether it fails.
func TestEverySessionIsTakenOnce(t *testing.T) {
	b := newBench(t)
	var lines strings.Builder
	for i := range 256 + 50 {
		fmt.Fprintf(&lines, `{"messages":[{"role":"user","content":"a%d"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`+"\n", i)
	}
	b.write("s.jsonl", lines.String())
	b.load()
	c := &everyN{n: 2, fail: func(_ context.Context, _ int, m *chat.Message) error {
		if strings.HasPrefix(m.Content, "a") {
			return errSilly
		}
		return nil
	}}
	r := b.cut(c, false)
	seen := map[string]bool{}
	for _, f := range r.Failed {
		seen[f.Session] = true
	}
	if len(r.Failed) != 256+50 || len(seen) != 256+50 {
		t.Errorf("%d failures of %d sessions", len(r.Failed), len(seen))
	}
}

var errSilly = errors.New("no such number")

// What fails is left as it is; the others are cut, and the next run cuts it.
func TestFailuresAreLeftAlone(t *testing.T) {
	answers := map[string]func([]segment.Cut) []segment.Cut{
		"a gap":   func(c []segment.Cut) []segment.Cut { c[1].Start++; return c },
		"overlap": func(c []segment.Cut) []segment.Cut { c[1].Start--; return c },
		"short":   func(c []segment.Cut) []segment.Cut { return c[:1] },
		"nothing": func([]segment.Cut) []segment.Cut { return nil },
	}
	for name, answer := range answers {
		b := newBench(t)
		path := b.write("s", talk(6, 20))
		b.load()
		before := b.session(path).Segments[0]
		r := b.cut(&everyN{n: 3, answer: answer}, false)
		if m := b.session(path); len(r.Failed) != 1 || r.Failed[0].File != path || m.Segmented || !sameRow(m.Segments[0], before.Segment) || b.store.cutWrites != 0 {
			t.Errorf("%s: %+v; %+v", name, r, b.session(path).Segments)
		}
		if r := b.cut(&everyN{n: 3}, false); r.Sessions != 1 || !b.session(path).Segmented {
			t.Errorf("%s, then: %+v", name, r)
		}
	}
	b := newBench(t)
	for i := range 40 {
		b.write(fmt.Sprintf("s%02d", i), talk(6, 20+i))
	}
	b.load()
	r := b.cut(&everyN{n: 3, fail: func(_ context.Context, n int, _ *chat.Message) error {
		if n%2 == 0 {
			return errSilly
		}
		return nil
	}}, false)
	if r.Sessions != 20 || len(r.Failed) != 20 || !errors.Is(r.Failed[0].Err, errSilly) {
		t.Errorf("%+v", r)
	}
}

func TestSessionsUnderWayAreNamedWhenTheRunStops(t *testing.T) {
	b := newBench(t)
	for i := range 6 {
		b.write(fmt.Sprint("s", i), talk(6, 20+i))
	}
	b.load()
	var slow sync.Once
	cutter := &everyN{n: 3, fail: func(ctx context.Context, _ int, _ *chat.Message) error {
		wait := false
		if slow.Do(func() { wait = true }); wait {
			<-ctx.Done()
			return ctx.Err()
		}
		return fmt.Errorf("messages 1 to 4: %w", errSilly)
	}}
	g := &runs.Segmenter{Store: b.store, Cutter: cutter, Jobs: 2}
	r, err := g.Run(t.Context())
	under := slices.ContainsFunc(r.Failed, func(f runs.CutFailure) bool { return errors.Is(f.Err, runs.ErrUnfinished) })
	if !errors.Is(err, errSilly) || len(r.Failed) != 4 || !under {
		t.Errorf("%v; %+v", err, r.Failed)
	}
}

// When some in a row fail, a cutter that can't cut anything stops the run; texts
// that are too hard for it don't.
func TestCutterThatCutsNothingStopsTheRun(t *testing.T) {
	isProbe := func(m *chat.Message) bool { return strings.HasPrefix(m.Content, "What is the capital") }
	for _, c := range []struct {
		name     string
		fail     func(n int, first *chat.Message) bool
		sessions int // that it was asked for
		probes   int
		stops    bool
	}{
		{"never there", func(int, *chat.Message) bool { return true }, 3, 1, true},
		{"gone in the middle", func(n int, _ *chat.Message) bool { return n > 20 }, 23, 1, true},
		{"away for a moment", func(n int, _ *chat.Message) bool { return n%3 != 0 }, 40, 0, false},
		{"hard texts", func(_ int, m *chat.Message) bool { return !isProbe(m) }, 40, 4, false}, // after 3, 6, 12 and 24
	} {
		b := newBench(t)
		for i := range 40 {
			b.write(fmt.Sprintf("s%02d", i), talk(6, 20+i))
		}
		b.load()
		probes := 0
		cutter := &everyN{n: 3, fail: func(_ context.Context, n int, m *chat.Message) error {
			if isProbe(m) {
				probes++
			}
			if c.fail(n, m) {
				return errSilly
			}
			return nil
		}}
		g := &runs.Segmenter{Store: b.store, Cutter: cutter, Jobs: 1}
		r, err := g.Run(t.Context())
		if errors.Is(err, errSilly) != c.stops || err == nil == c.stops || r.Sessions+len(r.Failed) != c.sessions || probes != c.probes {
			t.Errorf("%s: %v; %d sessions, %d failed, %d probes", c.name, err, r.Sessions, len(r.Failed), probes)
		}
	}
}

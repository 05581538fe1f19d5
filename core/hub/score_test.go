package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"winnow/core/metric"
	"winnow/core/runs"
)

// score runs a scorer over all segments.
func (b *bench) score(g runs.Scorer) runs.ScoreReport {
	b.t.Helper()
	g.Store = b.store
	r, err := g.Run(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// byContent are the analyses of all segments by what they were made of.
func (b *bench) byContent() map[string]string {
	all := map[string]string{}
	for _, m := range b.store.sessions {
		for i := range m.Segments {
			g := &m.Segments[i]
			all[fmt.Sprint(g.Start, g.Detail)] = g.Analysis
		}
	}
	return all
}

// analyses are those of all segments, by id.
func (b *bench) analyses() map[string]string {
	all := map[string]string{}
	for _, m := range b.store.sessions {
		for i := range m.Segments {
			all[m.Segments[i].ID] = m.Segments[i].Analysis
		}
	}
	return all
}

// verifyScores compares all analyses with what measuring each segment for
// itself gives.
func (b *bench) verifyScores(c metric.Config) {
	b.t.Helper()
	for _, m := range b.store.sessions {
		for i := range m.Segments {
			g := &m.Segments[i]
			a := metric.Measure(c, g.Start, m.messages[g.Start-1:g.End])
			if want := a.Encode(); !g.Labeled || g.Analysis != want {
				b.t.Errorf("%s, %d–%d: labeled %t\n%s\nwant\n%s", m.File, g.Start, g.End, g.Labeled, g.Analysis, want)
			}
		}
	}
}

// many writes n sessions of different lengths, cut into segments.
func (b *bench) many(n int) {
	for i := range n {
		b.write(fmt.Sprintf("s%02d", i), talk(4+7*i, 300))
	}
	b.load()
	b.cut(&everyN{n: 3}, false)
}

func TestRunScoresWhatIsToBeScored(t *testing.T) {
	b := newBench(t)
	b.many(12)
	var last runs.ScoreProgress
	r := b.score(runs.Scorer{Progress: func(p runs.ScoreProgress) { last = p }})
	b.verifyScores(metric.Config{})
	all, messages, tokens := 0, 0, 0
	for _, m := range b.store.sessions {
		for i := range m.Segments {
			all, messages, tokens = all+1, messages+m.Segments[i].Messages, tokens+m.Segments[i].Tokens
		}
	}
	if all < 100 || r.Segments != all || r.Changed != all || r.Messages != messages || r.Tokens != tokens || r.Busy != 0 || len(r.Failed) != 0 {
		t.Errorf("%d segments with %d messages and %d tokens: %+v", all, messages, tokens, r)
	}
	if last != (runs.ScoreProgress{Segments: all, AllSegments: all, Messages: messages, AllMessages: messages, Tokens: tokens, AllTokens: tokens}) {
		t.Errorf("in the end %+v", last)
	}
	writes := b.store.scoreWrites
	if r := b.score(runs.Scorer{}); r.Segments != 0 || b.store.scoreWrites != writes {
		t.Errorf("nothing was left, but %+v", r)
	}
	if r := b.score(runs.Scorer{Again: true}); r.Segments != all || r.Changed != 0 || b.store.scoreWrites != writes {
		t.Errorf("scored again: %+v, %d writes", r, b.store.scoreWrites-writes)
	}
	half := metric.Config{Weights: map[string]float64{metric.Completion: 0}}
	b.score(runs.Scorer{Again: true, Config: half})
	b.verifyScores(half)
}

// Analyses are the same bytes, whatever was read beside them.
func TestScoresDoNotDependOnTheOrder(t *testing.T) {
	var first map[string]string
	for _, jobs := range []int{1, 2, 7} {
		b := newBench(t)
		b.many(9)
		if jobs == 7 { // one by one
			for range b.analyses() {
				b.score(runs.Scorer{Jobs: 1, Limit: 1})
			}
		} else {
			b.score(runs.Scorer{Jobs: jobs})
		}
		b.verifyScores(metric.Config{})
		if first == nil {
			first = b.byContent()
		} else if !maps.Equal(first, b.byContent()) {
			t.Errorf("%d jobs: other analyses", jobs)
		}
	}
}

// TestChangedSegmentsAreScoredAgain: and no others. A segment that only moved
// keeps its analysis.
func TestChangedSegmentsAreScoredAgain(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(10, 20))
	b.load()
	b.cut(&everyN{n: 4}, false)
	b.score(runs.Scorer{})
	was := b.analyses()
	b.write("s", talk(12, 20))
	b.load()
	if r := b.score(runs.Scorer{}); r.Segments != 1 {
		t.Errorf("two messages more: %+v", r)
	}
	b.verifyScores(metric.Config{})
	for _, i := range []int{0, 1} {
		if s := b.session(path).Segments[i]; was[s.ID] != s.Analysis {
			t.Errorf("segment %d was scored again", i)
		}
	}
	b.load()
	if r := b.score(runs.Scorer{}); r.Segments != 0 {
		t.Errorf("an import that read nothing: %+v", r)
	}
	b.cut(&everyN{n: 4}, true)
	if r := b.score(runs.Scorer{}); r.Segments != 0 && r.Segments != len(b.session(path).Segments)-2 {
		t.Errorf("cut again: %+v of %s", r, places(b.session(path)))
	}
	// Rewritten: one message less at the beginning.
	b.judge(path, 0)
	b.judge(path, 1)
	b.judge(path, 2)
	lines := strings.SplitAfter(talk(12, 20), "\n")
	b.write("s", strings.Join(lines[1:], ""))
	b.load()
	m := b.session(path)
	if s := m.Segments[1]; places(m) != "1-3 4-7 8-11" || s.Start == startOf(t, s.Analysis) || was[s.ID] != s.Analysis {
		t.Fatalf("%s: moved segment is %+v", places(m), s)
	}
	if m.Segments[0].Labeled || m.Segments[0].Analysis != "" {
		t.Errorf("changed segment keeps its analysis: %+v", m.Segments[0])
	}
	if r := b.score(runs.Scorer{}); r.Segments != 1 {
		t.Errorf("one message less: %+v", r)
	}
}

// startOf is the first message of an analysis.
func startOf(t *testing.T, text string) int {
	t.Helper()
	a, err := metric.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a.Start
}

// What changes while it is read is not scored with what it was.
func TestWhatChangesMeanwhileIsReadAgain(t *testing.T) {
	for _, always := range []bool{false, true} {
		b := newBench(t)
		b.write("other", talk(6, 20))
		b.write("s", talk(10, 20))
		b.load()
		n := 10
		b.store.beforeScores = func(int) {
			if n == 10 || always {
				n += 2
				b.write("s", talk(n, 20))
				b.load()
			}
		}
		r := b.score(runs.Scorer{Jobs: 1})
		if always {
			if r.Busy != 1 || r.Segments != 1 || n != 16 {
				t.Errorf("%+v after %d messages", r, n)
			}
			b.store.beforeScores = nil
			r = b.score(runs.Scorer{})
			r.Segments++
		}
		if r.Busy != 0 || r.Segments != 2 {
			t.Errorf("%+v", r)
		}
		b.verifyScores(metric.Config{})
	}
}

func TestScoringStopsWithTheStore(t *testing.T) {
	b := newBench(t)
	b.many(12)
	b.store.failScoresAt = 2
	g := &runs.Scorer{Store: b.store, Jobs: 1}
	r, err := g.Run(t.Context())
	if !errors.Is(err, errFull) || r.Segments != 128 {
		t.Fatalf("%+v, %v", r, err)
	}
	b.store.failScoresAt = 0
	all := len(b.analyses())
	if r := b.score(runs.Scorer{}); r.Segments != all-128 {
		t.Errorf("the next run: %+v of %d", r, all)
	}
	b.verifyScores(metric.Config{})
}

// TestScoringIsCancelled: what was read stays, the next run does the rest.
func TestScoringIsCancelled(t *testing.T) {
	b := newBench(t)
	b.many(12)
	ctx, cancel := context.WithCancel(t.Context())
	b.store.beforeScores = func(int) { cancel() }
	g := &runs.Scorer{Store: b.store, Jobs: 1}
	r, err := g.Run(ctx)
	all := len(b.analyses())
	if !errors.Is(err, context.Canceled) || r.Segments == 0 || r.Segments == all || len(r.Failed) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if then := b.score(runs.Scorer{}); then.Segments != all-r.Segments {
		t.Errorf("%+v behind %+v of %d", then, r, all)
	}
	b.verifyScores(metric.Config{})
}

func TestScoreLimitTakesTheFirst(t *testing.T) {
	b := newBench(t)
	b.many(5)
	var last runs.ScoreProgress
	r := b.score(runs.Scorer{Limit: 3, Progress: func(p runs.ScoreProgress) { last = p }})
	if r.Segments != 3 || last.Segments != 3 || last.AllSegments != 3 || last.Messages != last.AllMessages {
		t.Fatalf("%+v, %+v", r, last)
	}
	all := len(b.analyses())
	if r := b.score(runs.Scorer{}); r.Segments != all-3 {
		t.Errorf("%+v of %d", r, all)
	}
}

// A segment whose messages are lost is left alone and told, those beside it are
// scored.
func TestLostMessagesFailTheirSegment(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(12, 20))
	b.load()
	b.cut(&everyN{n: 3}, false)
	m := b.session(path)
	m.Segments[3].End++ // one more than there is
	r := b.score(runs.Scorer{Jobs: 1})
	if r.Segments != 3 || len(r.Failed) != 1 || r.Failed[0].Start != 10 || !errors.Is(r.Failed[0].Err, runs.ErrMissing) {
		t.Fatalf("%+v", r)
	}
	if m.Segments[3].Labeled {
		t.Error("it is scored nevertheless")
	}
	m.Segments[3].End--
	for i := range m.chunks {
		m.chunks[i].Data = []byte("damaged")
	}
	r = b.score(runs.Scorer{Jobs: 1})
	if r.Segments != 0 || len(r.Failed) != 1 || r.Failed[0].Segment != m.Segments[3].ID {
		t.Fatalf("damaged: %+v", r)
	}
}

// givingUp is a store whose messages go to another body as soon as they are listed.
type givingUp struct {
	*memStore
	from *memSession
}

func (g givingUp) SegmentsToScore(ctx context.Context, q runs.ScoreQuery) ([]runs.ScoreRef, error) {
	refs, err := g.memStore.SegmentsToScore(ctx, q)
	g.from.Body += 100
	return refs, err
}

// Messages that are given up belong to a segment that is not what it was.
func TestScoringWhatWasGivenUp(t *testing.T) {
	b := newBench(t)
	path := b.write("s", talk(6, 20))
	b.load()
	r, err := (&runs.Scorer{Store: givingUp{b.store, b.session(path)}, Jobs: 1}).Run(t.Context())
	if err != nil || r.Busy != 1 || r.Segments != 0 || len(r.Failed) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

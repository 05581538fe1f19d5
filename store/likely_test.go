package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/chat"
	"winnow/core/hub"
	"winnow/core/learn"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
)

// learnable imports n sessions of one segment each, of which every second one has
// failures, and judges the first ones accordingly.
func learnable(t testing.TB, s *Store, n, judged int) (ids []string) {
	t.Helper()
	var good, bad []string
	for i := range n {
		file := fmt.Sprintf("/s/%05d", i)
		a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Metrics: map[string]*metric.Value{metric.Completion: {Score: 1, Weight: 3}}}
		tally := review.Tally{Messages: 3 + i%7, Tokens: 100 + i%91, ToolCalls: 4}
		if i%2 > 0 {
			tally.ToolFails = 1 + i%3
			a.Flags = []metric.Flag{metric.HasErrorEnd}
			a.ToolStats = map[string]metric.ToolStat{"bash": {Count: 4, Success: 1, Failure: 3, Errors: 1, Exits: 2}, "read": {Count: 9, Success: 7, Failure: 2, Errors: 2}}
		}
		a.Rescore()
		sw := review.SegmentWrite{Segment: review.Segment{
			Start: 1, End: tally.Messages, CutBy: review.CutOffline, Digest: chat.Digest{Fingerprint: fmt.Sprint(i), Detail: "d"},
			Verdict: review.Pending, Labeled: true, Analysis: a.Encode(), Score: a.Summary.OverallScore, Tally: tally,
		}}
		put(t, s, hub.ImportWrite{Source: hub.Source{AgentID: "default", Path: file}, Sessions: []hub.SessionWrite{
			{Session: review.Session{AgentID: "default", File: file, Tally: tally}, Segments: []review.SegmentWrite{sw}},
		}})
	}
	all, err := s.Segments(t.Context(), review.Query{Limit: n})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all.Segments {
		id := all.Segments[i].ID
		ids = append(ids, id)
		switch {
		case i >= judged:
		case all.Segments[i].ToolFails > 0:
			bad = append(bad, id)
		default:
			good = append(good, id)
		}
	}
	judge(t, s, "ann", review.Approved, good...)
	judge(t, s, "ann", review.Rejected, bad...)
	return ids
}

func learner(s *Store, whose string) *runs.Learner {
	return &runs.Learner{Store: s, Whose: whose, Now: func() time.Time { return time.Unix(1e9, 0) }}
}

// What was learned is told of every segment, in memory and in SQL; what did not
// change is not written again, and nothing is due then.
func TestLearning(t *testing.T) {
	s := openTemp(t)
	ids := learnable(t, s, 90, 60)
	l := learner(s, "ann")
	due := func(want bool) {
		t.Helper()
		if got, err := l.Due(t.Context()); got != want || err != nil {
			t.Fatalf("due is %v, %v", got, err)
		}
	}
	due(true)
	first, err := l.Run(t.Context())
	if err != nil || !first.Knows() || first.AUC < .99 || first.Whose != "ann" {
		t.Fatalf("%+v, %v", first, err)
	}
	due(false)
	for _, memory := range []bool{false, true} {
		if memory {
			if err := s.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.Segments(t.Context(), review.Query{Order: review.Likeliest, Limit: 200})
		if err != nil || len(p.Segments) != len(ids) {
			t.Fatalf("%d rows, %v", len(p.Segments), err)
		}
		for i := range p.Segments {
			g := &p.Segments[i]
			if g.Likely == nil || (*g.Likely > .5) != (g.ToolFails == 0) || (i < 45) != (g.ToolFails == 0) {
				t.Fatalf("memory %v: row %d is likely %v with %d failures", memory, i, g.Likely, g.ToolFails)
			}
		}
	}
	written := 0
	l.Progress = func(done, _ int) { written = done }
	judge(t, s, "ann", review.Approved, ids[60])
	due(true)
	if second, err := l.Run(t.Context()); err != nil || second.Made == first.Made || second.Approved != first.Approved+1 {
		t.Fatalf("%+v, %v", second, err)
	}
	judge(t, s, "bob", review.Unsure, ids[61])
	due(true)
	written = 0
	if _, err := l.Run(t.Context()); err != nil || written != 0 {
		t.Errorf("%d segments were written for a verdict that nothing is learned from, %v", written, err)
	}
	due(false)
	if err := l.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	due(false)
	if g := segment(t, s, ids[0]); g.Likely != nil {
		t.Errorf("likely %v after all was forgotten", *g.Likely)
	}
	found, err := s.Check(t.Context())
	for _, p := range found {
		if p.Rule == "likely" {
			t.Error(p)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Calls of tools are counted with what became of them.
func TestFactsOfTools(t *testing.T) {
	s := openTemp(t)
	learnable(t, s, 2, 0)
	var got []learn.Tool
	if err := s.EachFacts(t.Context(), true, "", func(f *runs.Foretold) error {
		if got = append(got, f.Tools...); f.Tools != nil && (f.Errors != 3 || f.Exits != 2) {
			t.Errorf("%d errors, %d exits", f.Errors, f.Exits)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []learn.Tool{{Name: "bash", Calls: 4, Failures: 3}, {Name: "read", Calls: 9, Failures: 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// interrupted does something before the first values are written.
type interrupted struct {
	*Store
	before func()
}

func (s *interrupted) WriteLikely(ctx context.Context, list []runs.LikelyWrite) (int, error) {
	if f := s.before; f != nil {
		s.before = nil
		f()
	}
	return s.Store.WriteLikely(ctx, list)
}

// TestOffStaysOff: who switches learning off while a run is under way has it off, and
// no value is left.
func TestOffStaysOff(t *testing.T) {
	s := openTemp(t)
	ids := learnable(t, s, 90, 60)
	l := learner(s, "ann")
	l.Store = &interrupted{s, func() {
		if err := learner(s, "ann").Forget(t.Context()); err != nil {
			t.Error(err)
		}
	}}
	if got, err := l.Run(t.Context()); err != nil || !got.Off || got.Knows() {
		t.Errorf("%+v, %v", got, err)
	}
	if due, err := l.Due(t.Context()); due || err != nil {
		t.Errorf("due: %v, %v", due, err)
	}
	for _, id := range ids {
		if g := segment(t, s, id); g.Likely != nil {
			t.Fatalf("likely %v", *g.Likely)
		}
	}
}

// Nobody else's verdicts count, unless all do, and none that its segment outgrew.
func TestWhoseVerdicts(t *testing.T) {
	s := openTemp(t)
	learnable(t, s, 40, 40)
	for whose, want := range map[string]int{"ann": 20, "bob": 0, "": 20} {
		l := learner(s, whose)
		l.Again = true
		if got, err := l.Run(t.Context()); err != nil || got.Approved != want {
			t.Errorf("of %q: %d approved, %v", whose, got.Approved, err)
		}
	}
	change(t, s.Path(), "UPDATE task_segments SET stale = 1")
	if l, err := learner(s, "").Run(t.Context()); err != nil || l.Approved != 0 {
		t.Errorf("of what is stale: %+v, %v", l, err)
	}
}

// TestScreensOfSeveralKeepWhatIsLearned: none replaces the values of another, and
// each keeps them up.
func TestScreensOfSeveralKeepWhatIsLearned(t *testing.T) {
	s := openTemp(t)
	ids := learnable(t, s, 90, 60)
	ann, bob := learner(s, "ann"), learner(s, "bob")
	if _, err := ann.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if due, err := bob.Due(t.Context()); due || err != nil {
		t.Errorf("due: %v, %v", due, err)
	}
	judge(t, s, "ann", review.Rejected, ids[60])
	if l, err := bob.Run(t.Context()); err != nil || l.Whose != "ann" || l.Rejected != 31 {
		t.Errorf("%+v, %v", l, err)
	}
	if due, err := ann.Due(t.Context()); due || err != nil {
		t.Errorf("due: %v, %v", due, err)
	}
	bob.Again = true
	if l, err := bob.Run(t.Context()); err != nil || l.Whose != "bob" || l.Knows() {
		t.Errorf("asked for: %+v, %v", l, err)
	}
}

// What is known of a segment is read from the narrow index of filters, in its order.
func TestFactsArePlanned(t *testing.T) {
	s := openTemp(t)
	for _, text := range []string{allFactsSQL, judgedFactsSQL} {
		args := []any{"", 0, ""}
		if text == judgedFactsSQL {
			args = append(args, "ann", "ann")
		}
		steps := planOf(t, s, text, append(args, 10)...)
		if !strings.Contains(steps, "COVERING INDEX task_segments_facets") || !strings.Contains(steps, "trajectory_records_facets") ||
			strings.Contains(steps, "B-TREE") || strings.Contains(steps, "SCAN") {
			t.Errorf("%s", steps)
		}
	}
}

// Segments that left take what was told of them along, and what comes in the turn of
// others is left for the next one.
func TestLikelyLeavesWithItsSegment(t *testing.T) {
	s := openTemp(t)
	ids := learnable(t, s, 4, 0)
	list := []runs.LikelyWrite{{ID: ids[0], Likely: .5}, {ID: ids[1], Likely: .25}, {ID: "gone", Likely: .5}}
	for len(list) > 0 {
		n, err := s.WriteLikely(context.Background(), list)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		list = list[n:]
	}
	count := func() (n int) {
		if err := s.db.Rows(t.Context(), "SELECT count(*) FROM likely").One(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 2 {
		t.Errorf("%d are told", n)
	}
	change(t, s.Path(), "DELETE FROM task_segments WHERE id = ?", ids[0])
	if n := count(); n != 1 {
		t.Errorf("%d are told after one left", n)
	}
}

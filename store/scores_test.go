package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// score gives all segments that are to be scored their analyses.
func score(t testing.TB, s *Store) runs.ScoreReport {
	t.Helper()
	r, err := (&runs.Scorer{Store: s, Jobs: 2}).Run(t.Context())
	if err != nil || len(r.Failed) > 0 {
		t.Fatal(r, err)
	}
	return r
}

// scoredAs gives a segment an analysis with that score.
func scoredAs(g *review.Segment, score float64) {
	a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Summary: metric.Summary{OverallScore: &score, TaskType: metric.Code}}
	g.Labeled, g.Score, g.TaskType, g.Analysis = true, &score, string(metric.Code), a.Encode()
}

func everySegment(t testing.TB, s *Store) []review.Segment {
	t.Helper()
	p, err := s.Segments(t.Context(), reviewAll(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return p.Segments
}

// remeasured is the analysis of a segment's messages as they are now, numbered as
// they were then.
func remeasured(t testing.TB, s *Store, g *review.Segment, start int) string {
	t.Helper()
	list, err := s.Messages(t.Context(), g.Body, g.Start, g.End)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].N = start + i
	}
	a := metric.Measure(metric.Config{}, start, list)
	return a.Encode()
}

func TestScoresAreStored(t *testing.T) {
	s := openTemp(t)
	recorded(t, s, "/b", talk(23, "say"), 1, 4, 9, 15)
	recorded(t, s, "/a", talk(8, "other"), 1, 4)
	refs, err := s.SegmentsToScore(t.Context(), runs.ScoreQuery{Limit: 100})
	if err != nil || len(refs) != 6 {
		t.Fatal(len(refs), err)
	}
	for i := range refs[1:] {
		if a, b := &refs[i], &refs[i+1]; a.Body > b.Body || a.Body == b.Body && a.End >= b.Start {
			t.Errorf("%+v comes before %+v", a, b)
		}
	}
	rest, err := s.SegmentsToScore(t.Context(), runs.ScoreQuery{Limit: 2, After: refs[2]})
	if err != nil || !slices.Equal(rest, refs[3:5]) {
		t.Errorf("behind the third: %+v, %v", rest, err)
	}
	segments, messages, tokens, err := s.CountToScore(t.Context(), runs.ScoreQuery{Limit: 1})
	if err != nil || segments != 6 || messages != 31 || tokens == 0 {
		t.Error(segments, messages, tokens, err)
	}
	want := 0
	for i := range refs {
		want += min(refs[i].Tokens, 2) + 100
	}
	for i, sent := range []runs.RequestSize{{}, {Most: 2, Plus: 100}} {
		if _, _, n, err := s.CountToScore(t.Context(), runs.ScoreQuery{Limit: 1, Request: sent}); err != nil || n != []int{tokens, want}[i] || want >= tokens+600 {
			t.Errorf("%+v: %d, %v, of %d and %d", sent, n, err, tokens, want)
		}
	}
	if r := score(t, s); r.Segments != 6 || r.Messages != 31 || r.Tokens != tokens {
		t.Errorf("%+v", r)
	}
	sum, scored := 0.0, 0
	for _, g := range everySegment(t, s) {
		a, err := metric.Parse(g.Analysis)
		if err != nil || !g.Labeled || g.Analysis != remeasured(t, s, &g, g.Start) {
			t.Fatalf("%+v, %v", g, err)
		}
		if g.Score == nil || *g.Score != *a.Summary.OverallScore || g.TaskType != string(a.Summary.TaskType) {
			t.Errorf("score %v, type %q of %s", g.Score, g.TaskType, g.Analysis)
			continue
		}
		sum, scored = sum+*g.Score, scored+1
	}
	totals, err := s.Totals(t.Context())
	if err != nil || totals.Labeled != 6 || totals.Scored != scored || fmt.Sprintf("%.4f", totals.ScoreSum) != fmt.Sprintf("%.4f", sum) {
		t.Errorf("%+v, %v; want a sum of %.4f", totals, err, sum)
	}
	if r := score(t, s); r.Segments != 0 {
		t.Errorf("again: %+v", r)
	}
	if err := s.write(t.Context(), sqlite.Curator, "look", func(tx *tx) error {
		var n int
		if err := tx.Rows("SELECT count(*) FROM journal").One(&n); err != nil || n > 0 {
			return errors.Join(err, fmt.Errorf("%d entries of the journal", n))
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	clean(t, s)
}

// TestScoresNeverGoOverWhatChanged: another content, another analysis, or none.
func TestScoresNeverGoOverWhatChanged(t *testing.T) {
	s := openTemp(t)
	recorded(t, s, "/a", talk(8, "say"), 1, 4)
	refs, err := s.SegmentsToScore(t.Context(), runs.ScoreQuery{Limit: 100})
	if err != nil || len(refs) != 2 {
		t.Fatal(refs, err)
	}
	half, full := 0.5, 1.0
	made := func(scorer string, score *float64) *metric.Analysis {
		return &metric.Analysis{Version: metric.Version, Scorer: scorer, Summary: metric.Summary{OverallScore: score, TaskType: metric.Code}}
	}
	id, as := refs[0].ID, refs[0].Digest
	said, called, edited := as, as, as
	said.Fingerprint, called.Detail, edited.Edited = "another", "another", "another"
	was := made(metric.Offline, &half).Encode()
	for i, c := range []struct {
		w    runs.ScoreWrite
		want bool
	}{
		{runs.ScoreWrite{ID: "00000000-0000-4000-8000-000000000000", Digest: as, Analysis: made(metric.Offline, &half)}, false},
		{runs.ScoreWrite{ID: id, Digest: said, Analysis: made(metric.Offline, &half)}, false},
		{runs.ScoreWrite{ID: id, Digest: said, Analysis: made(metric.Judged, &half)}, false},
		{runs.ScoreWrite{ID: id, Digest: called, Analysis: made(metric.Judged, &half)}, false},
		{runs.ScoreWrite{ID: id, Digest: edited, Analysis: made(metric.Judged, &half)}, false},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Offline, &half), Over: "{}"}, false},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Offline, &half)}, true},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Offline, &full)}, false},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Offline, nil), Over: was}, true},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Judged, &full)}, true},
		{runs.ScoreWrite{ID: id, Digest: as, Analysis: made(metric.Offline, &half), Over: was}, false},
	} {
		list := []runs.ScoreWrite{c.w}
		if err := s.WriteScores(t.Context(), list); err != nil || list[0].Written != c.want {
			t.Errorf("%d: written %t, %v", i, list[0].Written, err)
		}
	}
	if g, err := s.Segment(t.Context(), id); err != nil || *g.Score != 1 || !strings.Contains(g.Analysis, `"scorer":"llm"`) {
		t.Errorf("%+v, %v", g, err)
	}
	if other, err := s.Segment(t.Context(), refs[1].ID); err != nil || other.Labeled {
		t.Errorf("%+v, %v", other, err)
	}
	for _, c := range []struct {
		q    runs.ScoreQuery
		want int
	}{
		{runs.ScoreQuery{}, 1},
		{runs.ScoreQuery{Judge: true}, 1},
		{runs.ScoreQuery{All: true}, 2},
		{runs.ScoreQuery{All: true, Filter: filter.Term{Field: filter.Score, Op: filter.GreaterEqual, Num: 0.9}}, 1},
		{runs.ScoreQuery{Filter: filter.Term{Field: filter.Score, Op: filter.GreaterEqual, Num: 0.9}}, 0},
	} {
		c.q.Limit = 10
		list, err := s.SegmentsToScore(t.Context(), c.q)
		n, _, _, err2 := s.CountToScore(t.Context(), c.q)
		if err != nil || err2 != nil || len(list) != c.want || n != c.want {
			t.Errorf("%+v: %d listed, %d counted, want %d; %v %v", c.q, len(list), n, c.want, err, err2)
		}
	}
}

// TestAnalysesOfEarlierVersions: they stay until they are made anew, which they
// are to be; the doctor marks those that are not.
func TestAnalysesOfEarlierVersions(t *testing.T) {
	s := openTemp(t)
	recorded(t, s, "/a", talk(8, "say"), 1, 4)
	half := 0.5
	refs, err := s.SegmentsToScore(t.Context(), runs.ScoreQuery{Limit: 100})
	if err != nil || len(refs) != 2 {
		t.Fatal(refs, err)
	}
	old := &metric.Analysis{Version: 1, Scorer: metric.Judged, Model: "m", Summary: metric.Summary{OverallScore: &half, TaskType: metric.Math},
		Metrics: map[string]*metric.Value{metric.Goal: {Score: half, Weight: 3, Reason: "half of it"}}}
	for i := range refs {
		list := []runs.ScoreWrite{{ID: refs[i].ID, Digest: refs[i].Digest, Analysis: old}}
		if err := s.WriteScores(t.Context(), list); err != nil || !list[0].Written {
			t.Fatal(list, err)
		}
	}
	found, err := s.Repair(t.Context())
	if err != nil || len(found) != 2 || !strings.Contains(found[0].String(), "of an earlier version") {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, g := range everySegment(t, s) {
		if g.Labeled || *g.Score != half || g.Analysis != old.Encode() {
			t.Errorf("%+v", g)
		}
	}
	clean(t, s)
	if r := score(t, s); r.Segments != 2 {
		t.Errorf("%+v", r)
	}
	for _, g := range everySegment(t, s) {
		if a, err := metric.Parse(g.Analysis); err != nil || !g.Labeled || a.Version != metric.Version || a.Scorer != metric.Judged || a.Metrics[metric.Goal] == nil || a.Metrics[metric.Completion] == nil {
			t.Errorf("%+v, %v", g, err)
		}
	}
	clean(t, s)
}

// The statements walk an index in order: nothing is sorted, and where most is
// scored, little is read.
func TestPlansOfScoring(t *testing.T) {
	s := openTemp(t)
	one := filter.Term{Field: filter.Score, Op: filter.Greater, Num: 0.5}
	for _, c := range []struct {
		q     runs.ScoreQuery
		index string
	}{
		{runs.ScoreQuery{}, "task_segments_unscored"},
		{runs.ScoreQuery{Filter: one}, "task_segments_unscored"},
		{runs.ScoreQuery{Judge: true}, "task_segments_body"},
		{runs.ScoreQuery{All: true, Filter: one}, "task_segments_body"},
	} {
		text, args, err := segmentsToScoreSQL(&c.q, filtersql.Found{})
		if err != nil {
			t.Fatal(err)
		}
		if plan := planOf(t, s, text, args...); !strings.Contains(plan, "USING INDEX "+c.index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%+v: %s", c.q, plan)
		}
	}
}

// between scores when an import has read what it goes on from, but not yet
// written.
type between struct {
	*Store
	score func()
}

func (b between) WriteSome(ctx context.Context, w []hub.ImportWrite) (int, []hub.Change, error) {
	b.score()
	return b.Store.WriteSome(ctx, w)
}

// TestAnImportKeepsScoresGivenMeanwhile to segments that only move.
func TestAnImportKeepsScoresGivenMeanwhile(t *testing.T) {
	f := newFolder(t)
	lines := said("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	f.save("s.jsonl", lines...)
	f.load()
	random := rand.New(rand.NewPCG(1, 1))
	if _, err := (&runs.Segmenter{Store: f.s, Cutter: dice{random}}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := everySegment(t, f.s)
	last := all[len(all)-1]
	judge(t, f.s, "ann", review.Approved, last.ID)
	f.through = between{f.s, func() { score(t, f.s) }}
	f.save("s.jsonl", slices.Delete(slices.Clone(lines), 2, 3)...)
	f.load()
	g, err := f.s.Segment(t.Context(), last.ID)
	if err != nil || g.Start != last.Start-1 {
		t.Fatalf("%+v, %v", g, err)
	}
	if !g.Labeled || g.Analysis != remeasured(t, f.s, &g, last.Start) {
		t.Errorf("labeled %t, %s", g.Labeled, g.Analysis)
	}
	clean(t, f.s)
}

// said is what user and assistant say in turn.
func said(words ...string) []string {
	lines := make([]string, len(words))
	for i, w := range words {
		lines[i] = fmt.Sprintf(`{"role":%q,"content":%q}`, [...]string{"user", "assistant"}[i%2], w)
	}
	return lines
}

// TestScoredLives: whatever becomes of a session, a segment that is scored has
// the analysis of its messages, is never to be scored again as long as it has
// them, and one that is not has none.
func TestScoredLives(t *testing.T) {
	for seed := range cutSeeds {
		random := rand.New(rand.NewPCG(uint64(seed), 77))
		f := newFolder(t)
		words := make([]string, 6+random.IntN(20))
		for i := range words {
			words[i] = string(rune('a' + random.IntN(3)))
		}
		known := map[string]string{} // analyses by id and content
		curator := fmt.Sprint("ann", seed)
		for step := range 40 {
			did := lifeStep(t, f, random, curator, &words)
			for _, g := range everySegment(t, f.s) {
				key := g.ID + g.Detail
				was, scored := known[key]
				switch {
				case !g.Labeled && (scored || g.Analysis != "" || g.Score != nil || g.TaskType != ""):
					t.Fatalf("seed %d, step %d (%s): %d–%d is not scored any more: %+v", seed, step, did, g.Start, g.End, g)
				case !g.Labeled:
					continue
				case scored && was != g.Analysis:
					t.Fatalf("seed %d, step %d (%s): %d–%d had %s, has %s", seed, step, did, g.Start, g.End, was, g.Analysis)
				}
				a, err := metric.Parse(g.Analysis)
				if want := remeasured(t, f.s, &g, a.Start); err != nil || g.Analysis != want {
					t.Fatalf("seed %d, step %d (%s): %d–%d has %s, want %s, %v", seed, step, did, g.Start, g.End, g.Analysis, want, err)
				}
				known[key] = g.Analysis
			}
		}
		clean(t, f.s)
	}
}

// lifeStep does one thing to a session and says which.
func lifeStep(t *testing.T, f *folder, random *rand.Rand, curator string, words *[]string) string {
	t.Helper()
	w := *words
	refused := func(err error) {
		if err != nil && !errors.Is(err, review.ErrNothing) && !errors.Is(err, review.ErrConflict) {
			t.Fatal(err)
		}
	}
	rows := everySegment(t, f.s)
	n := random.IntN(16)
	if len(rows) == 0 {
		n = 0
	}
	switch n {
	case 0, 1:
		for range 1 + random.IntN(4) {
			w = append(w, string(rune('a'+random.IntN(3))))
		}
	case 2:
		w = slices.Delete(slices.Clone(w), 0, 1)
	case 3:
		w = slices.Clone(w)
		w[random.IntN(len(w))] = "x"
	case 4, 5, 6:
		g := &runs.Segmenter{Store: f.s, Cutter: dice{random}, Jobs: 1, Again: random.IntN(2) == 0}
		_, err := g.Run(t.Context())
		refused(err)
		return "cut"
	case 7:
		_, err := f.s.Judge(t.Context(), review.Judgement{Curator: curator, Verdict: review.Verdicts[random.IntN(4)], IDs: []string{rows[random.IntN(len(rows))].ID}})
		refused(err)
		return "judge"
	case 8, 9:
		d := drafted(random, rows)
		_, err := runs.Recut(t.Context(), f.s, runs.Edit{Session: rows[0].SessionID, Known: rows, Pieces: d.Pieces(), Curator: curator, Action: d.Action()})
		refused(err)
		return "recut"
	case 10:
		_, err := f.s.Undo(t.Context(), curator)
		refused(err)
		return "undo"
	case 11:
		_, err := f.s.Redo(t.Context(), curator)
		refused(err)
		return "redo"
	default:
		if _, err := (&runs.Scorer{Store: f.s, Jobs: 1, Limit: random.IntN(4)}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return "score"
	}
	*words = w
	f.save("s.jsonl", said(w...)...)
	f.load()
	return "import"
}

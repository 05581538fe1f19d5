package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/hub"
	"winnow/core/metric"
	"winnow/core/review"
)

// TestStatisticsAgreeWithLists: each number is what a list with the filter for
// it counts.
func TestStatisticsAgreeWithLists(t *testing.T) {
	s, ids := bigCorpus(t, filepath.Join(t.TempDir(), "winnow.db"), 1200)
	for i, v := range []review.Verdict{review.Approved, review.Rejected} {
		if _, err := s.Judge(t.Context(), review.Judgement{Curator: "ann", IDs: ids[i*100 : i*100+100], Verdict: v}); err != nil {
			t.Fatal(err)
		}
	}
	count := func(within, expression string) int {
		t.Helper()
		n, err := filter.Parse("("+within+") "+expression, filter.Options{Now: time.Now(), Zone: time.UTC})
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		c, err := s.Count(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return c.Segments
	}
	at := metric.Thresholds{Memory: 0.7, SFT: 0.8}
	for _, within := range []string{"tokens>=0", "type:code or status:approved", "tool:Bash score>=0.5", "-type:code", "topic:nowhere"} {
		n, err := filter.Parse(within, filter.Options{Now: time.Now(), Zone: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		st, err := s.Statistics(t.Context(), n, at, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		same := func(what string, got int, expression string) {
			t.Helper()
			if want := count(within, expression); got != want {
				t.Errorf("%s: %s: %d, but %s lists %d", within, what, got, expression, want)
			}
		}
		same("segments", st.Segments, "")
		same("for memories", st.MemoryEligible, "score>=0.7 -flag:no_assistant")
		same("for training", st.SFTEligible, "score>=0.8 -metric.format<1 -flag:truncated -flag:malformed_tool_call -flag:no_assistant")
		same("stale", st.Stale, "has:stale")
		for _, v := range review.Verdicts {
			same(string(v), st.ByVerdict[v], "status:"+string(v))
		}
		for i, b := range st.Bands {
			above := fmt.Sprintf("score>=%.2f", float64(i)/20)
			if i < 19 {
				above += fmt.Sprintf(" score<%.2f", float64(i+1)/20)
			}
			same("scores", st.Histogram[i], above)
			same("approved scores", b.Approved, above+" status:approved")
			same("rejected scores", b.Rejected, above+" status:rejected")
		}
		for _, g := range st.Types {
			if g.Name != "" {
				same("type", g.Segments, "type:"+g.Name)
				same("approved of a type", g.Approved, "status:approved type:"+g.Name)
			}
		}
		for _, g := range st.Tools {
			same("tool", g.Segments, "tool:"+g.Name)
		}
		for _, g := range st.Formats {
			same("format", g.Segments, "format:"+g.Name)
		}
		for _, g := range st.Models {
			if g.Name != "" && !strings.Contains(g.Name, "claude-sonnet-4-5") {
				same("model", g.Segments, `model:"`+g.Name+`"`)
			}
		}
	}
	st, err := s.Statistics(t.Context(), nil, at, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Days) != 1 || st.Days[0].Actions != 2 || st.Days[0].Segments < 100 {
		t.Errorf("%+v", st.Days)
	}
	if totals, err := s.Totals(t.Context()); err != nil || totals.Segments != st.Segments || totals.Sessions != st.Sessions || totals.Labeled != st.Labeled || totals.Histogram != st.Histogram {
		t.Errorf("%+v, %v, but %+v", totals, err, st)
	}
	if plan := planOf(t, s, "SELECT "+statisticsColumns+" FROM task_segments INDEXED BY task_segments_facets"); !strings.Contains(plan, "COVERING INDEX task_segments_facets") {
		t.Error(plan)
	}
	if plan := planOf(t, s, uncutBodiesSQL); !strings.Contains(plan, "COVERING INDEX trajectory_records_uncut") {
		t.Error(plan)
	}
}

// TestEligibleByDerivedColumns: what an analysis says, its columns say.
func TestEligibleByDerivedColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	scores := []float64{0, 0.6999, 0.69, 0.7, 0.79, 0.7999, 0.8, 0.85, 1}
	yes := [2]int{}
	for range 5000 {
		a := metric.Analysis{Version: metric.Version, Scorer: metric.Offline, Metrics: map[string]*metric.Value{}}
		if score := scores[random.IntN(len(scores))]; random.IntN(9) > 0 {
			a.Summary.OverallScore = &score
		}
		switch random.IntN(4) {
		case 0:
			a.Metrics[metric.Format] = nil
		case 1:
			a.Metrics[metric.Format] = &metric.Value{Score: 0.9999, Weight: 1}
		case 2:
			a.Metrics[metric.Format] = &metric.Value{Score: 1, Weight: 1}
		}
		for _, f := range metric.Flags() {
			if random.IntN(12) == 0 {
				a.Flags = append(a.Flags, f.Flag)
			}
		}
		d := derive(a.Encode(), 0)
		row := statRow{score: d.score, flags: d.flags, measures: d.measures}
		memory, sft := row.eligible(metric.DefaultThresholds())
		if m, s := a.Eligible(metric.DefaultThresholds()); memory != m || sft != s {
			t.Fatalf("%s: memory %t, training %t", a.Encode(), memory, sft)
		}
		if memory {
			yes[0]++
		}
		if sft {
			yes[1]++
		}
	}
	if yes[0] < 500 || yes[1] < 100 {
		t.Errorf("only %d qualify", yes)
	}
}

// TestStatisticsAreOfOneMoment: what comes meanwhile is in all numbers, or none.
func TestStatisticsAreOfOneMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "winnow.db")
	s, other := openAt(t, path), openAt(t, path)
	done := make(chan error, 1)
	go func() {
		for i := range 60 {
			if _, err := other.WriteImport(t.Context(), []hub.ImportWrite{write(fmt.Sprint("/", i), talk(4, "x"))}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		st, err := s.Statistics(t.Context(), nil, metric.Thresholds{}, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if st.Labeled != 0 || st.Sessions != st.Segments {
			t.Fatalf("%d sessions have %d segments, %d of them scored", st.Sessions, st.Segments, st.Labeled)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/models"
	"winnow/cmd/winnow/print"
	"winnow/core/llm/llmtest"
	"winnow/core/metric"
	"winnow/tui"
)

// kind judges everything to be good, unless it fails.
type kind struct{ err error }

func (k kind) Judge(_ context.Context, in metric.Input) (metric.Analysis, error) {
	a := in.Measured
	a.TakeJudged(&metric.Analysis{
		Scorer: metric.Judged, Model: "kind", Start: in.Start,
		Metrics: map[string]*metric.Value{metric.Goal: {Score: 1, Weight: 3, Reason: "all is well"}},
	}, metric.Config{})
	return a, k.err
}

// scoreBehind runs f with what scores in the background of a database that holds
// three sessions. A judge is configured.
func scoreBehind(t *testing.T, by string, f func(*desk.Scoring, *llmtest.Server)) {
	t.Helper()
	b := newBench(t)
	server := llmtest.New(llmtest.Status(500, "no"))
	defer server.Close()
	b.vars["WINNOW_JUDGE_BASE_URL"], b.vars["WINNOW_JUDGE_MODEL"], b.vars["WINNOW_JUDGE_RETRIES"] = server.URL, "tiny", "0"
	b.ok("import", b.file("one.jsonl", taskSession()), b.file("two.jsonl", strings.ReplaceAll(taskSession(), "shelf", "table")), b.file("short.jsonl", twoLines))
	p := &cli{env: b.env, out: print.New(b.env.stdout, b.env.stdoutTTY, b.env.width)}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		_, scores := onScreen(t, p, s, by)
		f(scores, server)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAJudgeIsAskedOnlyOnceItsHostIsAllowed: what is measured meanwhile is still
// to be judged then.
func TestAJudgeIsAskedOnlyOnceItsHostIsAllowed(t *testing.T) {
	scoreBehind(t, "auto", func(b *desk.Scoring, server *llmtest.Server) {
		plan, err := b.Plan(t.Context())
		if err != nil || plan.Here != 3 || plan.Sent != 3 || plan.Tokens == 0 || plan.Model != "tiny" || plan.Host == "" || plan.Allow == nil {
			t.Fatalf("%+v, %v", plan, err)
		}
		if last, err := runBehind(t, b, false); err != nil || last.Segments != 3 || last.Note != "" || server.Count() != 0 {
			t.Errorf("%+v, %v, %d requests", last, err, server.Count())
		}
		if plan, err = b.Plan(t.Context()); err != nil || plan.Here != 0 || plan.Sent != 3 {
			t.Errorf("%+v, %v", plan, err)
		}
		if _, err := runBehind(t, b, true); err == nil || !strings.Contains(err.Error(), plan.Host) || server.Count() != 0 {
			t.Fatalf("judged with %v, %d requests", err, server.Count())
		}
		if err := plan.Allow(t.Context()); err != nil {
			t.Fatal(err)
		}
		who, err := b.Chosen()
		if err != nil {
			t.Fatal(err)
		}
		who.Judge = kind{errors.New("no \x1b[2J")}
		last, _ := runBehind(t, b, true)
		if last.Failed != 3 || !strings.Contains(last.Note, "3 segments not scored: no ") || !strings.Contains(last.Note, "winnow score") {
			t.Errorf("%+v", last)
		}
		who.Judge = kind{}
		if last, err = runBehind(t, b, true); err != nil || last.Segments != 3 || !strings.HasPrefix(last.Note, "3 segments scored by tiny at ") {
			t.Errorf("%+v, %v", last, err)
		}
		if plan, err = b.Plan(t.Context()); err != nil || plan.Here != 0 || plan.Sent != 0 || plan.Allow != nil {
			t.Errorf("%+v, %v", plan, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Do(ctx, false, func(tui.Progress) {}); err == nil {
			t.Error("a stopped run says that it is done")
		}
	})
}

// TestOfflineScoringPlansNoJudge: with the sample sessions, or where [score]
// says so.
func TestOfflineScoringPlansNoJudge(t *testing.T) {
	scoreBehind(t, "offline", func(b *desk.Scoring, server *llmtest.Server) {
		plan, err := b.Plan(t.Context())
		if err != nil || plan.Host != "" || plan.Sent != 0 || plan.Here != 3 {
			t.Errorf("%+v, %v", plan, err)
		}
		if err := b.Do(t.Context(), true, func(tui.Progress) {}); err != nil || server.Count() != 0 {
			t.Errorf("%v, %d requests", err, server.Count())
		}
	})
}

// TestWhatIsSentToAJudge is told before: no more of a segment than a request
// holds, and the instruction.
func TestWhatIsSentToAJudge(t *testing.T) {
	b := newBench(t)
	b.vars["WINNOW_JUDGE_BASE_URL"], b.vars["WINNOW_JUDGE_MODEL"], b.vars["WINNOW_JUDGE_RETRIES"] = "http://127.0.0.1:1/v1", "tiny", "0"
	b.vars["WINNOW_JUDGE_TOKENIZER"], b.vars["WINNOW_JUDGE_MAX_INPUT_TOKENS"], b.vars["WINNOW_JUDGE_RESERVE"] = "chars/4", "3000", "1000"
	b.ok("import", b.file("long.jsonl", strings.ReplaceAll(twoLines, "done", strings.Repeat("and so on ", 40_000))))
	p := &cli{env: b.env, out: print.New(b.env.stdout, b.env.stdoutTTY, b.env.width)}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		_, scores := onScreen(t, p, s, "auto")
		plan, err := scores.Plan(t.Context())
		if err != nil || plan.Sent != 1 || plan.Tokens <= 2000 || plan.Tokens > 4000 {
			t.Errorf("%+v, %v", plan, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"0", "1"} {
		b.run("score", "--by", "llm", "--limit", limit)
		if told := b.stderr.String(); !regexp.MustCompile(`asking tiny at 127\.0\.0\.1:1: 1 segment, about [23],\d{3} tokens\n`).MatchString(told) {
			t.Error(told)
		}
	}
}

// TestWhoScores: a model judges where it was named for that, not where it cuts.
func TestWhoScores(t *testing.T) {
	for _, c := range []struct {
		name, by string
		vars     map[string]string
		judges   bool
		fails    bool
	}{
		{name: "nothing is configured", by: "auto"},
		{name: "a model that cuts", by: "auto", vars: map[string]string{"WINNOW_LLM_MODEL": "m"}},
		{name: "asked for", by: "llm", vars: map[string]string{"WINNOW_LLM_MODEL": "m"}, judges: true},
		{name: "asked for, but which", by: "llm", fails: true},
		{name: "a judge", by: "auto", vars: map[string]string{"WINNOW_JUDGE_MODEL": "m"}, judges: true},
		{name: "a judge on demand", by: "auto", vars: map[string]string{"WINNOW_JUDGE_MODEL": "m", "WINNOW_SCORE_BY": "offline"}},
		{name: "the model of the cuts judges, too", by: "auto", vars: map[string]string{"WINNOW_LLM_MODEL": "m", "WINNOW_SCORE_BY": "llm"}, judges: true},
		{name: "the samples", by: "offline", vars: map[string]string{"WINNOW_JUDGE_MODEL": "m", "WINNOW_SCORE_BY": "llm"}},
	} {
		b := newBench(t)
		for k, v := range c.vars {
			b.vars[k] = v
		}
		p := &cli{env: b.env}
		conf, err := p.config()
		if err != nil {
			t.Fatal(err)
		}
		who, err := models.NewScorer(conf, c.by, p.env.now)
		if (err != nil) != c.fails || err == nil && (who.Judge != nil) != c.judges {
			t.Errorf("%s: %+v, %v", c.name, who, err)
		}
	}
}

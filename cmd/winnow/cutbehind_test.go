package main

import (
	"context"
	"strings"
	"testing"

	"winnow/cmd/winnow/desk"
	"winnow/cmd/winnow/print"
	"winnow/core/llm/llmtest"
	"winnow/tui/work"
)

// cutBehind runs f with what cuts in the background of a database that holds
// sessions, two of them of several tasks.
func cutBehind(t *testing.T, by string, replies []llmtest.Reply, f func(*desk.Segmenting, *llmtest.Server)) {
	t.Helper()
	b := newBench(t)
	server := llmtest.New(replies...)
	defer server.Close()
	b.vars["WINNOW_LLM_BASE_URL"], b.vars["WINNOW_LLM_MODEL"], b.vars["WINNOW_LLM_RETRIES"] = server.URL, "tiny", "0"
	b.vars["WINNOW_LLM_PRICE_IN"] = "1000"
	b.ok("import", b.file("one.jsonl", taskSession()), b.file("two.jsonl", strings.ReplaceAll(taskSession(), "shelf", "table")), b.file("short.jsonl", twoLines))
	p := &cli{env: b.env, out: print.New(b.env.stdout, b.env.stdoutTTY, b.env.width)}
	err := p.withDatabase(t.Context(), false, func(s *database) error {
		cuts, _ := onScreen(t, p, s, by)
		f(cuts, server)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runBehind does work to its end and returns what it reported last.
func runBehind(t *testing.T, from work.Source, send bool) (work.Progress, error) {
	t.Helper()
	var last work.Progress
	err := from.Do(t.Context(), send, func(p work.Progress) { last = p })
	return last, err
}

// TestAModelIsUsedOnlyOnceItsHostIsAllowed: whoever asks for it.
func TestAModelIsUsedOnlyOnceItsHostIsAllowed(t *testing.T) {
	cutBehind(t, "auto", []llmtest.Reply{llmtest.Segmented()}, func(b *desk.Segmenting, server *llmtest.Server) {
		plan, err := b.Plan(t.Context())
		if err != nil || plan.Sent < 2 || plan.Tokens == 0 || plan.Model != "tiny" || plan.Host == "" || plan.Allow == nil {
			t.Fatalf("%+v, %v", plan, err)
		}
		if _, err := runBehind(t, b, true); err == nil || !strings.Contains(err.Error(), plan.Host) {
			t.Errorf("cut with %v", err)
		}
		if n := server.Count(); n != 0 {
			t.Fatalf("%d requests before anybody allowed them", n)
		}
		if err := plan.Allow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if plan, err = b.Plan(t.Context()); plan.Allow != nil || err != nil {
			t.Errorf("%+v, %v", plan, err)
		}
		last, err := runBehind(t, b, true)
		if err != nil || server.Count() == 0 || last.Failed != 0 || last.Sessions != plan.Sent || !strings.HasPrefix(last.Cost, "$") {
			t.Errorf("%d requests, %+v, %v", server.Count(), last, err)
		}
		if plan, err = b.Plan(t.Context()); plan.Here+plan.Sent != 0 || err != nil {
			t.Errorf("still to be cut: %+v, %v", plan, err)
		}
	})
}

// TestRulesSendNothingWhateverIsConfigured: neither where they were asked for,
// nor with the sample sessions.
func TestRulesSendNothingWhateverIsConfigured(t *testing.T) {
	cutBehind(t, "auto", nil, func(b *desk.Segmenting, server *llmtest.Server) {
		last, err := runBehind(t, b, false)
		if err != nil || last.Sessions < 2 || server.Count() != 0 {
			t.Errorf("%d requests, %+v, %v", server.Count(), last, err)
		}
	})
	cutBehind(t, "offline", nil, func(b *desk.Segmenting, server *llmtest.Server) {
		plan, err := b.Plan(t.Context())
		if err != nil || plan.Host != "" || plan.Here < 2 {
			t.Errorf("%+v, %v", plan, err)
		}
		if _, err := runBehind(t, b, true); err != nil || server.Count() != 0 {
			t.Errorf("%d requests, %v", server.Count(), err)
		}
	})
}

// TestFailedSessionsBehindTheScreen stay to be cut, and it is told which
// command says why.
func TestFailedSessionsBehindTheScreen(t *testing.T) {
	cutBehind(t, "auto", []llmtest.Reply{llmtest.Status(400, "no\x1b[2J")}, func(b *desk.Segmenting, _ *llmtest.Server) {
		plan, err := b.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Allow(t.Context()); err != nil {
			t.Fatal(err)
		}
		last, _ := runBehind(t, b, true)
		if last.Failed == 0 || !strings.Contains(last.Note, "not cut: ") || !strings.Contains(last.Note, "winnow segment") {
			t.Errorf("%+v", last)
		}
		left, err := b.Plan(t.Context())
		if err != nil || left.Sent != last.Failed {
			t.Errorf("%+v, %v", left, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.Do(ctx, true, func(work.Progress) {}); err == nil {
			t.Error("a stopped run says that it is done")
		}
	})
}

// onScreen returns who cuts and scores while a screen is open.
func onScreen(t *testing.T, p *cli, s *database, by string) (*desk.Segmenting, *desk.Scoring) {
	t.Helper()
	_, cuts, scores, err := p.desk(s).Screen(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	return cuts, scores
}

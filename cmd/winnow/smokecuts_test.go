//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// TestSmokeNothingIsSentBeforeYes: with a model configured, the screen asks
// first, once for a database; no cuts by rules.
func TestSmokeNothingIsSentBeforeYes(t *testing.T) {
	b := newBench(t)
	server := llmtest.New(llmtest.Segmented())
	defer server.Close()
	path := b.file("tasks.jsonl", taskSession())
	configured := fmt.Sprintf("WINNOW_LLM_BASE_URL=%s WINNOW_LLM_MODEL=tiny %s %s", server.URL, build(t), path)
	host := strings.TrimPrefix(strings.TrimSuffix(server.URL, "/v1"), "http://")

	p, ok := startPane(t, b.vars["HOME"], configured)
	if !ok {
		return
	}
	p.wait("Send 1 session", "to "+host, "tiny")
	if n := server.Count(); n != 0 {
		t.Fatalf("%d requests before anybody was asked", n)
	}
	p.keys("y")
	p.wait("3 segments", "Task 2")
	if server.Count() == 0 {
		t.Error("nothing was sent")
	}
	p.keys("q", "q", "q")
	p.wait("left with 0")
	if out := b.ok("list", "--json"); strings.Count(out, `"cut_by":"llm"`) != 3 {
		t.Errorf("the segments:\n%s", out)
	}
}

// TestSmokeRulesInstead: n cuts by rules, and the next start asks again.
func TestSmokeRulesInstead(t *testing.T) {
	b := newBench(t)
	server := llmtest.New(llmtest.Segmented())
	defer server.Close()
	path := b.file("tasks.jsonl", taskSession())
	p, ok := startPane(t, b.vars["HOME"], fmt.Sprintf("WINNOW_LLM_BASE_URL=%s WINNOW_LLM_MODEL=tiny %s %s", server.URL, build(t), path))
	if !ok {
		return
	}
	p.wait("Send 1 session")
	p.keys("n")
	p.wait("approve", " segment")
	p.keys("q", "q", "q")
	p.wait("left with 0")
	if n := server.Count(); n != 0 {
		t.Errorf("%d requests although they were refused", n)
	}
	if out := b.ok("list", "--json"); strings.Contains(out, `"cut_by":"provisional"`) || strings.Contains(out, `"cut_by":"llm"`) {
		t.Errorf("the segments:\n%s", out)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"winnow/core/llm/llmtest"
)

// learnedFrom is a session in which something may be learned. The user's rule stands in
// message 3, a result that succeeded in 7, reasoning in 4, and what a file of
// instructions says in 2.
const learnedFrom = `{"messages":[{"role":"system","content":"# AGENTS.md\nRelease notes of every package go into docs/releases.md in past tense."},` +
	`{"role":"user","content":"<system-reminder>Release notes of every package go into docs/releases.md in past tense.</system-reminder>"},` +
	`{"role":"user","content":"Always run make mocks before go vet, never edit mocks/store.go by hand."},` +
	`{"role":"assistant","content":"I look at mocks/store.go.","reasoning_content":"the secret lies in internal/vault.go","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"go vet ./...\"}"}}]},` +
	`{"role":"tool","tool_call_id":"c1","content":"mocks/store.go:8: undefined: Clock\nexit status 1"},` +
	`{"role":"assistant","content":"Mocks first.","tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make mocks && go vet ./...\"}"}}]},` +
	`{"role":"tool","tool_call_id":"c2","content":"ok store 0.41s"},{"role":"assistant","content":"make mocks has to be run first, then go vet passes."}]}` + "\n"

// found is an answer of one memory.
func found(kind, content string, more string, cites ...string) string {
	return fmt.Sprintf(`[{"kind":%q,"title":"on mocks","content":%q,"context":"","resolution":"","tags":["mocks"],"cites":[%s]%s}]`, kind, content, strings.Join(cites, ","), more)
}

func cite(n int, quote string) string { return fmt.Sprintf(`{"n":%d,"quote":%q}`, n, quote) }

// extracted is the outcome of "extract --json".
type extracted struct {
	Segments, Kept, Again int
	Dropped               map[string]int
	Failed                []struct{ Reason string }
}

// TestExtractionAnswers: each kind of answer of a model leads to what it should, counted,
// and a segment is done only where the model said something that could be read.
func TestExtractionAnswers(t *testing.T) {
	rule := "Run make mocks before go vet; mocks/store.go is generated."
	user := cite(3, "Always run make mocks before go vet")
	for _, c := range []struct {
		name    string
		replies []llmtest.Reply
		want    string // kept, again, what was dropped
		done    bool   // it is not asked again
	}{
		{"nothing", []llmtest.Reply{llmtest.Answer("[]")}, "0 0 map[]", true},
		{"a rule", []llmtest.Reply{llmtest.Answer(found("rule", rule, "", user))}, "1 0 map[]", true},
		{"prose around it", []llmtest.Reply{llmtest.Prose(found("rule", rule, "", user))}, "1 0 map[]", true},
		{"corrected once", []llmtest.Reply{llmtest.Answer("Nothing much."), llmtest.Answer(found("rule", rule, "", user))}, "1 0 map[]", true},
		{"prose alone", []llmtest.Reply{llmtest.Answer("I think nothing was learned here.")}, "failed", false},
		{"500", []llmtest.Reply{llmtest.Status(500, "broken")}, "failed", false},
		{"no answer in time", []llmtest.Reply{llmtest.Hang()}, "failed", false},
		{"no quote", []llmtest.Reply{llmtest.Answer(found("rule", rule, ""))}, "0 0 map[no_quote:1]", true},
		{"a quote that is not there", []llmtest.Reply{llmtest.Answer(found("rule", rule, "", cite(3, "Always run make fakes")))}, "0 0 map[quote_not_found:1]", true},
		{"a quote of reasoning", []llmtest.Reply{llmtest.Answer(found("fact", "The secret lies in internal/vault.go.", "", cite(4, "the secret lies in internal/vault.go")))}, "0 0 map[quote_not_found:1]", true},
		{"a rule without the user", []llmtest.Reply{llmtest.Answer(found("rule", rule, "", cite(7, "ok store 0.41s")))}, "0 0 map[no_user_words:1]", true},
		{"a procedure that was not checked", []llmtest.Reply{llmtest.Answer(found("procedure", "Run `make mocks`, then `go vet ./...`.", "", cite(5, "undefined: Clock")))}, "0 0 map[no_check:1]", true},
		{"a copy of AGENTS.md", []llmtest.Reply{llmtest.Answer(found("fact", "Release notes of every package go into docs/releases.md in past tense.", "", cite(5, "undefined: Clock")))}, "0 0 map[restates:1]", true},
		{"the same twice", []llmtest.Reply{llmtest.Answer(strings.TrimSuffix(found("rule", rule, "", user), "]") + "," + strings.TrimPrefix(found("rule", rule, "", user), "["))}, "1 0 map[same:1]", true},
	} {
		b := newBench(t)
		b.ok("import", b.file("s.jsonl", learnedFrom))
		b.ok("segment", "--by", "offline")
		b.ok("approve", "--filter", "messages>0", "--yes")
		server := llmtest.Start(t, c.replies...)
		b.vars["WINNOW_MEMORY_BASE_URL"], b.vars["WINNOW_MEMORY_MODEL"], b.vars["WINNOW_MEMORY_RETRIES"], b.vars["WINNOW_MEMORY_TIMEOUT"] = server.URL, "tiny", "0", "100ms"
		if c.name != "no answer in time" {
			b.vars["WINNOW_MEMORY_TIMEOUT"] = "20s"
		}
		code := b.run("extract", "--json")
		var r extracted
		if err := json.Unmarshal(b.stdout.Bytes(), &r); err != nil {
			t.Errorf("%s: %v: %s%s", c.name, err, b.stdout.String(), b.stderr.String())
			continue
		}
		got := fmt.Sprint(r.Kept, " ", r.Again, " ", r.Dropped)
		if code != exitDone {
			got = "failed"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s: %s%s", c.name, got, c.want, b.stdout.String(), b.stderr.String())
		}
		if list := b.ok("memories", "--json"); strings.Count(list, "\n") != r.Kept {
			t.Errorf("%s: %s", c.name, list)
		}
		asked := server.Count()
		server.Script(llmtest.Answer("[]"))
		b.ok("extract", "--json")
		if again := server.Count() > asked; again == c.done {
			t.Errorf("%s: asked again: %v", c.name, again)
		}
		asked = server.Count()
		if b.ok("extract"); server.Count() != asked {
			t.Errorf("%s: asked a third time", c.name)
		}
		b.ok("doctor")
	}
}

// TestExtractionKnowsMemories: a model that names what is known adds a source to it, or
// proposes what takes its place; one folder is asked about at a time.
func TestExtractionKnowsMemories(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("a.jsonl", learnedFrom), b.file("b.jsonl", strings.ReplaceAll(learnedFrom, "I look at", "Let me see")), b.file("c.jsonl", strings.ReplaceAll(learnedFrom, "I look at", "Now for")))
	b.ok("segment", "--by", "offline")
	b.ok("approve", "--filter", "messages>0", "--yes")
	user := cite(3, "Always run make mocks before go vet")
	server := llmtest.Start(t,
		llmtest.Answer(found("rule", "Run make mocks before go vet; mocks/store.go is generated.", "", user)),
		llmtest.Answer(found("rule", "The mocks in `mocks/store.go` are made anew by `make mocks` before anything else.", `,"same_as":1`, user)),
		llmtest.Answer(found("rule", "Only `make mocks` may write mocks/store.go; nothing else ever does so in this project.", `,"corrects":1`, user)))
	b.vars["WINNOW_MEMORY_BASE_URL"], b.vars["WINNOW_MEMORY_MODEL"], b.vars["WINNOW_MEMORY_CONCURRENCY"] = server.URL, "tiny", "4"
	var r extracted
	if err := json.Unmarshal([]byte(b.ok("extract", "--json")), &r); err != nil || r.Kept != 2 || r.Again != 1 {
		t.Fatalf("%v: %s", err, b.stdout.String())
	}
	var list []struct {
		ID, Supersedes, Status string
		Sources                []struct{}
	}
	for line := range strings.Lines(b.ok("memories", "--filter", "status:proposed", "--json")) {
		list = append(list, struct {
			ID, Supersedes, Status string
			Sources                []struct{}
		}{})
		if err := json.Unmarshal([]byte(line), &list[len(list)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if len(list) == 2 && list[0].Supersedes == "" { // both are of one moment
		list[0], list[1] = list[1], list[0]
	}
	if len(list) != 2 || list[0].Supersedes != list[1].ID || len(list[1].Sources) != 2 {
		t.Fatalf("%+v", list)
	}
	b.ok("memories", "approve", list[0].ID)
	if out := b.ok("memories", "show", list[1].ID); !strings.Contains(out, "archived: replaced by "+list[0].ID[:8]) {
		t.Error(out)
	}
}

// TestRunExtracts: a cycle asks about what was approved, once; while the model is not
// there the step waits and nothing is marked, and a segment that fails is tried later.
func TestRunExtracts(t *testing.T) {
	b := newBench(t)
	b.ok("import", b.file("s.jsonl", learnedFrom))
	b.ok("segment", "--by", "offline")
	b.ok("approve", "--filter", "messages>0", "--yes")
	if out := b.ok("run", "--steps", "extract"); !strings.Contains(out, "extract  nothing to do") {
		t.Errorf("without a model: %s", out)
	}
	rule := found("rule", "Run make mocks before go vet; mocks/store.go is generated.", "", cite(3, "Always run make mocks before go vet"))
	server := llmtest.Start(t, llmtest.Status(401, "who"))
	b.vars["WINNOW_MEMORY_BASE_URL"], b.vars["WINNOW_MEMORY_MODEL"], b.vars["WINNOW_MEMORY_RETRIES"] = server.URL, "tiny", "0"
	if code := b.run("run", "--steps", "extract"); code != exitFailed || !strings.Contains(b.stdout.String(), "nothing may be sent to") || server.Count() > 0 {
		t.Errorf("not allowed: %d %s", code, b.stdout.String())
	}
	host := strings.TrimSuffix(strings.TrimPrefix(server.URL, "http://"), "/v1")
	if code := b.run("run", "--steps", "extract", "--allow", host); code != exitFailed || !strings.Contains(b.stdout.String(), "waiting") {
		t.Errorf("no model: %d %s", code, b.stdout.String())
	}
	if out := b.ok("jobs"); strings.Contains(out, "tried again") {
		t.Errorf("it counts as failed: %s", out)
	}
	server.Script(llmtest.Answer("I think nothing was learned."))
	if code := b.run("run", "--steps", "extract"); code != exitPartly && code != exitFailed || !strings.Contains(b.stdout.String(), "1 segment: ") {
		t.Errorf("prose: %d %s", code, b.stdout.String())
	}
	asked := server.Count()
	server.Script(llmtest.Answer(rule))
	if out := b.ok("run", "--steps", "extract"); !strings.Contains(out, "failed before: tried again later") || server.Count() != asked {
		t.Errorf("tried again at once: %s", out)
	}
	b.ok("jobs", "--retry", "extract")
	if out := b.ok("run", "--steps", "extract", "--json"); !strings.Contains(out, `"step":"extract","status":"done","todo":1,"done":1,"failed":0`) {
		t.Error(out)
	}
	if out := b.ok("memories"); !strings.Contains(out, "proposed  rule") {
		t.Error(out)
	}
	asked = server.Count()
	if b.ok("run", "--steps", "extract"); server.Count() != asked {
		t.Error("asked again")
	}
	b.ok("doctor")
}

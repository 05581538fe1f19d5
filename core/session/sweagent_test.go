package session_test

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/session"
)

// sweRun is a document with this history and fields after it.
func sweRun(fields string, history ...string) string {
	return `{"history":[` + strings.Join(history, ",") + "]" + fields + "}\n"
}

const (
	sweUser   = `{"role":"user","content":"a","agent":"main"}`
	sweCalled = `{"role":"assistant","content":"b","thought":"b","action":"ls","agent":"main","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"n\": 1.0}"}}]}`
)

// TestSWEAgent has one case per rule.
func TestSWEAgent(t *testing.T) {
	called := told{role: chat.Assistant, content: "b", calls: `c1/ls/{"n": 1.0}`}
	one := session.Counts{Read: 1}
	for _, c := range []ruleCase{
		{"results answer calls", sweRun("", sweUser, sweCalled, `{"role":"tool","content":"r","tool_call_ids":["c1"]}`), []told{user("a"), called, tool("ls", "r")}, one, nil},
		{"the trajectory tells the same again", sweRun(`,"trajectory":[{"action":"ls","observation":"r","response":"b","thought":"b"}]`, sweUser), []told{user("a")}, one, nil},
		{"content in parts", sweRun("", `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]}`), []told{{role: chat.User, content: "a\n[image]", marks: chat.MarkImage}}, one, nil},
		{"a thought without content", sweRun("", sweUser, `{"role":"assistant","content":"","thought":"t","action":"ls"}`), []told{user("a"), assistant("t")}, one, nil},
		{"thinking blocks", sweRun("", sweUser, `{"role":"assistant","content":"b","thinking_blocks":[{"type":"thinking","thinking":"x"},{"thinking":""},{"thinking":"y"},3]}`),
			[]told{user("a"), {role: chat.Assistant, content: "b", reasoning: "x\n\ny"}}, one, nil},
		{"demonstrations stay", sweRun("", `{"role":"user","content":"d","is_demo":true}`, sweUser), []told{user("d"), user("a")}, one, []string{"note: demonstrations in the history, kept: 1"}},
		{"several agents stay together", sweRun("", sweUser, `{"role":"assistant","content":"b","agent":"other"}`), []told{user("a"), assistant("b")}, one, []string{"note: messages of several agents in one history"}},
		{"entries that are none", sweRun("", sweUser, "null", `{"role":"odd","content":"x"}`, `{"content":"y"}`), []told{user("a")}, one,
			[]string{"note: element left out, not an object: 1, null", `note: element left out, unknown role "odd": 1`, "note: element left out, role is not text: 1, nothing"}},
		{"content that is no text", sweRun("", `{"role":"user","content":{"k": 1.0}}`), []told{user(`{"k": 1.0}`)}, one, []string{"note: content is no text, kept as its JSON: object"}},
		{"only a trajectory", `{"trajectory":[{"action":"ls","observation":"r","response":"b","thought":"t"},3,{"action":"ls","observation":"","response":"","thought":"t"},{"action":"","observation":"","thought":""}]}` + "\n",
			[]told{assistant("b"), user("r"), assistant("t\nls")}, one, []string{"note: element left out, not an object: 1, number", "note: element left out, no text, reasoning or calls: 1"}},
		{"the first action tells what came before", `{"trajectory":[{"query":[` + sweUser + `],"action":"ls","observation":"r","response":"b"},{"query":[` + sweUser + `],"action":"x","observation":"","response":"c"}]}` + "\n",
			[]told{user("a"), assistant("b"), user("r"), assistant("c")}, one, nil},
		{"nothing said", `{"trajectory":[],"history":[],"info":{},"environment":"e"}` + "\n", nil, session.Counts{Skipped: 1}, []string{"skipped: swe-agent run without a message"}},
		{"a trajectory of something else", `{"trajectory":[{"x":1,"y":2}]}` + "\n", nil, session.Counts{Skipped: 1}, []string{"skipped: no message: keys trajectory"}},
	} {
		c.run(t)
	}
}

// TestSWEAgentCompleted: only a run that was submitted by the agent itself has
// completed.
func TestSWEAgentCompleted(t *testing.T) {
	yes, no := true, false
	for status, want := range map[string]*bool{`"submitted"`: &yes, `"submitted (exit_cost)"`: &no, `"exit_context"`: &no, `""`: nil, `null`: nil} {
		rec, _ := readAll(t, []byte(sweRun(`,"info":{"exit_status":`+status+`}`, sweUser)), "")
		if got := rec.meta.Completed; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %v", status, got)
		}
	}
}

func TestSWEAgentMeta(t *testing.T) {
	rec, _ := readAll(t, []byte(sweRun(`,"environment":"e","info":{"model_stats":{"tokens_sent":7,"tokens_received":2}},"replay_config":{"agent":{"model":{"name":"m"}}}`, sweUser)), "")
	want := session.Meta{
		Format: "swe-agent", Model: "m", Whole: true, Usage: session.Usage{Input: 7, Output: 2},
		Extra: `{"environment":"e","info":{"model_stats":{"tokens_sent":7,"tokens_received":2}},"replay_config":{"agent":{"model":{"name":"m"}}}}`,
	}
	if rec.meta != want {
		t.Errorf("got %+v\nwant %+v", rec.meta, want)
	}
}

// FuzzSWEAgent puts anything where SWE-agent has messages and actions.
func FuzzSWEAgent(f *testing.F) {
	f.Add(sweCalled, `{"action":"ls","observation":"r","response":"b","thought":"t"}`, uint16(60))
	f.Add(`{"role":"tool","content":[{"type":"text","text":"x"},3],"tool_call_ids":["c1"]}`, `{"query":[`+sweUser+`],"thought":"t","response":""}`, uint16(9))
	f.Fuzz(func(t *testing.T, message, action string, split uint16) {
		checkRead(t, []byte(sweRun(`,"info":{"exit_status":"x"}`, sweUser, message, message)), int(split))
		checkRead(t, []byte(`{"trajectory":[{"action":"a","observation":"o","response":"r"},`+action+`],"info":`+action+"}\n"), int(split))
	})
}

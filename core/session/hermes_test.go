package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/chat"
)

// TestHermesVectors: what is known to be written for messages reads back to
// them, but for what FORMATS.md says may be lost.
func TestHermesVectors(t *testing.T) {
	for _, path := range sharedFiles(t, filepath.Join("..", "vectors")) {
		if filepath.Base(path) != "hermes.jsonl" {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var v struct {
				Name                    string
				Messages, Conversations json.RawMessage
			}
			if err := json.Unmarshal(line, &v); err != nil {
				t.Fatal(err)
			}
			t.Run(v.Name, func(t *testing.T) {
				api, _ := readAll(t, []byte(`{"messages":`+string(v.Messages)+"}\n"), "")
				back, _ := readAll(t, []byte(`{"conversations":`+string(v.Conversations)+"}\n"), "")
				sameButLosses(t, back.msgs, api.msgs)
			})
		}
	}
}

// TestHermesRuns: the same runs, recorded as messages and as trajectories, are
// the same sessions.
func TestHermesRuns(t *testing.T) {
	runs := map[string]*record{}
	for _, path := range sharedFiles(t, "messages", "hermes") {
		switch name := filepath.Base(path); name {
		case "tau-bench-airline.jsonl", "trajectory_samples.jsonl":
			runs[name], _ = readAll(t, decodedFile(t, path), "")
		}
	}
	if len(runs) != 2 {
		return
	}
	api, back := runs["tau-bench-airline.jsonl"], runs["trajectory_samples.jsonl"]
	if len(api.keys) != 199 || !reflect.DeepEqual(api.keys, back.keys) {
		t.Fatalf("%d and %d sessions", len(api.keys), len(back.keys))
	}
	for _, key := range append(api.keys, "") {
		_, want := api.session(key)
		_, got := back.session(key)
		sameButLosses(t, *got, *want)
	}
}

// sameButLosses compares what was read of a trajectory with the messages that
// it was made of.
func sameButLosses(t *testing.T, got, want []chat.Message) {
	t.Helper()
	a, b := comparable(got), comparable(want)
	if len(a) != len(b) {
		t.Errorf("%d messages, want %d:\n%s", len(a), len(b), strings.Join(a, "\n"))
		return
	}
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("message %d:\n got %s\nwant %s", i+1, a[i], b[i])
		}
	}
}

// comparable renders messages without what a trajectory does not hold: system
// messages, results that follow no call, calls' ids where nothing answers
// them, the spacing of JSON and the white space at the ends of an answer.
func comparable(msgs []chat.Message) (all []string) {
	calls := 0
	for _, m := range msgs {
		thought, rest := chat.CutThink(m.Content)
		switch m.Role {
		case chat.System:
			continue
		case chat.Tool:
			if calls == 0 {
				continue
			}
			rest = compact(m.Content)
		case chat.Assistant:
			calls, rest = len(m.ToolCalls), strings.TrimRight(rest, " \n")
			if m.Reasoning = strings.TrimSpace(m.Reasoning); m.Reasoning == "" {
				m.Reasoning = thought
			}
		default:
			calls = 0
		}
		s := fmt.Sprintf("%s %s %s %q thinks %q", m.Role, m.Name, m.ToolCallID, rest, m.Reasoning)
		for _, c := range m.ToolCalls {
			arguments := compact(c.Arguments)
			if !json.Valid([]byte(arguments)) {
				arguments = "{}"
			}
			s += fmt.Sprintf(" calls %s %s", c.Name, arguments)
		}
		all = append(all, s)
	}
	return all
}

func compact(text string) string {
	var b bytes.Buffer
	if trimmed := strings.TrimSpace(text); !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// TestTagsAreLinear: a text full of tags that nothing closes, or that close
// late, must not be read to its end from each of them: that would take hours.
func TestTagsAreLinear(t *testing.T) {
	const n = 50_000 / slower
	for _, text := range []string{
		strings.Repeat("<tool_call>", n),
		strings.Repeat("<tool_call>{", n),
		strings.Repeat(`<tool_call>{"a":"`, n),
		strings.Repeat(`<tool_call>{"a":[`, n) + "</tool_call>",
		strings.Repeat(`<tool_call>{"a":"</tool_call>`, n),
		strings.Repeat("</tool_call><tool_call>", n),
		strings.Repeat(`<tool_call>{"name":"f"}`, n),
		strings.Repeat(`<tool_call>{"name":"f","arguments":{}}</tool_call>`, n),
		strings.Repeat(`<tool_call>{"\`, n),
		strings.Repeat(`<tool_call>{",":" `, n),
	} {
		for _, src := range []string{shared(said(text)), shared(gave(strings.ReplaceAll(text, "tool_call", "tool_response"))), shared(from("system", strings.ReplaceAll(text, "tool_call", "tools")), said("x"))} {
			rec, _ := readAll(t, []byte(src), "")
			if len(rec.msgs) == 0 || rec.msgs[0].Empty() {
				t.Errorf("%.40s: nothing was read", text)
			}
		}
	}
}

// FuzzShareGPT puts anything where models and tools speak.
func FuzzShareGPT(f *testing.F) {
	f.Add("<think>t</think>x\n"+callLs+"\n"+callCat, response("c1", "ls", `"r"`), `{"from":"human","value":"a"}`, uint16(9))
	f.Add("<tool_call>{", "<tool_response>[</tool_response>", `{"role":"tool_call","content":"{}"}`, uint16(90))
	f.Add(`[{"name":"f"},{"name":"g"}]`, `["a","b"]`, `null,{"from":"observation","value":["a","b"]}`, uint16(0))
	f.Fuzz(func(t *testing.T, model, tool, element string, split uint16) {
		src := shared(from("human", "a"), said(model), gave(tool), from("function_call", model), from("observation", tool), element)
		checkRead(t, []byte(src+strings.Replace(src, "human", "system", 1)), int(split))
		keepsText(t, model)
	})
}

// keepsText checks that all words a model said are in what was read.
func keepsText(t *testing.T, text string) {
	if !utf8.ValidString(text) {
		return
	}
	rec, _ := readAll(t, []byte(shared(said(text))), "")
	var kept strings.Builder
	for _, m := range rec.msgs {
		kept.WriteString(m.Content + m.Reasoning)
		if len(m.ToolCalls) > 0 {
			return // a call may have more in it than a name and arguments
		}
	}
	apart := strings.NewReplacer("<", " <", ">", "> ")
	all := apart.Replace(kept.String())
	for word := range strings.FieldsSeq(apart.Replace(text)) {
		if !strings.HasSuffix(word, "think>") && !strings.HasSuffix(word, "SCRATCHPAD>") && !strings.Contains(all, word) {
			t.Fatalf("%q lost %q: %q", text, word, all)
		}
	}
}

// FuzzMessages puts anything where messages and metadata stand.
func FuzzMessages(f *testing.F) {
	f.Add(askedLs+","+toldLs, `"tools":[{"name":"f"}],"id":"i","images":["a"]`, uint16(9))
	f.Add(`{"role":"assistant","content":[{"type":"tool_call","value":"{}"},{"type":"reasoning","value":"t"}]},7`, `"system":[{"type":"text","text":"s"}],"metadata":{"model":"m"}`, uint16(99))
	f.Add(`{"role":"tool_call","content":"[{\"name\":\"f\"}]"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]}`, `"system_prompt":"<tools>[{}]</tools>","completed":true`, uint16(50))
	f.Fuzz(func(t *testing.T, elements, fields string, split uint16) {
		src := `{"messages":[` + role("user", "a") + "," + elements + "]," + fields + "}\n"
		checkRead(t, []byte(src+`{"prompt":[`+elements+`],"completion":[`+role("assistant", "b")+"]}\n"+a1+"\n"+src), int(split))
	})
}

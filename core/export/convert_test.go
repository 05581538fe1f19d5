package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/session"
)

// converted converts a text and returns the entries and the findings.
func converted(t *testing.T, as, text string) (entries []string, found []string, done Converted) {
	t.Helper()
	var out bytes.Buffer
	done, err := Convert(t.Context(), strings.NewReader(text), Conversion{As: as, Name: "a.jsonl", Out: &out}, func(f LintFinding) {
		found = append(found, fmt.Sprintf("%d:%d %s", f.Line, f.Message, f.Check))
	})
	if err != nil {
		t.Fatalf("%s: %v", as, err)
	}
	for line := range strings.Lines(out.String()) {
		if v := jsontext.Value(line); !v.IsValid(jsontext.AllowDuplicateNames(true)) || !strings.HasSuffix(line, "\n") {
			t.Errorf("%s: not a line of JSON: %s", as, line)
		}
		entries = append(entries, line)
	}
	if len(entries) != done.Entries {
		t.Errorf("%s: %d lines, %d entries", as, len(entries), done.Entries)
	}
	return entries, found, done
}

// The known answers of the published format, as lines of messages and tools.
func TestConvertVectors(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/vectors/hermes.jsonl")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var in strings.Builder
		var want []json.RawMessage
		for line := range strings.Lines(string(text)) {
			var v struct{ Messages, Tools, Conversations json.RawMessage }
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&in, `{"messages": %s, "tools": %s}`+"\n", v.Messages, v.Tools)
			want = append(want, v.Conversations)
		}
		entries, _, _ := converted(t, "hermes", in.String())
		if len(entries) != len(want) {
			t.Fatalf("%d entries of %d", len(entries), len(want))
		}
		for i := range want {
			if got := `{"conversations": ` + string(want[i]) + "}\n"; got != entries[i] {
				t.Errorf("line %d\n got %s\nwant %s", i+1, entries[i], got)
			}
		}
	}
}

// What a conversation is made of, after the generated prompt.
func TestConvertKeepsWhatWasRecorded(t *testing.T) {
	for _, c := range []struct{ messages, want string }{
		{`[]`, ``},
		{`[{"role":"user","content":""}]`, `, {"from": "human", "value": ""}`},
		{`[{"role":"user","content":" q\n"},{"role":"assistant","content":""},{"role":"assistant","content":null}]`,
			`, {"from": "human", "value": " q\n"}, {"from": "gpt", "value": "<think>\n</think>"}, {"from": "gpt", "value": "<think>\n</think>"}`},
		{`[{"role":"assistant","content":"a"},{"role":"user"}]`, `, {"from": "gpt", "value": "<think>\n</think>\na"}, {"from": "human", "value": ""}`},
		{`[{"role":"user","content":[{"type":"text","text":" a "},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}]`,
			`, {"from": "human", "value": " a \n[screenshot]"}`},
		{`[{"role":"user","content":[{"type":"text","text":" a "}]}]`, `, {"from": "human", "value": " a "}`},
		{`[{"role":"assistant","tool_calls":[{"function":{"name":"n","arguments":null}},{"function":{"name":"n"}},{"function":{"name":"n","arguments":{"b":1.10,"a":[],"b":1e5}}}]},{"role":"tool","content":{"z":[1,{}]}}]`,
			`, {"from": "gpt", "value": "<think>\n</think>\n<tool_call>\n{\"name\": \"n\", \"arguments\": null}\n</tool_call>\n<tool_call>\n{\"name\": \"n\", \"arguments\": {}}\n</tool_call>\n` +
				`<tool_call>\n{\"name\": \"n\", \"arguments\": {\"b\": 1e5, \"a\": []}}\n</tool_call>"}, ` +
				`{"from": "tool", "value": "<tool_response>\n{\"tool_call_id\": \"\", \"name\": \"n\", \"content\": {\"z\": [1, {}]}}\n</tool_response>"}`},
		{`[{"role":"assistant","content":"</tool_call>","reasoning_content":"</think>"}]`, `, {"from": "gpt", "value": "<think>\n</think>\n</think>\n</tool_call>"}`},
	} {
		entries, _, _ := converted(t, "hermes", `{"messages":`+c.messages+`}`)
		if len(entries) != 1 {
			t.Errorf("%s: %d entries", c.messages, len(entries))
			continue
		}
		_, got, _ := strings.Cut(entries[0], `<args-dict>}\n</tool_call>"}`)
		if want := c.want + "]}\n"; got != want {
			t.Errorf("%s\n got %s\nwant %s", c.messages, got, want)
		}
	}
}

const mixed = `{"messages":[{"role":"user","content":"1"},{"role":"assistant","content":"a"}]}
not JSON

{"messages":[]}
{"messages":[{"role":"user","content":"2"},{"role":"assistant","content":null,"tool_calls":[{"id":"x","function":{"name":"n","arguments":"{no"}}]},{"role":"tool","content":"r"},{"role":"wizard","content":"w"}]}
[{"messages":[{"role":"user","content":"3"},{"role":"assistant","content":"c"}]},{"messages":[{"role":"system","content":"s"}]}]
{"conversations":[{"from":"human","value":"4"},{"from":"gpt","value":"<think>\nr\n</think>\nd"}]}
`

// One entry for each conversation, in their order, to every format.
func TestConvertLeavesNothingOut(t *testing.T) {
	for _, e := range ofSamples() {
		if e.Name == "steps" {
			continue // an entry for each step
		}
		entries, found, done := converted(t, e.Name, mixed)
		if len(entries) != 6 || done.Conversations != 6 || done.Bad != 1 {
			t.Errorf("%s: %d entries, %+v", e.Name, len(entries), done)
		}
		if found[0] != "2:0 read" {
			t.Errorf("%s: found %v", e.Name, found)
		}
		for place, at := range map[string]int{`"1"`: 0, `"2"`: 2, `"3"`: 3, `"4"`: 5} {
			if at < len(entries) && !strings.Contains(entries[at], place) {
				t.Errorf("%s: no %s in entry %d: %s", e.Name, place, at+1, entries[at])
			}
		}
	}
	_, found, done := converted(t, "hermes", mixed)
	want := []string{"2:0 read", "4:0 ending", "4:0 no_user", "4:0 no_assistant", "5:0 read",
		"5:2 arguments", "5:2 unanswered_call", "5:3 orphan_result", "5:3 ending", "6:1 ending", "6:0 no_user", "6:0 no_assistant"}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("found %q", found)
	}
	if done.Clean != 3 {
		t.Errorf("%+v", done)
	}
}

// A conversion writes tags inside of texts as the published format does, and
// says so; where tags are hidden or have no meaning there is nothing to say.
func TestConvertTellsTagsInTexts(t *testing.T) {
	const call = `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"n","arguments":"{\"a\":\"ARG\"}"}}]},{"role":"tool","tool_call_id":"1","content":"RESULT"}`
	for _, c := range []struct{ answer, arg, result, want string }{
		{"a", "x", "r", ""},
		{"<think>t</think>a", "x", "r", ""},
		{"<REASONING_SCRATCHPAD>t</REASONING_SCRATCHPAD>a", "x", "r", ""},
		{"a <think>t</think>", "x", "r", "1:4 reserved_tags"},
		{"a <REASONING_SCRATCHPAD>t</REASONING_SCRATCHPAD>", "x", "r", "1:4 reserved_tags"},
		{"a <tool_call></tool_call>", "x", "r", "1:4 reserved_tags"},
		{"a", "</tool_call>", "r", "1:2 reserved_tags"},
		{"a", "<think>", "r", "1:2 reserved_tags"},
		{"a", "x", "</tool_response>", "1:3 reserved_tags"},
		{"a", `\\u003c/tool_call>`, "r", "1:2 reserved_tags"},
		{"a", "x", `{\"r\":\"\\u003c/tool_response>\"}`, "1:3 reserved_tags"},
		{"a", "x", `\\u003c/tool_response>`, ""}, // a text, not JSON: it stays escaped
		{"a", "x", "<think>", ""},
	} {
		in := `{"messages":[{"role":"user","content":"</tool_call>"},` + strings.NewReplacer("ARG", c.arg, "RESULT", c.result).Replace(call) +
			`,{"role":"assistant","content":"` + c.answer + `"}]}`
		for _, as := range []string{"hermes", "hermes-batch"} {
			entries, found, _ := converted(t, as, in)
			if got := strings.Join(found, " "); got != c.want {
				t.Errorf("%s: %s\n got %q\nwant %q", as, in, got, c.want)
			}
			for _, text := range []string{c.arg, c.result} {
				if strings.Contains(text, "u003c") {
					continue
				}
				if len(entries) != 1 || !strings.Contains(entries[0], text) {
					t.Errorf("%s: no %s in %s", as, text, entries)
				}
			}
		}
	}
	tools := `"tools":[{"type":"function","function":{"name":"n","description":"</tools>"}}]`
	if _, found, _ := converted(t, "hermes", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],`+tools+`}`); strings.Join(found, " ") != "1:0 reserved_tags" {
		t.Errorf("tools: found %q", found)
	}
}

func TestConvertBatchCountsAllTools(t *testing.T) {
	in := ""
	for _, name := range []string{"b", "a"} {
		in += `{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"` + name + `","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"r"}]}` + "\n"
	}
	entries, _, _ := converted(t, "hermes-batch", in)
	for i, want := range []string{`"tool_error_counts": {"a": 0, "b": 0}}`, `{"a": {"count": 1, "success": 1, "failure": 0}, "b": {"count": 0,`} {
		if !strings.HasPrefix(entries[i], fmt.Sprintf(`{"prompt_index": %d, `, i)) || !strings.Contains(entries[i], want) {
			t.Errorf("no %s in %s", want, entries[i])
		}
	}
}

// Sessions of one message per line are complete at the end of the file only.
func TestConvertSessionsOfManyLines(t *testing.T) {
	in := `{"role":"user","content":"q"}
{"messages":[{"role":"user","content":"own"},{"role":"assistant","content":"b"}]}
{"role":"assistant","content":"a"}
`
	entries, found, _ := converted(t, "hf", in)
	if len(entries) != 2 || len(found) > 0 || !strings.Contains(entries[0], `"content":"q"`) || !strings.Contains(entries[0], `"content":"a"`) || !strings.Contains(entries[1], "own") {
		t.Errorf("%v: %q", found, entries)
	}
	if !strings.Contains(entries[0], `\"session\":\"a.jsonl\"`) {
		t.Errorf("the source is not told: %s", entries[0])
	}
}

func TestConvertToAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	how := Conversion{As: "openai", Path: path}
	tools := `{"messages":[{"role":"user","content":"t"},{"role":"assistant","content":"a"}],"tools":[{"name":"n"}]}` + "\n" + mixed
	done, err := Convert(t.Context(), strings.NewReader(tools), how, func(LintFinding) {})
	if err != nil || len(done.Files) != 1 || done.Files[0].Rows != 7 || strings.Count(read(t, path), "\n") != 7 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := Convert(t.Context(), strings.NewReader(mixed), how, func(LintFinding) {}); !errors.Is(err, ErrExists) {
		t.Errorf("an existing file: %v", err)
	}
	how.Path = filepath.Dir(path)
	if _, err := Convert(t.Context(), strings.NewReader(mixed), how, func(LintFinding) {}); err == nil {
		t.Error("a folder is taken for a file")
	}
	how.Path = filepath.Join(filepath.Dir(path), "none.jsonl")
	if done, err := Convert(t.Context(), strings.NewReader("nothing\n"), how, func(LintFinding) {}); err != nil || done.Conversations != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("%v is left", entries)
	}
}

// Trajectories read back are the messages that were written, up to what the
// format loses.
func FuzzConvert(f *testing.F) {
	f.Add(`[{"role":"user","content":"q"},{"role":"assistant","content":"a","reasoning":"r"}]`, `[{"name":"n"}]`)
	f.Add(`[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"n","arguments":"{\"a\":1,\"a\":\"</tool_call>\"}"}}]},{"role":"tool","content":"[1 ]"},{"role":"tool"}]`, `null`)
	f.Add(`[{"role":"user","content":[{"type":"text","text":"x"},{"type":"image"}]},{"role":"system"},{"content":"<think>","role":"assistant"}]`, `[1]`)
	f.Add(`[{"role":"tool","content":"x","tool_call_id":"1"},{"role":"tool","content":"y","tool_call_id":"1"}]`, `[]`)
	f.Fuzz(func(t *testing.T, messages, tools string) {
		if !jsontext.Value(messages).IsValid() || jsontext.Value(messages).Kind() != '[' || !jsontext.Value(tools).IsValid() {
			return
		}
		line := strings.ReplaceAll(strings.ReplaceAll(`{"messages":`+messages+`,"tools":`+tools+"}", "\n", " "), "\r", " ") + "\n"
		var again []chat.Message
		for _, e := range ofSamples() {
			entries, _, done := converted(t, e.Name, line)
			if e.Name != "steps" && len(entries) != done.Conversations {
				t.Fatalf("%s: %d entries of %d conversations", e.Name, len(entries), done.Conversations)
			}
			if e.Name == "hermes" && len(entries) == 1 {
				back := &conversations{issue: func(session.Issue) {}, known: map[string]*conversation{}, take: func(c *conversation) error {
					again = c.messages
					return nil
				}}
				if _, err := session.Read(t.Context(), strings.NewReader(entries[0]), session.Options{Exact: true}, session.State{}, back); err != nil {
					t.Fatal(err)
				}
				if len(again) == 0 || again[0].Role != chat.System {
					t.Fatalf("read back as %+v: %s", again, entries[0])
				}
			}
		}
	})
}

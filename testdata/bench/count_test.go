package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// counted holds files of each format and what count.py has to find in them.
var counted = []struct{ name, content, want string }{
	{"openai", `{"_type":"metadata","key":"k"}
{"role":"developer","content":"s"}
{"role":"user","content":"q"}
{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}},{"id":"2"}]}
{"role":"function","content":""}
{"role":"assistant","content":" ","tool_calls":[]}
{"role":"critic","content":"x"}
`, "messages 4, calls 1, system 1, user 1, assistant 1, tool 1"},
	{"one message over several lines", `{"role":"assistant","id":"m","content":[{"type":"thinking","thinking":"t"}]}
{"role":"assistant","id":"m","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}
{"role":"assistant","id":"n","content":"x"}
`, "messages 2, calls 1, assistant 2"},
	{"anthropic", `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"tool_result","content":"r"},{"type":"text","text":" "},{"type":"tool_result"},{"type":"image"}]}
`, "messages 4, user 2, tool 2"},
	{"messages", `[{"messages":[{"role":"user","content":[{"type":"text","value":"q"}]},
  {"role":"assistant","content":[{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{}}"}]}]},
 {"system_prompt":"s","traj":[{"role":"user","content":"q"}]},
 {"conversation":[{"human":"q","assistant":"a"}]}, {"type":"request","messages":[{"role":"user","content":"q"}]}
]`, "messages 6, calls 1, system 1, user 3, assistant 2"},
	{"sharegpt", `{"conversations":[{"from":"system","value":"<tool_call>"},{"from":"human","value":"q"},{"from":"human","value":"q"},
{"from":"gpt","value":"<think>\n</think>\n<tool_call>{\"name\":\"no\"}</tool_call> thought\n</think>\n<tool_call>\n{\"name\":\"f\",\"arguments\":{}}\n</tool_call>\n<tool_call>\n{\"name\":\n</tool_call>"},
{"from":"tool","value":"<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response>"},
{"from":"function_call","value":"[{\"name\":\"f\"},{\"name\":\"g\"}]"},{"from":"observation","value":"1\n</tool_response>\n<tool_response>\n2"},{"from":"gpt","value":"<think>\n</think>"}]}
`, "messages 9, calls 3, system 1, user 2, assistant 2, tool 4"},
	{"claude-code", `{"type":"summary","summary":"t"}
{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"q"}}
{"type":"assistant","uuid":"2","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","name":"f"}]}}{"type":"progress","uuid":"3"}
{"type":"user","uuid":"4","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result"}]}}
{"type":"assistant","uuid":"5","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","name":"f"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"6","sessionId":"s","content":"c"}
`, "messages 4, calls 2, system 1, user 1, assistant 1, tool 1"},
	{"codex", `{"type":"session_meta","payload":{"id":"1"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"q"}}
{"type":"event_msg","payload":{"type":"user_message","message":"more"}}
{"type":"response_item","payload":{"type":"function_call","name":"f"}}
{"type":"response_item","payload":{"type":"function_call_output","output":"x"}}
`, "calls 1, user 2, tool 1"},
	{"pi", `{"type":"session","id":"1"}
{"type":"message","message":{"role":"user","content":"q"}}
{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","name":"f"},{"type":"text","text":""}]}}
{"type":"message","message":{"role":"toolResult","content":[]}}
`, "messages 3, calls 1, user 1, assistant 1, tool 1"},
	{"gemini lines", `{"sessionId":"1","projectHash":"2"}
{"id":"a","type":"user","content":[{"text":"q"}]}
{"$set":{"lastUpdated":"x"}}
{"id":"b","type":"gemini","content":"one"}
{"id":"b","type":"gemini","content":"two","toolCalls":[{"name":"f","result":[{}]}]}
{"id":"c","type":"info","content":"n"}
`, "messages 3, calls 1, user 1, assistant 1, tool 1"},
	{"swe-agent", `{"trajectory":[{"action":"ls"}],"history":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`, "messages 2, system 1, user 1"},
	{"atif", `{"schema_version":"ATIF-v1.4","steps":[{"source":"user","message":"q"},
{"source":"agent","message":"","tool_calls":[{}],"observation":{"results":[{"content":"x"}]}}]}`, "messages 3, calls 1, user 1, assistant 1, tool 1"},
	{"defects", "\x00\n{\"role\":\"user\",\"content\":\"a\"}{\"role\":\"user\",\"content\":\"b\"}\n{\"role\":\"us\n[1,\"x\"]\nnull 7\n{\"role\":\"user\",\"content\":\"c\",\"n\":1e400}\n" +
		"{\"role\":\"user\",\"content\":NaN}\n[{\"role\":\"user\",\"content\":\"d\"},\n{\"broken\n]\n{\"role\":\"user\",\"content\":\"\xff\"}", "messages 5, user 5"},
}

// count runs count.py, without a Python nothing. Arguments follow the files.
func count(t *testing.T, input string, args ...string) (out string, code int, ok bool) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", 0, false
	}
	for _, name := range []string{"count.py", "count_rules.py", "count_every.py"} {
		if _, err := os.Stat(name); err != nil { // and the result is not cached when they change
			t.Fatal(err)
		}
	}
	cmd := exec.Command(python, append([]string{"count.py"}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	b, err := cmd.Output()
	if cmd.ProcessState == nil || err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("count.py %v: %v", args, err)
	}
	return string(b), cmd.ProcessState.ExitCode(), true
}

func TestCount(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{}
	for _, c := range counted {
		path := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")+".jsonl")
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		want[path] = c.want
	}
	out, _, ok := count(t, "", dir)
	if !ok {
		return
	}
	for line := range strings.Lines(out) {
		path, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if want[path] == "" {
			continue // the sum
		}
		if _, got, _ := strings.Cut(rest, ": "); !strings.HasSuffix(got, want[path]) {
			t.Errorf("%s: %s, want %s", filepath.Base(path), got, want[path])
		}
		delete(want, path)
	}
	if len(want) > 0 {
		t.Errorf("not printed: %v\n%s", want, out)
	}
}

// Members of gzip follow each other, and the last may be cut off.
func TestCountReadsGzip(t *testing.T) {
	var b bytes.Buffer
	for range 2 {
		z := gzip.NewWriter(&b)
		z.Write([]byte(strings.Repeat("{\"role\":\"user\",\"content\":\"x\"}\n", 3)))
		z.Close()
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, b.Bytes()[:b.Len()-10], 0o644); err != nil {
		t.Fatal(err)
	}
	if out, _, ok := count(t, "", path); ok && !strings.Contains(out, "messages 6, user 6") {
		t.Error(out)
	}
}

// A difference is printed and fails.
func TestCountCompares(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a#1.jsonl")
	if err := os.WriteFile(path, []byte("{\"role\":\"user\",\"content\":\"x\"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(real, `\`, `\\`)
	same := `{"session_file":"` + name + `#L2","messages":1,"tool_calls":0}`
	if out, code, ok := count(t, same, "--json", "-", path); ok && (code != 0 || !strings.HasPrefix(out, "1 files")) {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code, ok := count(t, "", "--json", "-", path); ok && (code != 1 || !strings.Contains(out, "messages 1 here, 0 there")) {
		t.Errorf("exit %d: %s", code, out)
	}
}

// What a file says and no session holds is named, and fails.
func TestCountFindsEverything(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script")
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "x.jsonl"), filepath.Join(dir, "winnow")
	content := `{"type":"user","uuid":"1","message":{"content":"first\nsecond"}}
{"type":"assistant","uuid":"2","message":{"id":"m","content":[{"type":"text","text":"said "},{"type":"tool_use","id":"c1"}]}}
{"type":"user","uuid":"3","message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}}
`
	shows := func(messages string) string {
		return "#!/bin/sh\ncase \"$*\" in *sessions*) echo '{\"id\":\"s\"}';; *) echo '{\"messages\":[" + messages + "]}';; esac\n"
	}
	all := `{"content":"first\\nsecond"},{"content":"said","tool_calls":[{"id":"c1"}]},{"tool_call_id":"c1"}`
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	for messages, want := range map[string]string{
		all: "1 calls, 0 missing, 1 results, 0 missing, 2 texts, 0 missing\n",
		strings.Replace(all, `"tool_call_id":"c1"`, "", 1):  "1 results, 1 missing",
		strings.Replace(all, `{"id":"c1"}`, "", 1):          "1 calls, 1 missing",
		strings.Replace(all, `first\\nsecond`, "second", 1): "2 texts, 1 missing",
	} {
		if err := os.WriteFile(program, []byte(shows(messages)), 0o755); err != nil {
			t.Fatal(err)
		}
		out, code, ok := count(t, "", "--every", program, "--db", filepath.Join(dir, "w.db"), file)
		if ok && (!strings.Contains(out, want) || (code == 0) != (messages == all)) {
			t.Errorf("%s: exit %d, %s", messages, code, out)
		}
	}
}

package export

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// withoutPrompt cuts the generated system turn out of a record.
func withoutPrompt(t *testing.T, record string) string {
	t.Helper()
	head, rest, ok := strings.Cut(record, `{"from": "system", "value": "You are a function calling AI model.`)
	_, rest, ends := strings.Cut(rest, `<args-dict>}\n</tool_call>"}, `)
	if !ok || !ends {
		t.Fatalf("no generated prompt in %s", record)
	}
	return head + rest
}

const richTurns = `[{"from": "human", "value": "列出 \"files\"\n🙂"}, ` +
	`{"from": "gpt", "value": "<think>\nfirst\nls\n</think>\n<tool_call>\n{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls <a>\", \"n\": 1.0, \"big\": 12345678901234567890, \"e\": 1e5, \"x\": null}}\n</tool_call>\n` +
	`<tool_call>\n{\"name\": \"sh\", \"arguments\": {\"cmd\": \"a\\nb\"}}\n</tool_call>"}, ` +
	`{"from": "tool", "value": "<tool_response>\n{\"tool_call_id\": \"c1\", \"name\": \"sh\", \"content\": \"\"}\n</tool_response>\n` +
	`<tool_response>\n{\"tool_call_id\": \"c2\", \"name\": \"sh\", \"content\": {\"error\": null}}\n</tool_response>"}, ` +
	`{"from": "gpt", "value": "<think>\n</think>\ndone` + "\u2028" + `."}]`

func TestHermesRecord(t *testing.T) {
	s := rich(t, &trajectories)
	done := true
	s.Completed, s.Started = &done, "2026-01-02T03:04:05Z"
	line, rows := trajectories.Append(nil, s)
	want := `{"conversations": ` + richTurns + `, "timestamp": "2026-01-02T03:04:05Z", "model": "m-1", "completed": true}` + "\n"
	if got := withoutPrompt(t, string(line)); got != want || rows != 1 {
		t.Errorf("%d rows\n got %s\nwant %s", rows, got, want)
	}
	if !strings.Contains(string(line), `<tools>\n[{\"name\": \"sh\", \"description\": \"\", \"parameters\": {\"type\": \"object\"}, \"required\": null}]\n</tools>`) {
		t.Errorf("no tools in %s", line)
	}
	s.Completed, s.Started, s.Model = nil, "", ""
	line, _ = trajectories.Append(nil, s)
	if got := withoutPrompt(t, string(line)); got != `{"conversations": `+richTurns+"}\n" {
		t.Errorf("what is unknown is not left out: %s", got)
	}
}

func TestShareGPTRecord(t *testing.T) {
	line, _ := sharegpt.Append(nil, rich(t, &sharegpt))
	want := `{"conversations": [{"from": "system", "value": "be good"}, {"from": "human", "value": "列出 \"files\"\n🙂"}, ` +
		`{"from": "gpt", "value": "<think>\nfirst\nls\n</think>\n<tool_call>\n{\"name\": \"sh\", \"arguments\": {\"cmd\": \"ls <a>\", \"n\": 1.0, \"big\": 12345678901234567890, \"e\": 1e5, \"x\": null}}\n</tool_call>\n` +
		`<tool_call>\n{\"name\": \"sh\", \"arguments\": {\"cmd\": \"a\\nb\"}}\n</tool_call>"}, ` +
		`{"from": "tool", "value": "<tool_response>\n\n</tool_response>\n<tool_response>\n{\"error\":null}\n</tool_response>"}, ` +
		`{"from": "gpt", "value": "done` + "\u2028" + `."}], ` +
		`"tools": "[{\"type\":\"function\",\"function\":{\"name\":\"sh\",\"parameters\":{\"type\":\"object\"}}}]", "source": "default"}` + "\n"
	if string(line) != want {
		t.Errorf("\n got %s\nwant %s", line, want)
	}
}

// All rows of a batch count all tools, so that loaders see one schema.
func TestBatchRowsShareOneSchema(t *testing.T) {
	l := &library{}
	thinks := func(m chat.Message) chat.Message { m.Reasoning = "r"; return m }
	l.add(func(_ *review.Segment, s *review.Session) {
		no := false
		s.Completed, s.Metadata = &no, `{"metadata": {"batch_num": 0},"toolsets_used":["web"],"partial":true,"api_calls":9}`
	}, user("u"), thinks(calls("1", "2")), result("1", "x"), chat.Message{Role: chat.Tool, ToolCallID: "2", Name: "sh", Content: "error: no"}, says("a"))
	l.add(nil, user("u"), thinks(chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{ID: "1", Name: "ls", Arguments: "{}"}}}), result("1", "x"), says("b"))
	l.add(nil, user("u"), thinks(says("c")))
	l.add(nil, user("u"), says("no reasoning"))
	path := filepath.Join(t.TempDir(), "out.jsonl")
	r := run(t, l, Options{Path: path, As: "hermes-batch"})
	if r.Written != 3 || len(r.LeftOut) != 1 || r.LeftOut[0].Check != OutNoReasoning {
		t.Fatalf("%+v", r)
	}
	want := []string{
		`"metadata": {"batch_num":0}, "completed": false, "partial": true, "api_calls": 2, "toolsets_used": ["web"], ` +
			`"tool_stats": {"ls": {"count": 0, "success": 0, "failure": 0}, "sh": {"count": 2, "success": 1, "failure": 1}}, "tool_error_counts": {"ls": 0, "sh": 1}}`,
		`"metadata": {"timestamp": "", "model": ""}, "partial": false, "api_calls": 2, ` +
			`"tool_stats": {"ls": {"count": 1, "success": 1, "failure": 0}, "sh": {"count": 0, "success": 0, "failure": 0}}, "tool_error_counts": {"ls": 0, "sh": 0}}`,
		`"metadata": {"timestamp": "", "model": ""}, "partial": false, "api_calls": 1, ` +
			`"tool_stats": {"ls": {"count": 0, "success": 0, "failure": 0}, "sh": {"count": 0, "success": 0, "failure": 0}}, "tool_error_counts": {"ls": 0, "sh": 0}}`,
	}
	others := filepath.Join(filepath.Dir(path), "out.nocompleted.notoolsets.jsonl")
	for i, line := range strings.Split(strings.TrimSpace(read(t, path)+read(t, others)), "\n") {
		if !strings.HasPrefix(line, `{"prompt_index": `+string(rune('0'+i))+`, "conversations": [`) || !strings.HasSuffix(line, "], "+want[i]) {
			t.Errorf("row %d: %s\nwant …%s", i+1, line, want[i])
		}
	}
	for at, want := range map[string]int{path: 1, others: 2} {
		if rows, err := batchRuns.Validate(strings.NewReader(read(t, at))); rows != want || err != nil {
			t.Error(rows, err)
		}
	}
	if r := run(t, l, Options{Path: path, As: "hermes-batch", KeepNoReasoning: true, Selection: Selection{}, Force: true}); r.Written != 4 {
		t.Errorf("%d samples with KeepNoReasoning", r.Written)
	}
}

// What did not succeed has a file of its own in a folder, but not beside a
// file.
func TestHermesKeepsOneFile(t *testing.T) {
	l := &library{}
	yes, no := true, false
	for range 2 {
		l.add(func(_ *review.Segment, s *review.Session) { s.Completed = &yes }, user("u"), says("a"))
	}
	l.add(func(_ *review.Segment, s *review.Session) { s.Completed = &no }, user("u"), says("a"))
	dir := t.TempDir()
	r := run(t, l, Options{Path: filepath.Join(dir, "out.jsonl"), As: "hermes"})
	if len(r.Files) != 1 || r.Files[0].Rows != 3 {
		t.Errorf("%+v", r.Files)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
}

// In a folder each has the name that the published format gives it.
func TestHermesFolder(t *testing.T) {
	l := good(2)
	no := false
	l.add(func(_ *review.Segment, s *review.Session) { s.Completed = &no }, user("u"), says("a"))
	dir := filepath.Join(t.TempDir(), "set") + "/"
	r := run(t, l, Options{Path: dir, As: "hermes"})
	rows := map[string]int{}
	for _, f := range r.Files {
		rows[filepath.Base(f.Path)] = f.Rows
	}
	if rows["trajectory_samples.jsonl"] != 2 || rows["failed_trajectories.jsonl"] != 1 {
		t.Errorf("%+v", r.Files)
	}
}

// A file of either kind is read by its own rules.
func TestLintTellsTrajectoriesApart(t *testing.T) {
	for _, e := range []*Emitter{&sharegpt, &trajectories, &batchRuns} {
		line, _ := e.Append(nil, rich(t, e))
		done, err := LintFile(t.Context(), bytes.NewReader(line), Linting{}, func(f LintFinding) { t.Errorf("%s: %+v", e.Name, f) })
		if err != nil || done.As != e.Name {
			t.Errorf("%s is read as %s, %v", e.Name, done.As, err)
		}
	}
}

// Repairs of trajectories, and what they are left out for.
func TestHermesChecks(t *testing.T) {
	with := func(arguments string) chat.Message {
		m := calls("1")
		m.ToolCalls[0].Arguments = arguments
		return m
	}
	for _, c := range []struct {
		name              string
		messages          []chat.Message
		repairs, findings string
	}{
		{"system messages go silently", []chat.Message{sys("s"), user("u"), says("a"), sys("t"), user("u"), says("b")}, "", ""},
		{"assistants stay apart", []chat.Message{user("u"), says("a"), says("b")}, "", ""},
		{"reasoning stays in the content", []chat.Message{user("u"), says("<think>r</think>a")}, "", ""},
		{"nothing but reasoning says nothing", []chat.Message{user("u"), says("a"), says("<think>r</think>")}, "empty_assistant:3", ""},
		{"broken arguments", []chat.Message{user("u"), with("{no"), result("1", "x"), says("a")}, "broken_arguments:2", ""},
		{"arguments that are no object", []chat.Message{user("u"), with("[1]"), result("1", "x"), says("a")}, "", "arguments:2"},
		{"a stray result", []chat.Message{user("u"), result("1", "x"), says("a")}, "stray_result:2", ""},
		{"a result too many", []chat.Message{user("u"), with("{}"), result("1", "x"), result("2", "x"), says("a")}, "", "orphan_result:4"},
		{"a result too few", []chat.Message{user("u"), calls("1", "2"), result("1", "x"), says("a")}, "", "unanswered_call:2"},
		{"a tag as text", []chat.Message{user("<tool_call></tool_call>"), says("a <tool_call></tool_call>")}, "", "reserved_tags:2"},
		{"a tag in JSON", []chat.Message{user("u"), with(`{"a":"</tool_call>"}`), result("1", "</tool_response>"), says("a")}, "argument_tags:2", ""},
	} {
		s := sampleOf(c.messages...)
		repairs, findings := trajectories.Prepare(s)
		if names(repairs) != c.repairs || names(findings) != c.findings {
			t.Errorf("%s: repairs %v, findings %v", c.name, repairs, findings)
		}
		if len(findings) > 0 {
			continue
		}
		line, _ := trajectories.Append(nil, s)
		if _, err := trajectories.Validate(bytes.NewReader(line)); err != nil {
			t.Errorf("%s: %v: %s", c.name, err, line)
		}
		// A tag in JSON is none in the record.
		if text := withoutPrompt(t, string(line)); strings.Contains(text, `\"</tool_`) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// Each change breaks the format: the validator must see it.
func TestHermesValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		e        *Emitter
		old, new string
	}{
		{&trajectories, `"from": "human"`, `"from": "user"`},
		{&trajectories, `"from": "human", "value"`, `"value"`},
		{&trajectories, `"conversations": [`, `"conversations":[`},
		{&trajectories, `{"conversations"`, `{"id": "x", "conversations"`},
		{&trajectories, `"model": "m-1"`, `"model": null`},
		{&trajectories, `\"required\": null`, `\"required\": []`},
		{&trajectories, `{\"cmd\": \"a`, `{\"cmd\":\"a`},
		{&trajectories, `\n</tool_call>\n`, `</tool_call>\n`},
		{&trajectories, `{\"error\": null}`, `\"{\\\"error\\\": null}\"`},
		{&trajectories, `\"c2\", \"name\": \"sh\"`, `\"c2\", \"name\": \"ls\"`},
		{&trajectories, `<think>\n</think>\ndone`, `done`},
		{&trajectories, `."}]`, `. "}]`},
		{&sharegpt, `, "source": "default"`, ``},
		{&sharegpt, `"tools": "[`, `"tools": "[{},`},
		{&sharegpt, `<tool_response>\n\n<`, `<tool_response>\n<`},
		{&sharegpt, `{\"cmd\": \"a`, `{\"cmd\":\"a`},
		{&sharegpt, `"from": "gpt", "value": "done`, `"from": "gpt", "value": "<think>\n</think>\ndone`},
		{&batchRuns, `"prompt_index": 0`, `"prompt_index": "0"`},
		{&batchRuns, `"count": 2`, `"count": "2"`},
		{&batchRuns, `"success": 1`, `"successes": 1`},
		{&batchRuns, `{"sh": {"count"`, `{"ls": {"count"`},
		{&batchRuns, `"tool_error_counts": {"sh": 1}`, `"tool_error_counts": {}`},
		{&batchRuns, `"partial": false`, `"partial": null`},
		{&batchRuns, `<think>\n</think>\ndone`, `done`},
	} {
		line, _ := c.e.Append(nil, rich(t, c.e))
		if _, err := c.e.Validate(bytes.NewReader(line)); err != nil {
			t.Fatalf("%s: %v", c.e.Name, err)
		}
		broken := strings.Replace(string(line), c.old, c.new, 1)
		if broken == string(line) {
			t.Errorf("%s: no %s in %s", c.e.Name, c.old, line)
		} else if _, err := c.e.Validate(strings.NewReader(broken)); err == nil {
			t.Errorf("%s accepts %s in place of %s", c.e.Name, c.new, c.old)
		}
	}
}

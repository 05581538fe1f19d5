package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/review"
)

const toolsRecorded = `[{"name":"sh","input_schema":{"type":"object"}}]`

// rich is a sample with everything a record can hold.
func rich(t *testing.T, e *Emitter) *Sample {
	t.Helper()
	messages := []chat.Message{
		sys("be good"), user("列出 \"files\"\n🙂"),
		{Role: chat.Assistant, Reasoning: "first\nls", ToolCalls: []chat.ToolCall{
			{ID: "c1", Name: "sh", Arguments: `{"cmd": "ls <a>", "n": 1.0, "big": 12345678901234567890, "e": 1e5, "x": null}`},
			{ID: "c2", Name: "sh", Arguments: "{\n  \"cmd\": \"a\\nb\"\n}"},
		}},
		{Role: chat.Tool, Content: "", ToolCallID: "c1", Name: "sh"},
		{Role: chat.Tool, Content: "{\"error\":null}", ToolCallID: "c2"},
		says("done\u2028."),
	}
	for i := range messages {
		messages[i].N = i + 1
	}
	score := 0.8
	seg := &review.Segment{
		AgentID: "default", SessionFile: "/home/ann/a.jsonl#s=x/y", Start: 1, End: len(messages),
		Topic: "files", Score: &score, TaskType: "ops", Verdict: review.Approved,
	}
	seg.Digest = chat.Digest{Fingerprint: "0123456789abcdef"}
	s := New(seg, &review.Session{Format: "openai", Model: "m-1", Tools: toolsRecorded}, messages)
	if repairs, findings := e.Prepare(s); len(repairs)+len(findings) > 0 {
		t.Fatal(repairs, findings)
	}
	return s
}

func TestHFRecord(t *testing.T) {
	lines, rows := hf.Append(nil, rich(t, &hf))
	want := `{"id":"6e63343855a5989c-0123456789abcdef","messages":[{"role":"system","content":"be good"},` +
		`{"role":"user","content":"列出 \"files\"\n🙂"},` +
		`{"role":"assistant","content":"","reasoning_content":"first\nls","tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"sh","arguments":{"cmd": "ls <a>", "n": 1.0, "big": 12345678901234567890, "e": 1e5, "x": null}}},` +
		`{"id":"c2","type":"function","function":{"name":"sh","arguments":{"cmd":"a\nb"}}}],"train":true},` +
		`{"role":"tool","content":"","tool_call_id":"c1","name":"sh"},{"role":"tool","content":"{\"error\":null}","tool_call_id":"c2"},` +
		`{"role":"assistant","content":"done` + "\u2028" + `.","train":true}],` +
		`"tools":"[{\"type\":\"function\",\"function\":{\"name\":\"sh\",\"parameters\":{\"type\":\"object\"}}}]",` +
		`"provenance":"{\"agent\":\"default\",\"session\":\"a.jsonl#s=x/y\",\"start_line\":1,\"end_line\":6,\"fingerprint\":\"0123456789abcdef\",\"format\":\"openai\",\"model\":\"m-1\",\"topic\":\"files\",\"task_type\":\"ops\",\"score\":0.8,\"verdict\":\"approved\"}"}` + "\n"
	if string(lines) != want || rows != 1 {
		t.Errorf("%d rows\n got %s\nwant %s", rows, lines, want)
	}
}

func TestOpenAIRecord(t *testing.T) {
	lines, rows := openai.Append(nil, rich(t, &openai))
	want := `{"messages":[{"role":"system","content":"be good"},{"role":"user","content":"列出 \"files\"\n🙂"},` +
		`{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"sh","arguments":"{\"cmd\": \"ls <a>\", \"n\": 1.0, \"big\": 12345678901234567890, \"e\": 1e5, \"x\": null}"}},` +
		`{"id":"c2","type":"function","function":{"name":"sh","arguments":"{\n  \"cmd\": \"a\\nb\"\n}"}}],"weight":1},` +
		`{"role":"tool","content":"","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":null}","tool_call_id":"c2"},` +
		`{"role":"assistant","content":"done` + "\u2028" + `.","weight":1}],` +
		`"tools":[{"type":"function","function":{"name":"sh","parameters":{"type":"object"}}}],"parallel_tool_calls":true}` + "\n"
	if string(lines) != want || rows != 1 {
		t.Errorf("%d rows\n got %s\nwant %s", rows, lines, want)
	}
}

// The strict reader of a format gives back what the reader of all formats
// does; ids that are not there are given by position.
func TestReadBackIsTheSameSample(t *testing.T) {
	for i := range ofSamples() {
		e := &ofSamples()[i]
		s := rich(t, e)
		lines, _ := e.Append(nil, s)
		var back [][]same
		for line := range strings.Lines(string(lines)) {
			read, err := e.Read([]byte(strings.TrimSpace(line)))
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			if read.Tools != s.Tools && e.Name != "sft" && !e.asRecorded {
				t.Errorf("%s: tools %s", e.Name, read.Tools)
			}
			if len(read.Messages) == len(s.Messages) && !read.Messages[len(read.Messages)-1].Train {
				t.Errorf("%s: the last message is not trained", e.Name)
			}
			back = append(back, wanted(losses[e.Name](read)[0]))
			if e.Name == "steps" || e.Name == "kto" {
				back[len(back)-1] = wanted(read.Messages)
			}
		}
		var want [][]same
		for _, rows := range losses[e.Name](s) {
			want = append(want, wanted(rows))
		}
		compare(t, e.Name, want, back)
	}
}

// Every JSON value on a record's own levels is checked for what templates and
// loaders break on. Recorded arguments and schemas may hold anything.
func TestNoNullNoEmptyListNoNumbers(t *testing.T) {
	for _, c := range []struct {
		e      *Emitter
		lacks  []string
		sample *Sample
	}{
		{&hf, []string{"null", "[]", "weight"}, sampleOf(user("u"), says("a"))},
		{&hf, []string{"null", "[]"}, sampleOf(user("u"), calls("1"), result("1", "x"), says("a"))},
		{&openai, []string{"null", "[]", "train", "reasoning", `"name":"sh"}`, `"id":"2`, "provenance"}, sampleOf(user("u"), calls("1"), result("1", "x"), says("a"))},
	} {
		c.e.Prepare(c.sample)
		line, _ := c.e.Append(nil, c.sample)
		for _, word := range c.lacks {
			if strings.Contains(string(line), word) {
				t.Errorf("%s: %s in %s", c.e.Name, word, line)
			}
		}
	}
}

func TestValidateAcceptsWhatIsWritten(t *testing.T) {
	for i := range ofSamples() {
		e := &ofSamples()[i]
		var file []byte
		want := 0
		for range 3 {
			var rows int
			file, rows = e.Append(file, rich(t, e))
			want += rows
		}
		if rows, err := e.Validate(bytes.NewReader(file)); rows != want || err != nil {
			t.Errorf("%s: %d rows, %v", e.Name, rows, err)
		}
	}
}

// Each change breaks one rule of the format: the validator must see it.
func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		e        *Emitter
		old, new string
	}{
		{&hf, `"train":true}]`, `"train":null}]`},
		{&hf, `,"train":true}]`, `}]`},
		{&hf, `"content":"be good"}`, `"content":"be good","train":false}`},
		{&hf, `"content":"be good"`, `"content":null`},
		{&hf, `"role":"system","content":"be good"`, `"content":"be good","role":"system"`},
		{&hf, `"role":"system"`, `"role":"developer"`},
		{&hf, `{"id"`, `{"model":"x","id"`},
		{&hf, `"provenance":"{`, `"provenance":"`},
		{&hf, `"tools":"[`, `"tools":"`},
		{&hf, `{"cmd":"a\nb"}`, `"{}"`},
		{&hf, `{"cmd":"a\nb"}`, `[]`},
		{&hf, `"tool_call_id":"c2"`, `"tool_call_id":"c3"`},
		{&hf, `"tool_call_id":"c1","name":"sh"`, `"name":"sh","tool_call_id":"c1"`},
		{&hf, `"type":"function","function":{"name":"sh","arguments":{"cmd":`, `"type":"tool","function":{"name":"sh","arguments":{"cmd":`},
		{&hf, "be good", "be \xff good"},
		{&hf, "done", `</think>`},
		{&hf, "}\n", "}"},
		{&hf, "}\n", "}\n\n"},
		{&hf, "}\n", "}{}\n"},
		{&openai, `"weight":1}]`, `"weight":2}]`},
		{&openai, `"weight":1}]`, `"weight":true}]`},
		{&openai, `"weight":1}]`, `"weight":1,"train":true}]`},
		{&openai, `,"weight":1}]`, `}]`},
		{&openai, `{"messages"`, `{"id":"x","messages"`},
		{&openai, `"content":""`, `"content":"","reasoning_content":"r"`},
		{&openai, `"tool_call_id":"c1"`, `"tool_call_id":"c1","name":"sh"`},
		{&openai, `"{\n  \"cmd\": \"a\\nb\"\n}"`, `{"cmd":"a"}`},
		{&openai, `"{\n  \"cmd\": \"a\\nb\"\n}"`, `"[]"`},
		{&openai, `"tools":[{"type":"function",`, `"tools":[{`},
		{&openai, `"tools":[{"type":"function","function":{"name":"sh","parameters":{"type":"object"}}}]`, `"tools":[]`},
	} {
		line, _ := c.e.Append(nil, rich(t, c.e))
		broken := strings.Replace(string(line), c.old, c.new, 1)
		if broken == string(line) {
			t.Errorf("%s: no %s in %s", c.e.Name, c.old, line)
		} else if _, err := c.e.Validate(strings.NewReader(broken)); err == nil {
			t.Errorf("%s accepts %s in place of %s", c.e.Name, c.new, c.old)
		}
	}
}

func TestValidateWantsTheSameKeysInEveryRow(t *testing.T) {
	file, _ := openai.Append(nil, rich(t, &openai))
	plain := rich(t, &openai)
	plain.Tools = ""
	file, _ = openai.Append(file, plain)
	if _, err := openai.Validate(bytes.NewReader(file)); err == nil || !strings.HasPrefix(err.Error(), "line 2:") {
		t.Errorf("rows with and without tools in one file: %v", err)
	}
}

func TestFind(t *testing.T) {
	if e, err := Find(""); err != nil || e.Name != "hf" {
		t.Errorf("the default is %v, %v", e, err)
	}
	if _, err := Find("nope"); err == nil || !strings.Contains(err.Error(), "hf, openai") {
		t.Errorf("the error does not help: %v", err)
	}
	seen := map[string]bool{}
	for _, e := range Emitters() {
		if seen[e.Name] || e.Description == "" {
			t.Errorf("emitter %q", e.Name)
		}
		seen[e.Name] = true
	}
}

// The names of folders tell who recorded a session, and data gets published.
func TestProvenanceNamesNoFolder(t *testing.T) {
	for file, want := range map[string]string{
		"/home/ann/x.jsonl#L4": "x.jsonl#L4", "/home/ann/#inbox/x.jsonl": "x.jsonl", "/home/ann/c#/x.jsonl#s=a/b": "x.jsonl#s=a/b",
	} {
		p := New(&review.Segment{SessionFile: file}, &review.Session{}, nil).Provenance
		if !strings.Contains(p, `"session":"`+want+`"`) || strings.Contains(p, "ann") {
			t.Errorf("%s: %s", file, p)
		}
	}
}

// Whatever a session holds, a sample that passes the checks is written as
// valid records that read back.
func FuzzRecords(f *testing.F) {
	f.Add("u", "a", "r", `{"a":1}`, "id", "x", "[]")
	f.Add("u\x00", "<think>x</think>", " ", "{\n}", "", "\u2028", toolsRecorded)
	f.Add("\xff", "</think>", "r", `{"a":"\u0000"}`, "id", "</tool_response>", `[{"name":1}]`)
	f.Fuzz(func(t *testing.T, ask, text, thought, arguments, id, output, tools string) {
		messages := []chat.Message{
			user(ask), {Role: chat.Assistant, Content: text, Reasoning: thought, ToolCalls: []chat.ToolCall{{ID: id, Name: "sh", Arguments: arguments}}},
			result(id, output), says(text),
		}
		for i := range ofSamples() {
			e := &ofSamples()[i]
			seg := &review.Segment{AgentID: ask, SessionFile: text, Start: 1, End: 4}
			s := New(seg, &review.Session{Tools: tools}, messages)
			if _, findings := e.Prepare(s); len(findings) > 0 {
				continue
			}
			lines, rows := e.Append(nil, s)
			if n, err := e.Validate(bytes.NewReader(lines)); err != nil || n != rows {
				t.Fatalf("%s: %v\n%s", e.Name, err, lines)
			}
			for line := range bytes.Lines(lines) {
				if !jsontext.Value(line).IsValid() {
					t.Fatalf("%s: %s", e.Name, line)
				}
			}
		}
	})
}

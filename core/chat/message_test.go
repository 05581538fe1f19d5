package chat

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

func TestFailed(t *testing.T) {
	for content, want := range map[string]bool{
		"":                                      true,
		"  ":                                    false,
		"ok":                                    false,
		"error: no such file":                   true,
		" \n\tErRoR: x":                         true,
		"error":                                 false,
		"Errors: none":                          false,
		"an error: x":                           false,
		`{"error":"boom"}`:                      true,
		`{"error":""}`:                          true,
		`{"error":{}}`:                          true,
		` {"error":false} `:                     true,
		`{"error":null}`:                        false,
		`{"error":"x","error":null}`:            false, // the last one counts
		`{"error":null,"error":"x"}`:            true,
		`{"success":false}`:                     true,
		`{"success":true}`:                      false,
		`{"success":0}`:                         false,
		`{"success":null}`:                      false,
		`{"content":{"error":"x"}}`:             true,
		`{"content":{"error":null}}`:            false,
		`{"content":"error: x"}`:                false,
		`{"result":{"error":"x"}}`:              false,
		`{"err\u006fr":1}`:                      true,
		`"{\"error\":\"boom\"}"`:                true,
		`"{\"success\":false}"`:                 true,
		`"error: in a string"`:                  false,
		`"\"{\\\"error\\\":1}\""`:               false, // a string is opened once
		`[{"error":1}]`:                         false,
		`{"error": "cut`:                        false,
		`{"error":"x"} trailing`:                false,
		`{"exit_code":127,"output":"error: x"}`: false,
		"null":                                  false,
	} {
		m := Message{Role: Tool, Content: content}
		if got := m.Failed(); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
	vectors(t, "tool_failures.jsonl", func(line []byte) {
		var v struct {
			Content string `json:"content"`
			Failure bool   `json:"failure"`
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		if m := (Message{Role: Tool, Content: v.Content}); m.Failed() != v.Failure {
			t.Errorf("%s: %v", line, m.Failed())
		}
	})
	if m := (Message{Role: Tool, Content: "ok", IsError: true}); !m.Failed() {
		t.Error("the recorder's mark is ignored")
	}
	if m := (Message{Role: User, Content: "", IsError: true}); m.Failed() {
		t.Error("only tool results fail")
	}
}

func TestBody(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want string
	}{
		{Message{Role: User, Content: "hi\n"}, "hi\n"},
		{Message{Role: User}, ""},
		{Message{Role: Assistant, Content: "a", Reasoning: "r"}, "[reasoning]\nr\n\na"},
		{Message{Role: Assistant, Content: "a", Reasoning: " \n"}, "a"},
		{Message{Role: Assistant, Reasoning: "r", ToolCalls: []ToolCall{{ID: "1", Name: "sh", Arguments: `{"a": 1.0}`}, {Name: "n", Arguments: "cut {"}}, Content: "a"},
			"[reasoning]\nr\n\n[tool_calls]\n" + `[{"id":"1","name":"sh","arguments":{"a": 1.0}},{"name":"n","arguments":"cut {"}]` + "\n\na"},
		{Message{Role: Tool, Content: "x"}, "x"},
		{Message{Role: Tool, Content: "x", Name: "sh"}, "(name=sh)\nx"},
		{Message{Role: Tool, Content: "x", ToolCallID: "1"}, "(id=1)\nx"},
		{Message{Role: Tool, Content: "", Name: "sh", ToolCallID: "1"}, "(name=sh, id=1)\n"},
	} {
		if got := c.m.Body(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
}

func TestEmptyAndSize(t *testing.T) {
	for _, c := range []struct {
		m     Message
		empty bool
		size  int
	}{
		{Message{}, true, 0},
		{Message{Content: " \n"}, true, 2},
		{Message{Content: "é"}, false, 2},
		{Message{Reasoning: "r"}, false, 1},
		{Message{ToolCalls: []ToolCall{{ID: "1", Name: "sh", Arguments: "{}"}}}, false, 4},
	} {
		if c.m.Empty() != c.empty || c.m.Size() != c.size {
			t.Errorf("%+v: %v, %d", c.m, c.m.Empty(), c.m.Size())
		}
	}
}

func TestParseRole(t *testing.T) {
	for name, want := range map[string]Role{
		"system": System, "developer": System, "user": User, "assistant": Assistant, "tool": Tool, "function": Tool,
		"": "", "User": "", "human": "", "toolResult": "",
	} {
		if got, ok := ParseRole(name); got != want || ok != (want != "") {
			t.Errorf("ParseRole(%q) = %q, %v", name, got, ok)
		}
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-02T15:04:05Z":             "2026-01-02T15:04:05Z",
		"2026-01-02T15:04:05.123Z":         "2026-01-02T15:04:05.123Z",
		"2026-01-02T15:04:05.123456+02:00": "2026-01-02T13:04:05.123456Z",
		"2026-01-02T15:04:05":              "2026-01-02T15:04:05Z",
		"2026-01-02T15:04:05.5":            "2026-01-02T15:04:05.5Z",
		"2026-01-02 15:04:05":              "2026-01-02T15:04:05Z",
		"2026-01-02 15:04:05.25+01:00":     "2026-01-02T14:04:05.25Z",
		"2026-01-02":                       "2026-01-02T00:00:00Z",
		"1767366245":                       "2026-01-02T15:04:05Z",
		"1767366245.5":                     "2026-01-02T15:04:05.5Z",
		"1767366245123":                    "2026-01-02T15:04:05.123Z",
		"":                                 "",
		"yesterday":                        "",
		"0":                                "",
		"-5":                               "",
		"NaN":                              "",
		"1e400":                            "",
		"2026-13-02":                       "",
	} {
		got, ok := ParseTime(text)
		if ok != (want != "") || ok && got.Format(time.RFC3339Nano) != want {
			t.Errorf("ParseTime(%q) = %v, %v; want %s", text, got, ok, want)
		}
	}
}

func TestAppendCanonical(t *testing.T) {
	m := Message{
		N: 3, Role: Assistant, Content: "a\"\n<é>\xff", Reasoning: "r", StopReason: "stop", Model: "m", Timestamp: "now", Marks: MarkImage | MarkFile,
		ToolCalls: []ToolCall{{ID: "1", Name: "sh", Arguments: `{"a": 1.0}`}, {Name: "x"}},
	}
	want := `{"role":"assistant","content":"a\"\n<é>` + "\uFFFD" + `","reasoning":"r","call_id":"1","call":"sh","arguments":"{\"a\": 1.0}","call":"x","stop_reason":"stop","model":"m","marks":5}`
	if got := string(AppendCanonical(nil, &m)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	tool := Message{Role: Tool, ToolCallID: "1", Name: "sh", IsError: true}
	if got := string(AppendCanonical([]byte("> "), &tool)); got != `> {"role":"tool","content":"","tool_call_id":"1","name":"sh","is_error":true}` {
		t.Error(got)
	}
}

func TestIsObject(t *testing.T) {
	for text, want := range map[string]bool{
		"{}": true, ` {"a": [1, {"b": 1.0}]} ` + "\n": true, `{"a":1,"a":2}`: true, `{"a":"\ud800"}`: true,
		"": false, "[]": false, "null": false, `"{}"`: false, `{"a":1`: false, "{} {}": false, `{'a':1}`: false, "{\"a\":\"\n\"}": false,
	} {
		if IsObject(text) != want {
			t.Errorf("IsObject(%q) = %v", text, !want)
		}
	}
}

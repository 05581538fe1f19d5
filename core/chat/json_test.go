package chat

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestAppendJSON: the normalized shape, field by field.
func TestAppendJSON(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Message
		want string
	}{
		{"nothing but what must be", Message{N: 1, Role: Tool}, `{"n":1,"role":"tool","content":""}`},
		{"everything", Message{
			N: 3, Role: Assistant, Content: "c", Reasoning: "r", ToolCallID: "t", Name: "n", IsError: true,
			StopReason: "s", Model: "m", Timestamp: "2026", SourceLine: 7,
			ToolCalls: []ToolCall{{ID: "c1", Name: "ls", Arguments: `{"b" : 1.0,"a":12345678901234567890}`}},
		}, `{"n":3,"role":"assistant","content":"c","reasoning":"r","tool_calls":[{"id":"c1","name":"ls","arguments":{"b" : 1.0,"a":12345678901234567890}}],` +
			`"tool_call_id":"t","name":"n","is_error":true,"stop_reason":"s","model":"m","timestamp":"2026","source_line":7}`},
		{"arguments on several lines", Message{N: 1, Role: Assistant, ToolCalls: []ToolCall{
			{Name: "ls", Arguments: "{\n  \"b\" : 1.0,\r\n\"a\":12345678901234567890, \"b\": \"x\\ny\"\n}\n"},
		}}, `{"n":1,"role":"assistant","content":"","tool_calls":[{"name":"ls","arguments":{"b":1.0,"a":12345678901234567890,"b":"x\ny"}}]}`},
		{"arguments that are no object", Message{N: 1, Role: Assistant, ToolCalls: []ToolCall{
			{Name: "a", Arguments: `{"x":`}, {Name: "b", Arguments: `[1]`}, {Name: "c"},
		}}, `{"n":1,"role":"assistant","content":"","tool_calls":[{"name":"a","arguments_raw":"{\"x\":"},{"name":"b","arguments_raw":"[1]"},{"name":"c","arguments_raw":""}]}`},
		{"invalid UTF-8 stays valid JSON", Message{N: 1, Role: User, Content: "a\xffb", ToolCalls: []ToolCall{
			{Name: "a", Arguments: "{\"x\":\"\xff\"}"},
		}}, `{"n":1,"role":"user","content":"a` + "\uFFFD" + `b","tool_calls":[{"name":"a","arguments_raw":"{\"x\":\"` + "\uFFFD" + `\"}"}]}`},
	} {
		got := AppendJSON(nil, &c.m)
		if string(got) != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if !jsontext.Value(got).IsValid(jsontext.AllowDuplicateNames(true)) || bytes.ContainsAny(got, "\n\r") {
			t.Errorf("%s: not valid JSON on one line: %s", c.name, got)
		}
	}
}

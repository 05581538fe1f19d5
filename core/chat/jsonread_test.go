package chat

import (
	"reflect"
	"testing"
)

// TestParseJSON reads back what AppendJSON writes.
func TestParseJSON(t *testing.T) {
	for _, m := range []Message{
		{N: 7, Role: User, Content: "hi\n\"there\"", SourceLine: 4, Timestamp: "2026-05-03T10:00:00Z"},
		{
			N: 1, Role: Assistant, Reasoning: "why", StopReason: "stop", Model: "m",
			ToolCalls: []ToolCall{{ID: "1", Name: "sh", Arguments: `{"b": 1.0, "a":2}`}, {Name: "x", Arguments: "[1"}, {Name: "y"}},
		},
		{N: 2, Role: Tool, Content: "out", ToolCallID: "1", Name: "sh", IsError: true},
	} {
		want := m
		want.N, want.SourceLine, want.Timestamp = 0, 0, ""
		got, err := ParseJSON(AppendJSON(nil, &m))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v %v, want %+v", got, err, want)
		}
	}
	for _, text := range []string{"", "[]", `{"role":"robot"}`, `{"content":"x"}`, `{"role":"user","content":5}`, `{"role":"user"} x`} {
		if m, err := ParseJSON([]byte(text)); err == nil {
			t.Errorf("%s is %+v", text, m)
		}
	}
}

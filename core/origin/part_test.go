package origin

import (
	"testing"

	"winnow/core/chat"
)

// TestPartOf: a message is found in the conversation that it was recorded in, by
// the ids of its calls before its text, and by its place among equal ones.
func TestPartOf(t *testing.T) {
	for _, c := range []struct {
		name       string
		text       string
		m          chat.Message
		of         int
		part, want string
	}{
		{"by its text", `{"id":1,"messages":[{"role":"user","content":"one"},{"role":"assistant","content":"two"}]}`,
			chat.Message{N: 2, Content: "two"}, 2, `{"role":"assistant","content":"two"}`, "messages[1]"},
		{"in a list", `[{"value":"one"},{"value":"two"}]`, chat.Message{N: 1, Content: "one"}, 2, `{"value":"one"}`, "[0]"},
		{"below other things", `{"run":{"log":{"turns":[{"value":"one"}]}}}`, chat.Message{N: 1, Content: "one"}, 1, `{"value":"one"}`, "run.log.turns[0]"},
		{"too far below", `{"a":{"b":{"c":{"d":{"e":[{"value":"one"}]}}}}}`, chat.Message{N: 1, Content: "one"}, 1, "", ""},
		{"of equal ones", `[{"v":"go on"},{"v":"x"},{"v":"go on"},{"v":"go on"}]`, chat.Message{N: 3, Content: "go on"}, 4, `{"v":"go on"}`, "[2]"},
		{"of equal ones after a system prompt", `[{"v":"sys"},{"v":"ok"},{"v":"a"},{"v":"ok"},{"v":"b"},{"v":"ok"}]`, chat.Message{N: 1, Content: "ok"}, 5, `{"v":"ok"}`, "[1]"},
		{"by its call", `[{"v":"same"},{"id":"call_2","v":"same"},{"id":"call_3","v":"same"}]`, chat.Message{N: 1, ToolCallID: "call_3", Content: "same"}, 3, `{"id":"call_3","v":"same"}`, "[2]"},
		{"by the calls it makes", `[{"v":"x"},{"calls":[{"id":"call_1","name":"run"}]}]`, chat.Message{N: 1, ToolCalls: []chat.ToolCall{{ID: "call_1", Name: "run"}}}, 2, `{"calls":[{"id":"call_1","name":"run"}]}`, "[1]"},
		{"not there", `[{"v":"one"}]`, chat.Message{N: 1, Content: "two"}, 1, "", ""},
		{"nothing to look for", `[{"v":""}]`, chat.Message{N: 1, Content: " \n"}, 1, "", ""},
		{"written otherwise", `[{"v":"caf\u00e9 \"x\""}]`, chat.Message{N: 1, Content: ` café "x" `}, 1, `{"v":"caf\u00e9 \"x\""}`, "[0]"},
		{"broken off", `[{"v":"one"},{"v":"tw`, chat.Message{N: 1, Content: "one"}, 2, `{"v":"one"}`, "[0]"},
		{"names twice", `{"a":[{"v":"one"}],"a":[{"v":"two"}]}`, chat.Message{N: 1, Content: "two"}, 1, `{"v":"two"}`, "a[0]"},
		{"no JSON", "one", chat.Message{N: 1, Content: "one"}, 1, "", ""},
	} {
		part, name := partOf([]byte(c.text), &c.m, c.of)
		if string(part) != c.part || name != c.want {
			t.Errorf("%s: %q %s, want %q %s", c.name, name, part, c.want, c.part)
		}
	}
}

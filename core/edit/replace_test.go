package edit

import (
	"strings"
	"testing"

	"winnow/core/chat"
)

func TestReplace(t *testing.T) {
	with := func(s string) string {
		return strings.NewReplacer("Zoé", "[name]", "1234", "[pin]", `a"b`, "[quote]").Replace(s)
	}
	for name, tt := range map[string]struct{ is, want chat.Message }{
		"nothing": {chat.Message{Role: "user", Content: "Zoe"}, chat.Message{Role: "user", Content: "Zoe"}},
		"texts": {
			chat.Message{Role: "assistant", Content: "I am Zoé", Reasoning: "Zoé, Zoé", ToolCalls: []chat.ToolCall{{ID: "Zoé", Name: "call_Zoé"}}},
			chat.Message{Role: "assistant", Content: "I am [name]", Reasoning: "[name], [name]", ToolCalls: []chat.ToolCall{{ID: "Zoé", Name: "call_[name]"}}},
		},
		"the name of a tool": {chat.Message{Role: "tool", Name: "Zoé"}, chat.Message{Role: "tool", Name: "[name]"}},
		"arguments": {
			chat.Message{Role: "assistant", ToolCalls: []chat.ToolCall{{Arguments: `{ "Zo\u00e9": ["Zoé\n", 51234, 1.0,true],"q":"a\"b"}`}}},
			chat.Message{Role: "assistant", ToolCalls: []chat.ToolCall{{Arguments: `{ "[name]": ["[name]\n", "5[pin]", 1.0,true],"q":"[quote]"}`}}},
		},
		"arguments that are no JSON": {
			chat.Message{Role: "assistant", ToolCalls: []chat.ToolCall{{Arguments: `{"a": "Zoé`}}},
			chat.Message{Role: "assistant", ToolCalls: []chat.ToolCall{{Arguments: `{"a": "[name]`}}},
		},
	} {
		got := tt.is
		changed := Replace(&got, with)
		if chat.SumOf(&got) != chat.SumOf(&tt.want) {
			t.Errorf("%s: %+v", name, got)
		}
		if changed != (name != "nothing") {
			t.Errorf("%s: changed: %v", name, changed)
		}
	}
}

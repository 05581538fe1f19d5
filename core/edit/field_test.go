package edit_test

import (
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
)

func TestSetField(t *testing.T) {
	made := func() chat.Message {
		return chat.Message{Role: chat.Assistant, Content: "c", ToolCalls: []chat.ToolCall{{Name: "a", Arguments: "{}"}, {Name: "b", Arguments: "{}"}}}
	}
	before := made()
	m := before
	for _, f := range []string{"content", "reasoning", "args:2"} {
		if err := edit.SetField(&m, f, "new"); err != nil {
			t.Error(err)
		}
	}
	if m.Content != "new" || m.Reasoning != "new" || m.ToolCalls[1].Arguments != "new" || before.ToolCalls[1].Arguments != "{}" {
		t.Errorf("%+v, was %+v", m, before)
	}
	one := chat.Message{Role: chat.Assistant, ToolCalls: before.ToolCalls[:1]}
	if err := edit.SetField(&one, "args", "[]"); err != nil || one.ToolCalls[0].Arguments != "[]" {
		t.Errorf("%+v %v", one, err)
	}
	for _, f := range []string{"args", "args:0", "args:3", "args:x", "name", "role", "content:1", ""} {
		if m := made(); edit.SetField(&m, f, "new") == nil {
			t.Errorf("%q is a field: %+v", f, m)
		}
	}
	if err := edit.SetField(&chat.Message{Role: chat.User}, "args", "{}"); err == nil {
		t.Error("arguments of a user")
	}
	tool := chat.Message{Role: chat.Tool}
	if err := edit.SetField(&tool, "name", "sh"); err != nil || tool.Name != "sh" {
		t.Errorf("%+v %v", tool, err)
	}
}

func TestSetFromFile(t *testing.T) {
	for _, c := range [][3]string{{"was", "is\n", "is"}, {"was\n", "is\n", "is\n"}, {"was", "is\r\n", "is"}, {"was", "is", "is"}, {"was", "is\n\n", "is\n"}, {"was\n", "is", "is"}} {
		m := chat.Message{Role: chat.User, Content: c[0]}
		if err := edit.SetFromFile(&m, "content", c[1]); err != nil || m.Content != c[2] {
			t.Errorf("%q over %q is %q, want %q: %v", c[1], c[0], m.Content, c[2], err)
		}
	}
	if err := edit.SetFromFile(&chat.Message{Role: chat.User}, "args", "{}"); err == nil {
		t.Error("arguments of a user")
	}
}

package edit_test

import (
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
)

func TestFinder(t *testing.T) {
	f := edit.NewFinder([]string{"Ann", "sk-abc-123", "Müller"})
	for _, c := range []struct {
		text string
		want bool
	}{
		{"I am Ann.", true},
		{"Annual, xAnn", false},
		{"Annual and Ann", true},
		{"sk-abc-1234", true}, // long enough to be told inside of a word
		{"sk-abc-12", false},
		{"(Müller)", true},
		{"Müllers", false},
		{"", false},
	} {
		if got := f.In(new(says(c.text))); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
	call := chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "ask", Arguments: `{"who":"\u0041nn"}`}}}
	if !f.In(&call) {
		t.Error("not found in escaped arguments")
	}
	if edit.NewFinder(nil).In(&call) {
		t.Error("nothing is found")
	}
}

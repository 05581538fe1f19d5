package compress

import (
	"strings"
	"testing"

	"winnow/core/chat"
)

// TestLists checks what lists tell of, and when they are worth their tokens.
func TestLists(t *testing.T) {
	for text, want := range map[string]string{
		"---\n\nThe order is changed.\nMore": "The order is changed.",
		"```go\nfunc f()":                    "go",
		"===":                                "===",
		"":                                   "",
	} {
		if got := firstLine(text); got != want && !strings.Contains(got, want) {
			t.Errorf("%q is told of as %q", text, got)
		}
	}
	if got := number(&chat.Message{}); got != "" {
		t.Errorf("a message without a number has %q", got)
	}
	messages := worked(12)
	for i := range messages {
		messages[i].Content = strings.ReplaceAll(messages[i].Content, "src/", "/Users/soph/src/")
		for k := range messages[i].ToolCalls {
			messages[i].ToolCalls[k].Arguments = strings.ReplaceAll(messages[i].ToolCalls[k].Arguments, "src/", "/Users/soph/src/")
		}
	}
	o := halved(messages, Extract{})
	o.Summary = 1000
	r := Compress(t.Context(), messages, o)
	if !strings.Contains(r.Regions[0].Text, "read_file /Users/soph/src/part") || len(r.Findings) > 0 {
		t.Errorf("calls with paths are not told of: %v\n%s", r.Findings, r.Regions[0].Text)
	}
	bare := Region{Text: Prefix + " One message is" + leftOut}
	if told := (Region{Text: Prefix + " 2 messages are" + leftOut + "\n#3 said: yes"}); !bare.bare() || told.bare() {
		t.Error("what says nothing is not known")
	}
	messages = worked(2)
	messages[len(messages)-1].Content = strings.Repeat("A long answer. ", 2000)
	o = Defaults()
	o.Target, o.Tail, o.Head = 1000, 1, nil
	if r := Compress(t.Context(), messages, o); r.Outcome != NoSavings || len(r.Samples) != 1 {
		t.Errorf("%s: %d tokens of %d", r.Outcome, r.After, r.Before)
	}
}

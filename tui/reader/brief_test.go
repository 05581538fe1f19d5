package reader

import (
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/tui/reader/gist"
)

func TestBriefSaysWhatMatters(t *testing.T) {
	call := chat.ToolCall{Name: "terminal", Arguments: `{"timeout":5,"command":"go test\n./..."}`}
	for name, c := range map[string]struct {
		m    chat.Message
		want Brief
	}{
		"speech":       {chat.Message{Role: chat.User, Content: "\n  Fix the\ttest.\n\nIt fails."}, Brief{Text: "Fix the test. It fails."}},
		"speech first": {chat.Message{Role: chat.Assistant, Content: "Running it.", ToolCalls: []chat.ToolCall{call, call}}, Brief{Text: "Running it.", Calls: 2}},
		"call":         {chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{call}}, Brief{Tool: "terminal", Text: "go test ./...", Calls: 1}},
		"no arguments": {chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "ls", Arguments: "{}"}}}, Brief{Tool: "ls", Calls: 1}},
		"bad arguments": {
			chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "ls", Arguments: "-la {"}}}, Brief{Tool: "ls", Text: "-la {", Calls: 1},
		},
		"result":      {chat.Message{Role: chat.Tool, Name: "terminal", Content: "\nok\nmore"}, Brief{Tool: "terminal", Text: "ok"}},
		"path":        {chat.Message{Role: chat.Tool, Name: "Edit", Content: "The file /home/ann/app/a.go is new"}, Brief{Tool: "Edit", Text: "The file a.go is new"}},
		"called path": {chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "Read", Arguments: `{"path":"/home/ann/app/a.go"}`}}}, Brief{Tool: "Read", Text: "a.go", Calls: 1}},
		"path said":   {chat.Message{Role: chat.User, Content: "See /home/ann/app/a.go"}, Brief{Text: "See /home/ann/app/a.go"}},
		"failure":     {chat.Message{Role: chat.Tool, Content: `{"error":"no such file"}`}, Brief{Text: "no such file"}},
		"JSON result": {chat.Message{Role: chat.Tool, Content: `{"output":"a\nb","exit_code":0}`}, Brief{Text: "a"}},
		"no output":   {chat.Message{Role: chat.Tool, Name: "terminal", Content: " \n"}, Brief{Tool: "terminal", Text: "no output"}},
		"thinking":    {chat.Message{Role: chat.Assistant, Content: "<think>Let me see</think>"}, Brief{Kind: "thinking", Text: "Let me see"}},
		"compaction":  {chat.Message{Role: chat.User, Content: "Summary", Marks: chat.MarkCompaction}, Brief{Kind: "compaction", Text: "Summary"}},
		"told summary": {
			chat.Message{Role: chat.Assistant, Content: "[CONTEXT SUMMARY]: so far"}, Brief{Kind: "compaction", Text: "[CONTEXT SUMMARY]: so far"},
		},
		"image":   {chat.Message{Role: chat.User, Marks: chat.MarkImage}, Brief{Text: "[image]"}},
		"nothing": {chat.Message{Role: chat.User, Content: " "}, Brief{Kind: "(empty)"}},
		"hostile": {chat.Message{Role: chat.User, Content: "\x1b[2Ja\u202eb\x00"}, Brief{Text: "␛[2Ja<U+202E>b␀"}},
	} {
		if got := BriefOf(&c.m, "/home/ann/app/", false); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	hostile := chat.Message{Role: chat.Tool, Name: "\x07", Content: "\x1b[2J"}
	if got := BriefOf(&hostile, "", true); got.Tool != "^G" || got.Text != "^[[2J" {
		t.Errorf("in ASCII: %+v", got)
	}
}

// A line is drawn of the beginning only, whatever follows it.
func TestBriefOfAGiantIsShort(t *testing.T) {
	for _, text := range []string{strings.Repeat("数据库 ", 1<<20), strings.Repeat("x", 4<<20), strings.Repeat("\x1b", 1<<20)} {
		for _, m := range []chat.Message{
			{Role: chat.User, Content: text},
			{Role: chat.Tool, Content: text, Name: text},
			{Role: chat.Assistant, Reasoning: text, ToolCalls: []chat.ToolCall{{Name: text, Arguments: text}}},
			{Role: chat.Tool, Content: `{"output":"` + strings.Repeat("y", 1<<20) + `"}`},
		} {
			b := BriefOf(&m, "", false)
			if len(b.Text) > 16*gist.Most || len(b.Tool) > 16*gist.Most || strings.Contains(b.Text+b.Tool, "\ufffd") {
				t.Errorf("%d and %d bytes for a line", len(b.Text), len(b.Tool))
			}
		}
	}
}

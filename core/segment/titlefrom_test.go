package segment

import (
	"testing"

	"winnow/core/chat"
)

func TestTitleFrom(t *testing.T) {
	for _, c := range []struct {
		m       chat.Message
		title   string
		written bool
	}{
		{chat.Message{Role: chat.User, Content: "# Fix the parser\nIt fails."}, "Fix the parser", true},
		{chat.Message{Role: chat.User, Content: "<system-reminder>be brief</system-reminder>\nFix the parser"}, "Fix the parser", true},
		{chat.Message{Role: chat.User, Content: "[Request interrupted by user]"}, "[Request interrupted by user]", false},
		{chat.Message{Role: chat.User, Content: "<command-name>/init</command-name>"}, "/init", false},
		{chat.Message{Role: chat.User, Content: "<local-command-stdout>done</local-command-stdout>"}, "done", false},
		{chat.Message{Role: chat.User, Content: "All of it so far", Marks: chat.MarkCompaction}, "All of it so far", false},
		{chat.Message{Role: chat.User, Content: " \n"}, "", false},
		{chat.Message{Role: chat.Assistant, Content: "Fix the parser"}, "", false},
	} {
		if title, written := TitleFrom(&c.m); title != c.title || written != c.written {
			t.Errorf("%q gives %q, %v", c.m.Content, title, written)
		}
	}
}

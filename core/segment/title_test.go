package segment

import (
	"strings"
	"testing"

	"unicode/utf8"
	"winnow/core/chat"
	"winnow/core/review"
)

func TestTitle(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"  \n\t\n", ""},
		{"Fix the parser\nIt fails.", "Fix the parser"},
		{"## Task: port the loader", "Task: port the loader"},
		{"<command-name>/review</command-name>", "/review"},
		{"a < b and c > d", "a < b and c > d"},
		{"---\nread this", "read this"},
		{"写一个 Docker compose 文件", "写一个 Docker compose 文件"},
		{"a\x1b[31mb\x00c", "a [31mb c"},
	} {
		if got := Title(c.in); got != c.want {
			t.Errorf("Title(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	long := Title(strings.Repeat("word ", 100))
	if n := utf8.RuneCountInString(long); n > titleMax || !strings.HasSuffix(long, "word…") {
		t.Errorf("long title of %d characters: %q", n, long)
	}
	if Title(strings.Repeat("é", 1<<20)) == "" {
		t.Error("a giant line has no title")
	}
}

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
		{chat.Message{Role: chat.User, Content: "All of it so far", Marks: chat.MarkCompaction}, "", false},
		{chat.Message{Role: chat.User, Content: "[CONTEXT SUMMARY]: Fix the parser"}, "", false},
		{chat.Message{Role: chat.User, Content: "[CONTEXT SUMMARY]: so far\n--- END OF CONTEXT SUMMARY ---\nFix the parser"}, "Fix the parser", true},
		{chat.Message{Role: chat.User, Content: " \n"}, "", false},
		{chat.Message{Role: chat.Assistant, Content: "Fix the parser"}, "", false},
	} {
		if title, written := TitleFrom(&c.m); title != c.title || written != c.written {
			t.Errorf("%q gives %q, %v", c.m.Content, title, written)
		}
	}
}

// TestSummariesNameNothing: neither what is being read nor a finished cut.
func TestSummariesNameNothing(t *testing.T) {
	const summary = "[CONTEXT SUMMARY]: The user wants a hotel."
	for _, c := range []struct{ first, want string }{
		{summary, "Book a flight"},
		{summary + "\n--- END OF CONTEXT SUMMARY ---\nBook a train", "Book a train"},
		{"What is a [CONTEXT SUMMARY]: ?", "What is a [CONTEXT SUMMARY]: ?"},
	} {
		list := []chat.Message{{N: 1, Role: chat.User, Content: c.first}, {N: 2, Role: chat.Assistant, Content: "Yes."}, {N: 3, Role: chat.User, Content: "Book a flight"}}
		var n Naming
		cover := NewCover(nil)
		for i := range list {
			n.Add(&list[i])
			cover.Add(&list[i], review.TallyOf(&list[i]))
		}
		cover.Settle()
		snap, err := cover.Snapshot()
		if err != nil || n.Title != c.want || snap.Changed[0].Topic != c.want {
			t.Errorf("%q: %q, %q, %v; want %q", c.first, n.Title, snap.Changed[0].Topic, err, c.want)
		}
	}
}

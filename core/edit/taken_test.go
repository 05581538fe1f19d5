package edit_test

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
)

func TestTaken(t *testing.T) {
	args := func(text string) chat.Message {
		return chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{Name: "cat", Arguments: text}}}
	}
	for _, c := range []struct {
		before chat.Message
		after  *chat.Message
		want   []string
	}{
		{says("I am Ann Smith, hello"), new(says("I am [name], hello")), []string{"Ann Smith"}},
		{says("zebedee says so"), new(says("[name] says so")), []string{"zebedee"}},
		{says("in a/Zebedees.txt"), new(says("in a/[name]s.txt")), []string{"Zebedee", "Zebedees"}},
		{says("the key\nis sk-abc-123 here"), new(says("the key\nis [key] here")), []string{"sk-abc-123"}},
		{says("the code says so"), new(says("a code said so")), nil}, // anything may say it
		{says("ask Bo"), new(says("ask [name]")), nil},               // too short to be looked for
		{args(`{"f":"Z\u0065bedee.txt"}`), new(args(`{"f":"[name].txt"}`)), []string{"Zebedee"}},
		{says("on the table"), new(says("on table")), nil},
		{says("of type a"), new(says("of 7 a")), nil},
		{says("say the word"), new(says("say 字 word")), nil},
		{says("Yes, Sir"), new(says("[gone]")), nil}, // all that was said, and not much
		{says("Ann 555"), new(says("[gone]")), []string{"Ann 555"}},
		{says("same"), new(says("same")), nil},
	} {
		got := edit.Taken(&c.before, c.after)
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.before.Content, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	got := edit.Lines(new(says("my number is 555\n\nok\nimport os\nreturn nil\nflat 12b\nhe lives in Little Whinging")))
	if want := []string{"my number is 555", "flat 12b", "he lives in Little Whinging"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(edit.Lines(new(says(strings.Repeat("a line with number 5\n", 5000))))); n != 200 {
		t.Errorf("%d lines", n)
	}
}

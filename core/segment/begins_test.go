package segment

import (
	"testing"

	"winnow/core/chat"
)

func TestWhatMayBeginATask(t *testing.T) {
	for _, c := range []struct {
		m    chat.Message
		want bool
	}{
		{chat.Message{Role: chat.User, Content: "Now write the release notes."}, true},
		{chat.Message{Role: chat.System, Content: "You are a pirate."}, true},
		{chat.Message{Role: chat.System, Content: "summary", Marks: chat.MarkCompaction}, false},
		{chat.Message{Role: chat.User, Content: "[Request interrupted by user]"}, false},
		{chat.Message{Role: chat.User, Content: "continue"}, false},
		{chat.Message{Role: chat.Assistant, Content: "Done."}, false},
		{chat.Message{Role: chat.Tool, Content: "ok"}, false},
	} {
		if Begins(&c.m) != c.want {
			t.Errorf("%s %q: %v", c.m.Role, c.m.Content, !c.want)
		}
	}
}

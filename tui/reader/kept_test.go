package reader

import (
	"testing"

	"winnow/core/chat"
)

func TestACompactionSaysHowManyMessagesItKept(t *testing.T) {
	for _, c := range []struct {
		n    int
		kept string
		want string
	}{
		{64, "63-63,7-1", ", keeps 8 of 63 messages"},
		{64, "none", ", keeps 0 of 63 messages"},
		{64, "", ""},
		{4, "6-1", ""}, // also what was before the fork
		{1, "none", ""},
	} {
		m := chat.Message{N: c.n, Marks: chat.MarkCompaction, Kept: c.kept}
		if got := keptText(&m); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

package reader

import (
	"testing"
	"time"

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

// TestASummaryIsShownAsOne, by its text alone, and what a user says beside one is not.
func TestASummaryIsShownAsOne(t *testing.T) {
	for text, want := range map[string]bool{"[CONTEXT SUMMARY]: so far": true, "[CONTEXT SUMMARY]: so far\n--- END OF CONTEXT SUMMARY ---\ngo on": false, "go on": false} {
		m := user(text)
		d := documentOf(&m, time.UTC)
		if b := &d.blocks[len(d.blocks)-1]; (b.kind == markBlock && b.label == "compaction") != want {
			t.Errorf("%q: %+v", text, b)
		}
	}
}

package boundaries

import (
	"context"
	"testing"

	"winnow/core/chat"
)

// droppedLibrary has one message of two, and one that was added.
type droppedLibrary struct{ Library }

func (droppedLibrary) Messages(context.Context, int64, int, int) ([]chat.Message, error) {
	return []chat.Message{{N: 0, Part: 1, Content: "in front"}, {N: 1, Role: chat.User, Content: "here"}, {N: 1, Part: 1, Content: "added"}}, nil
}

func (droppedLibrary) RecordedMessages(context.Context, int64, int, int) ([]chat.Message, error) {
	return []chat.Message{{N: 1, Role: chat.User, Content: "before"}, {N: 2, Role: chat.Assistant, Content: "gone"}}, nil
}

// TestLinesOfDroppedMessages: they say what was recorded, and that it is dropped; what
// was added takes no line from the message before it.
func TestLinesOfDroppedMessages(t *testing.T) {
	texts := readLines(t.Context(), droppedLibrary{}, 1, 1, 2, "", false)
	if len(texts) != 2 || texts[1].Text != "here" || texts[2].Kind != "dropped" || texts[2].Text != "gone" || texts[2].problem != "" {
		t.Errorf("%+v", texts)
	}
}

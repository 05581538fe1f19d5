package hub

import (
	"testing"

	"winnow/core/chat"
)

// TestWholeLosesNoPart of an answer: one that has nothing in common with those
// before it may have with those that come after it.
func TestWholeLosesNoPart(t *testing.T) {
	parts := []chat.Message{
		{Role: chat.Assistant, Timestamp: "1", ToolCalls: []chat.ToolCall{{ID: "a"}, {ID: "d"}}},
		{Role: chat.Assistant, Timestamp: "2", ToolCalls: []chat.ToolCall{{ID: "b"}, {ID: "c"}}},
		{Role: chat.Assistant, Timestamp: "3", ToolCalls: []chat.ToolCall{{ID: "c"}, {ID: "d"}}},
		{Role: chat.Assistant, Timestamp: "4", ToolCalls: []chat.ToolCall{{ID: "e"}}},
	}
	traits := [][]trait{nil}
	for i := range parts {
		traits[0] = append(traits[0], traitOf(&parts[i]))
	}
	f := newForest(traits, func(at ref) (*chat.Message, error) { return &parts[at.n-1], nil })
	for _, test := range []struct {
		at     []ref
		follow bool
		calls  int
		all    bool
	}{
		{[]ref{{0, 1}, {0, 2}}, false, 2, false},
		{[]ref{{0, 1}, {0, 2}, {0, 3}}, false, 4, true},
		{[]ref{{0, 4}, {0, 1}, {0, 2}, {0, 3}}, false, 4, false},
		{[]ref{{0, 4}, {0, 1}, {0, 2}, {0, 3}}, true, 5, true},
	} {
		whole, all := f.whole(test.at, test.follow)
		if f.err != nil || len(whole.ToolCalls) != test.calls || all != test.all || whole.Timestamp != "1" {
			t.Errorf("%v: %+v %t %v", test.at, whole, all, f.err)
		}
	}
}

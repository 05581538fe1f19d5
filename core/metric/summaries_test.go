package metric

import (
	"slices"
	"testing"

	"winnow/core/chat"
)

// Who sums up what came before is neither the user nor the model.
func TestSummariesAreNobodys(t *testing.T) {
	said := func(role chat.Role, text string) chat.Message { return chat.Message{Role: role, Content: text} }
	const wrong = "No, that is wrong, you broke it. Undo that!"
	head := "[CONTEXT SUMMARY]: "
	ask, answer := said(chat.User, "Fix the parser"), said(chat.Assistant, "The parser is fixed.")
	for _, c := range []struct {
		name     string
		messages []chat.Message
		flags    []Flag // of those below
		signal   bool
	}{
		{"a user", []chat.Message{ask, answer}, nil, false},
		{"a user who corrects", []chat.Message{ask, answer, said(chat.User, wrong), answer}, nil, true},
		{"a summary as the user", []chat.Message{said(chat.User, head+wrong), answer}, []Flag{NoUser, Compacted}, false},
		{"a summary after an answer", []chat.Message{ask, answer, said(chat.User, head+wrong), answer}, []Flag{Compacted}, false},
		{"a user who speaks after one", []chat.Message{ask, answer, said(chat.User, head+"so far\n\n--- END OF CONTEXT SUMMARY ---\n\n"+wrong), answer}, []Flag{Compacted}, true},
		{"a summary as the answer", []chat.Message{ask, said(chat.Assistant, head+"so far")}, []Flag{NoAssistant, Compacted}, false},
		{"a user who quotes one", []chat.Message{said(chat.User, "What is "+head+"?"), answer}, nil, false},
	} {
		for i := range c.messages {
			c.messages[i].N = i + 1
		}
		a := Measure(Config{}, 1, c.messages)
		for _, f := range []Flag{NoUser, NoAssistant, Compacted} {
			if got, want := slices.Contains(a.Flags, f), slices.Contains(c.flags, f); got != want {
				t.Errorf("%s: %s is %t", c.name, f, got)
			}
		}
		v := a.Metrics[UserSignal]
		if c.signal != (v != nil && v.Score < 1) {
			t.Errorf("%s: the user's signal is %+v", c.name, v)
		}
	}
}

// A judge is told which messages sum up what came before.
func TestJudgesAreToldOfSummaries(t *testing.T) {
	m := chat.Message{Role: chat.User, Content: "[CONTEXT SUMMARY]: so far"}
	if got := remark(&m); got != " (a summary of what came before)" {
		t.Errorf("%q", got)
	}
	if m.Content = "so far"; remark(&m) != "" {
		t.Errorf("%q", remark(&m))
	}
}

package outcome

import (
	"testing"

	"winnow/core/chat"
)

func TestFollower(t *testing.T) {
	call := func(id, name, arguments string) chat.ToolCall {
		return chat.ToolCall{ID: id, Name: name, Arguments: arguments}
	}
	asks := func(calls ...chat.ToolCall) chat.Message { return chat.Message{Role: chat.Assistant, ToolCalls: calls} }
	says := func(id, name, text string) chat.Message {
		return chat.Message{Role: chat.Tool, ToolCallID: id, Name: name, Content: text}
	}
	const failing = "--- FAIL: TestX (0.00s)"
	tests, shows := call("a", "bash", `{"command":"go test | tail"}`), call("b", "bash", `{"command":"cat log"}`)
	nameless := func(c chat.ToolCall) chat.ToolCall { c.ID = ""; return c }
	for name, test := range map[string]struct {
		messages []chat.Message
		want     []Outcome // of the tool messages
	}{
		"by id":             {[]chat.Message{asks(tests, shows), says("b", "", failing), says("a", "", failing)}, []Outcome{OK, Exit}},
		"in order":          {[]chat.Message{asks(nameless(tests), nameless(shows)), says("", "", failing), says("", "", failing)}, []Outcome{Exit, OK}},
		"the latest":        {[]chat.Message{asks(tests), asks(call("a", "bash", shows.Arguments)), says("a", "", failing)}, []Outcome{OK}},
		"of no call":        {[]chat.Message{says("", "get_user", "Error: no"), says("", "bash", failing)}, []Outcome{Error, Exit}},
		"of another name":   {[]chat.Message{asks(nameless(tests)), says("", "read", failing)}, []Outcome{OK}},
		"of an earlier one": {[]chat.Message{asks(nameless(tests)), {Role: chat.User}, asks(nameless(shows)), says("", "", failing)}, []Outcome{OK}},
	} {
		var f Follower
		var got []Outcome
		for i := range test.messages {
			found, _ := f.Add(&test.messages[i])
			if test.messages[i].Role == chat.Tool {
				got = append(got, found.Outcome)
			} else if found != (Finding{}) {
				t.Errorf("%s: %v of a message of the role %s", name, found, test.messages[i].Role)
			}
		}
		if len(got) != len(test.want) {
			t.Fatalf("%s: %d results", name, len(got))
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: result %d is judged %v, want %v", name, i+1, got[i], test.want[i])
			}
		}
	}
}

// Calls that nobody answers do not gather.
func TestFollowerForgets(t *testing.T) {
	var f Follower
	for range 10 * openMost {
		f.Add(&chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{{ID: "x", Name: "bash"}}})
	}
	if len(f.open) > openMost {
		t.Errorf("%d calls are open", len(f.open))
	}
}

// TestALateFollowerKnowsWhatItHasNotSeen: a result whose call came before it began is
// judged by nobody else's call.
func TestALateFollowerKnowsWhatItHasNotSeen(t *testing.T) {
	tests := chat.ToolCall{ID: "a", Name: "bash", Arguments: `{"command":"go test ./..."}`}
	result := func(id string) *chat.Message { return &chat.Message{Role: chat.Tool, ToolCallID: id, Content: "ok"} }
	for _, late := range []bool{false, true} {
		f := Follower{Late: late}
		if _, known := f.Add(result("z")); known == late {
			t.Errorf("late %v: a result of no call is known: %v", late, known)
		}
		f.Add(&chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{tests}})
		c := f.Clone()
		if _, known := c.Add(result("a")); !known {
			t.Errorf("late %v: a result of a call is not known", late)
		}
		if _, known := f.Add(result("a")); !known {
			t.Errorf("late %v: a copy took the call away", late)
		}
	}
}

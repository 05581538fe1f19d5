package amend

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/edit"
)

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]Place{
		"12": {N: 12}, "0": {}, "4-7": {N: 4, To: 7}, "12+1": {N: 12, Part: 1}, "0+2": {Part: 2}, "4-4": {N: 4, To: 4},
	} {
		if got, err := ParsePlace(text); got != want || err != nil {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1+0", "1+", "1-", "2-1", "0-3", "1+1-2", "1-2+1", "x", "1 ", "99999999999999999999", "\x1b[2J", "1++1", "1-+3"} {
		if got, err := ParsePlace(text); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

func TestParseRow(t *testing.T) {
	r, err := ParseRow([]byte(`{"id":"ab","n":4,"to":7,"squash":{"role":"assistant","content":"x"},"untrained":true}`))
	if err != nil || r.Do != Squash || r.Why != edit.Squash || r.Message.Content != "x" || !r.Untrained || r.Place != (Place{N: 4, To: 7}) {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = ParseRow([]byte(`{"id":"ab","n":4,"revert":"@12"}`))
	if err != nil || r.Do != Revert || r.Version != 12 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = ParseRow([]byte(`{"id":"ab","n":4,"revert":true}`))
	if err != nil || r.Do != Revert || r.Version != Recorded {
		t.Errorf("%+v, %v", r, err)
	}
	for _, line := range []string{
		``, `[]`, `{"id":"ab"}`, `{"n":1,"text":""}`, `{"id":"ab","n":1}`, `{"id":"ab","n":1,"text":"","drop":true}`, `{"id":"ab","n":1,"text":"","more":1}`,
		`{"id":"ab","n":1,"text":"","why":"no"}`, `{"id":"ab","n":0,"text":""}`, `{"id":"ab","n":1,"to":2,"text":""}`, `{"id":"ab","n":2,"to":1,"drop":true}`,
		`{"id":"ab","n":1,"insert":{"role":"nobody"}}`, `{"id":"ab","n":1,"insert":7}`, `{"id":"ab","n":1,"insert":{"role":"user"},"untrained":true}`,
		`{"id":"ab","n":1,"part":1,"insert":{"role":"user"}}`, `{"id":"ab","n":1,"revert":"@-1"}`, `{"id":"ab","n":1,"revert":7.5}`, `{"id":"ab","n":-1,"drop":true}`,
		`{"id":"ab","n":1,"part":1,"to":2,"drop":true}`, `{"id":"ab","n":1,"part":1,"squash":{"role":"user"}}`, `{"id":"ab","n":1,"text":"","untrained":true}`,
	} {
		if r, err := ParseRow([]byte(line)); err == nil {
			t.Errorf("%s is %+v", line, r)
		}
	}
}

// calls is an answer with calls of some ids; result answers one.
func calls(n int, ids ...string) *chat.Message {
	m := &chat.Message{N: n, Role: chat.Assistant}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: id, Name: "f"})
	}
	return m
}

func result(n int, id string) *chat.Message {
	return &chat.Message{N: n, Role: chat.Tool, ToolCallID: id}
}

func TestTorn(t *testing.T) {
	ids := []*chat.Message{calls(1, "a", "b"), result(2, "b"), result(3, "a"), calls(4, "c"), result(5, "c")}
	bare := []*chat.Message{calls(1, ""), result(2, ""), calls(3, "", ""), result(4, ""), result(5, "")}
	for _, c := range []struct {
		messages []*chat.Message
		dropped  []int
		want     []string
	}{
		{ids, []int{4, 5}, nil},
		{ids, []int{4}, []string{"message 5 answers a call of message 4, which is dropped: drop it, too"}},
		{ids, []int{1}, []string{"messages 2, 3 answer calls of message 1, which is dropped: drop them, too"}},
		{ids, []int{3}, []string{"message 3 is dropped, and the call of message 1 that it answers is not: drop it, too, or put a result in"}},
		{ids, []int{2, 3, 4}, []string{
			"message 5 answers a call of message 4, which is dropped: drop it, too",
			"messages 2, 3 are dropped, and the calls of message 1 that they answer are not: drop it, too, or put results in",
		}},
		{bare, []int{1, 2, 5}, []string{"message 5 is dropped, and the call of message 3 that it answers is not: drop it, too, or put a result in"}},
	} {
		k := torn{dropped: map[Place]bool{}, halves: map[Place][]Place{}}
		for _, n := range c.dropped {
			k.dropped[Place{N: n}] = true
		}
		for _, m := range c.messages {
			k.take(m)
		}
		got := k.texts()
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %q, want %q", c.dropped, got, c.want)
		}
	}
}

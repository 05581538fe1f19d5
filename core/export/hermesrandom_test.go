package export

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/review"
)

// Pieces that texts of turns are hard to take apart with.
var pieces = []string{
	" ", "\n", "\r\n", "\t", "a", "é", "<b>", "&", `"`, `\`, "\u2028", "\u00a0", "\x1f", "\x01", "[image]", "{", "}", "[", "]", "1.10", ",", ":",
	"<think>", "</think>", "<think>\n", "\n</think>", "<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>", "<tool_call>", "</tool_call>",
	"<tool_response>", "</tool_response>", `{"a":1}`, `{"tool_call_id":"x","name":"n","content":"c"}`, `\u003c`, `{"a":"</tool_response>"}`,
}

func pieced(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		// Tags are rare: a message with one of them is mostly refused.
		i := r.IntN(len(pieces))
		if strings.HasPrefix(pieces[i], "<") && r.IntN(3) > 0 {
			i = r.IntN(10)
		}
		b.WriteString(pieces[i])
	}
	return b.String()
}

// Whatever passes the checks is written as a record that the strict reader
// takes for what it is, and writes again.
func TestRandomTrajectories(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	written := map[string]int{}
	for range 20_000 / slower {
		var messages []chat.Message
		for range 1 + r.IntN(4) {
			messages = append(messages, user(pieced(r)))
			for i := range r.IntN(3) {
				m := says(pieced(r))
				m.Reasoning = pieced(r)
				for j := range r.IntN(3) {
					id := string(rune('a'+i)) + string(rune('0'+j))
					m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: id, Name: "t" + id, Arguments: `{"k":"` + strings.ReplaceAll(pieced(r), `"`, "") + `"}`})
				}
				messages = append(messages, m)
				for _, c := range m.ToolCalls {
					messages = append(messages, result(c.ID, pieced(r)))
				}
			}
			messages = append(messages, says("x"+pieced(r)))
		}
		for _, e := range []*Emitter{&sharegpt, &trajectories, &batchRuns} {
			s := New(&review.Segment{AgentID: "agent"}, &review.Session{}, messages)
			if _, findings := e.Prepare(s); len(findings) > 0 {
				continue
			}
			written[e.Name]++
			line, _ := e.Append(nil, s)
			if _, err := e.Validate(bytes.NewReader(line)); err != nil {
				t.Fatalf("%s: %v\n%s\n%+v", e.Name, err, line, s.Messages)
			}
		}
	}
	for _, e := range []*Emitter{&sharegpt, &trajectories, &batchRuns} {
		if written[e.Name] < 1000/slower {
			t.Errorf("%s: only %d were written", e.Name, written[e.Name])
		}
	}
}

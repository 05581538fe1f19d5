package session_test

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/session"
)

// TestStatesOfManySessions: what is remembered of a source with many sessions
// stays small, whatever ids, models and open calls they have.
func TestStatesOfManySessions(t *testing.T) {
	// Eight sessions remember a message to which lines may add: half a megabyte
	// each, with its calls.
	const sessions, most = 80 / min(slower, 4), 5 << 20
	long := strings.Repeat("x", 100<<10)
	var calls []string
	for i := range 256 {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"%s%d","name":"n","input":{}}`, long[:1000], i))
	}
	for name, line := range map[string]func(i int) string{
		"claude-code models": func(i int) string {
			return fmt.Sprintf(`{"type":"assistant","uuid":"u%d","sessionId":"%d","message":{"model":"%d%s","role":"assistant","content":"x"}}`, i, i, i, long)
		},
		"claude-code ids": func(i int) string {
			return fmt.Sprintf(`{"type":"user","uuid":"%d%s","sessionId":"%s%d","isSidechain":true,"message":{"role":"user","content":"x"}}`, i, long, long, i)
		},
		"claude-code open calls": func(i int) string {
			return fmt.Sprintf(`{"type":"assistant","uuid":"u%d","sessionId":"%d","message":{"role":"assistant","content":[%s]}}`, i, i, strings.Join(calls, ","))
		},
		"gemini ids": func(i int) string {
			return fmt.Sprintf("{\"sessionId\":\"s%d%s\",\"projectHash\":\"h\"}\n{\"id\":\"%s\",\"type\":\"user\",\"content\":\"x\"}", i, long, long)
		},
		"codex models": func(i int) string {
			return fmt.Sprintf("{\"type\":\"session_meta\",\"payload\":{\"id\":\"%d\",\"model\":\"%s\"}}\n{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"user\",\"content\":\"x\"}}", i, long)
		},
		"pi ids": func(i int) string {
			return fmt.Sprintf("{\"type\":\"session\",\"id\":\"%s%d\",\"timestamp\":\"t\"}\n{\"type\":\"message\",\"id\":\"%s\",\"timestamp\":\"t\",\"message\":{\"role\":\"user\",\"content\":\"x\",\"timestamp\":1}}", long, i, long)
		},
	} {
		var b strings.Builder
		for i := range sessions {
			b.WriteString(line(i) + "\n")
		}
		var sink nowhere
		res, err := session.Read(t.Context(), strings.NewReader(b.String()), session.Options{}, session.State{}, &sink)
		if n := len(res.State.Decoder); err != nil || n > most || sink.msgs == 0 {
			t.Errorf("%s: %d messages, a state of %d KB, %v", name, sink.msgs, n>>10, err)
		}
	}
}

package metric

import (
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/chat"
)

// random makes a session of whatever may come, in any order.
func random(rng *rand.Rand) (msgs []chat.Message) {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	text := func() string {
		return pick("", " ", "x", "no, that's wrong", "thanks!", "不对", "<think>", "<think>a</think>b", "</think>", "error: x", `{"error":1}`, `{"success":false}`, "[Request interrupted by user]", "<system-reminder>a</system-reminder>", "/clear", "API Error: 1", "\xff", "a\nb", strings.Repeat("word ", 40))
	}
	for range rng.IntN(30) {
		m := chat.Message{Role: chat.Role(pick("system", "user", "assistant", "assistant", "tool", "tool")), Content: text()}
		m.Marks = chat.Marks(1 << rng.IntN(8))
		if rng.IntN(3) > 0 {
			m.Marks = 0
		}
		switch m.Role {
		case chat.Assistant:
			m.Reasoning, m.StopReason, m.Model = pick("", "t"), pick("", "", "stop", "length", "aborted", "weird"), pick("", "", "m", chat.NoModel)
			for range rng.IntN(3) {
				m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: pick("", "1", "2", "3"), Name: pick("read", "edit", "bash", "", "a#1"), Arguments: pick("", "{}", `{"a":1}`, `{"command":"sleep 1"}`, `{"path":"a.go"}`, "{", "null")})
			}
		case chat.Tool:
			m.ToolCallID, m.Name, m.IsError = pick("", "1", "2", "3"), pick("", "read", "edit"), rng.IntN(4) == 0
		}
		msgs = append(msgs, m)
	}
	return msgs
}

// Whatever a session holds, its analysis is one: it can be written and read,
// scores are within bounds, reasons are one line and name messages that are
// there, and what is said twice agrees.
func TestRandomSessions(t *testing.T) {
	for seed := range uint64(3000 / every) {
		msgs := random(rand.New(rand.NewPCG(seed, 1)))
		a := Measure(Config{}, 11, msgs)
		text := a.Encode()
		if again := Measure(Config{}, 11, msgs); again.Encode() != text {
			t.Fatalf("seed %d: %s\n%s", seed, text, again.Encode())
		}
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if back.Encode() != text {
			t.Fatalf("seed %d: %s\n%s", seed, text, back.Encode())
		}
		if o := a.Summary.OverallScore; o != nil && (*o < 0 || *o > 1) {
			t.Errorf("seed %d: overall %v", seed, *o)
		}
		for name, v := range a.Metrics {
			if v == nil {
				continue
			}
			if v.Score < 0 || v.Score > 1 || v.Reason == "" || strings.ContainsAny(v.Reason, "\n\r") {
				t.Errorf("seed %d: %s is %+v", seed, name, *v)
			}
			for _, c := range Cites(v.Reason) {
				if c.N < 11 || c.N >= 11+len(msgs) {
					t.Errorf("seed %d: %s: %q names a message that is not there", seed, name, v.Reason)
				}
			}
			if v.Score < 1 && name != Effort && len(Cites(v.Reason)) == 0 {
				t.Errorf("seed %d: %s: %q names no message", seed, name, v.Reason)
			}
		}
		agree(t, seed, &a)
	}
}

// agree checks flags and statistics against the metrics.
func agree(t *testing.T, seed uint64, a *Analysis) {
	t.Helper()
	for metric, flags := range map[string][]Flag{
		Format:     {MalformedToolCall, UnansweredCall, OrphanResult, UnbalancedThink},
		UserSignal: {UserCorrected},
	} {
		raised := false
		for _, f := range flags {
			raised = raised || a.Has(f)
		}
		if v := a.Metrics[metric]; raised != (v != nil && v.Score < 1) {
			t.Errorf("seed %d: %s %v, flags %v", seed, metric, show(v), a.Flags)
		}
	}
	results := 0
	for _, s := range a.ToolStats {
		results += s.Success + s.Failure
	}
	v, made := a.Metrics[ToolSuccess], a.Metrics[Recovery]
	if (v == nil) != (results == 0) || (made != nil) != (v != nil && v.Score < 1) {
		t.Errorf("seed %d: %v, statistics %v", seed, show(v), a.ToolStats)
	}
	if _, training := a.Eligible(Thresholds{}); training && (a.Has(Truncated) || a.Has(NoAssistant) || a.Has(MalformedToolCall) || a.Metrics[Format] != nil && a.Metrics[Format].Score < 1) {
		t.Errorf("seed %d: %s is eligible", seed, a.Encode())
	}
}

package metric

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/outcome"
	"winnow/core/phrases"
)

// corruption breaks one thing in a session.
type corruption struct {
	name   string
	metric string // falls
	// break returns a broken copy; ok is false if there is nothing to break.
	apply func(msgs []chat.Message) (broken []chat.Message, ok bool)
	// may are metrics that see it, too, each with the reason. All others stay.
	may map[string]string
}

func corruptions() []corruption {
	ratio := "a message or result more or less shifts the share"
	taken := "it took another number of steps, or less text"
	over := "it was handed over, or nobody took over now"
	return []corruption{
		{"a result made a failure", ToolSuccess, failResult, map[string]string{
			Recovery:   "there is a failure now, or a success less",
			NoLoops:    "a failed edit changes nothing, so that what is repeated behind it is needless",
			Completion: over, Resolution: over,
		}},
		{"the answer dropped", Completion, dropAnswer, map[string]string{
			Substance:  "there is no final answer any more, or an earlier one is",
			Reasoning:  ratio,
			Format:     "the think tags of the answer went with it",
			UserSignal: "if it was the only answer, nothing can follow it",
			Resolution: ratio, Effort: taken,
		}},
		{"a call repeated", NoLoops, repeatCall, map[string]string{
			ToolSuccess: ratio, Reasoning: ratio, Format: ratio, Effort: taken,
			Recovery: "a failed call failed twice, or a success repeated itself",
		}},
		{"a call repeated in its message", NoLoops, repeatBeside, map[string]string{
			ToolSuccess: ratio, Format: ratio, Effort: taken,
			Recovery: "a failed call failed twice",
		}},
		{"arguments cut", Format, cutArguments, map[string]string{
			NoLoops: "the call is another one now, and may have changed something",
			Effort:  taken,
		}},
		{"reasoning removed", Reasoning, removeReasoning, map[string]string{
			Format: "think tags in the content went with it",
			Effort: "spaces behind them, too",
		}},
		{"a correction added", UserSignal, addCorrection, map[string]string{
			NoLoops:    "the user spoke in between: what follows is no repetition",
			Substance:  "the final answer answers the correction",
			Completion: "what was unanswered before belongs to another turn",
		}},
	}
}

// Whatever session is broken, the metric that is about it falls, and no other
// moves that is not about it, too.
func TestCorruptedSessions(t *testing.T) {
	sessions := recorded(t)
	if len(sessions) < 10 {
		t.Fatalf("%d sessions", len(sessions))
	}
	step := every
	if len(sessions) < 100*every { // those of testdata only
		step = 1
	}
	for _, c := range corruptions() {
		t.Run(c.name, func(t *testing.T) {
			tried, moved := 0, map[string]int{}
			for i := 0; i < len(sessions); i += step {
				msgs := sessions[i]
				broken, ok := c.apply(msgs)
				if !ok {
					continue
				}
				before, after := Measure(Config{}, 1, msgs), Measure(Config{}, 1, broken)
				tried++
				if !falls(before.Metrics[c.metric], after.Metrics[c.metric]) {
					t.Errorf("%s does not fall: %v to %v\n%s", c.metric, show(before.Metrics[c.metric]), show(after.Metrics[c.metric]), brief(msgs))
				}
				for name := range before.Metrics {
					if name == c.metric || same(before.Metrics[name], after.Metrics[name]) {
						continue
					}
					moved[name]++
					if c.may[name] == "" {
						t.Errorf("%s moves: %v to %v\n%s", name, show(before.Metrics[name]), show(after.Metrics[name]), brief(msgs))
					}
				}
			}
			if tried < 5 {
				t.Errorf("tried on %d sessions", tried)
			}
			t.Logf("%d of %d sessions; others that moved, too: %v", tried, len(sessions), moved)
		})
	}
}

// falls reports whether a metric is lower than before: 0 cannot fall, and one
// that did not apply falls if it is not 1 now.
func falls(before, after *Value) bool {
	switch {
	case after == nil:
		return false
	case before == nil:
		return after.Score < 1
	}
	return after.Score < before.Score || before.Score == 0 && after.Score == 0
}

func same(a, b *Value) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Score == b.Score
}

func show(v *Value) any {
	if v == nil {
		return "none"
	}
	return *v
}

func brief(msgs []chat.Message) string {
	var b strings.Builder
	for i := range msgs[:min(len(msgs), 6)] {
		b.WriteString("  " + string(msgs[i].Role) + " " + strings.ReplaceAll(phrases.Clip(msgs[i].Body(), 100), "\n", " ") + "\n")
	}
	return b.String()
}

// middle returns the middle one of the messages for which f holds.
func middle(msgs []chat.Message, f func(i int) bool) (int, bool) {
	var found []int
	for i := range msgs {
		if f(i) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	return found[len(found)/2], true
}

func failResult(msgs []chat.Message) ([]chat.Message, bool) {
	var follow outcome.Follower
	i, ok := middle(msgs, func(i int) bool {
		found, _ := follow.Add(&msgs[i])
		return !found.Failed() && msgs[i].Role == chat.Tool
	})
	if !ok {
		return nil, false
	}
	msgs = slices.Clone(msgs)
	msgs[i].Content, msgs[i].IsError = "Error: boom", true
	return msgs, true
}

// finalAnswer finds the last message of the assistant, if the session ends
// with it and it stands alone: of two neighbours one would still be an answer.
func finalAnswer(msgs []chat.Message) (int, bool) {
	a := Measure(Config{}, 1, msgs)
	if v := a.Metrics[Completion]; v == nil || v.Score < 0.9 || a.Has(HandedOver) {
		return 0, false
	}
	for i, m := range slices.Backward(msgs) {
		if m.Role == chat.Assistant && m.Model != chat.NoModel {
			return i, i > 0 && msgs[i-1].Role != chat.Assistant && !(msgs[i-1].Role == chat.System)
		}
	}
	return 0, false
}

func dropAnswer(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := finalAnswer(msgs)
	if !ok {
		return nil, false
	}
	return slices.Delete(slices.Clone(msgs), i, i+1), true
}

// answeredCall finds a call that the next message answers.
func answeredCall(msgs []chat.Message) (int, bool) {
	return middle(msgs, func(i int) bool {
		if i+1 >= len(msgs) || len(msgs[i].ToolCalls) != 1 || msgs[i+1].Role != chat.Tool || msgs[i+1].ToolCallID != msgs[i].ToolCalls[0].ID {
			return false
		}
		c := &msgs[i].ToolCalls[0]
		// Nobody loops by waiting, and an image may show anything.
		return c.ID != "" && !strings.Contains(c.Arguments, "sleep") && !strings.Contains(strings.ToLower(c.Name), "wait") && msgs[i+1].Marks == 0 && chat.IsObject(c.Arguments)
	})
}

func repeatCall(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := answeredCall(msgs)
	if !ok {
		return nil, false
	}
	again := slices.Clone(msgs[i : i+2])
	again[0].ToolCalls = slices.Clone(again[0].ToolCalls)
	again[0].ToolCalls[0].ID, again[1].ToolCallID = "again", "again"
	return slices.Insert(slices.Clone(msgs), i+2, again...), true
}

func repeatBeside(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := answeredCall(msgs)
	if !ok {
		return nil, false
	}
	msgs = slices.Clone(msgs)
	c, result := msgs[i].ToolCalls[0], msgs[i+1]
	c.ID, result.ToolCallID = "again", "again"
	msgs[i].ToolCalls = append(slices.Clone(msgs[i].ToolCalls), c)
	return slices.Insert(msgs, i+1, result), true
}

func cutArguments(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := middle(msgs, func(i int) bool { return len(msgs[i].ToolCalls) > 0 && chat.IsObject(msgs[i].ToolCalls[0].Arguments) })
	if !ok {
		return nil, false
	}
	msgs = slices.Clone(msgs)
	msgs[i].ToolCalls = slices.Clone(msgs[i].ToolCalls)
	c := &msgs[i].ToolCalls[0]
	c.Arguments = c.Arguments[:len(c.Arguments)/2]
	return msgs, c.Arguments != ""
}

func removeReasoning(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := middle(msgs, func(i int) bool {
		thought, _ := thinks(&msgs[i])
		return msgs[i].Role == chat.Assistant && msgs[i].Model != chat.NoModel && thought
	})
	if !ok {
		return nil, false
	}
	msgs = slices.Clone(msgs)
	msgs[i].Reasoning = ""
	_, msgs[i].Content = chat.SplitThink(msgs[i].Content)
	a := Measure(Config{}, 1, msgs)
	return msgs, !a.Has(NoReasoning) // none is left: it may not be recorded
}

func addCorrection(msgs []chat.Message) ([]chat.Message, bool) {
	i, ok := finalAnswer(msgs)
	first := slices.IndexFunc(msgs, func(m chat.Message) bool { return m.Role == chat.Assistant && m.Model != chat.NoModel })
	if !ok || first >= i {
		return nil, false
	}
	no := chat.Message{Role: chat.User, Content: "No, that's wrong, it is still broken."}
	return slices.Insert(slices.Clone(msgs), i, no), true
}

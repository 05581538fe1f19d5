package metric

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// work is a session of an agent that works: prompts, reasoning, calls with
// paths and texts, results of a few KiB.
func work(turns int) []chat.Message {
	var msgs []chat.Message
	code := strings.Repeat("\n\treturn fmt.Errorf(\"line %d: %w\", n, err)", 60)
	for i := range turns {
		id := fmt.Sprintf("call_%d", i)
		msgs = append(msgs, chat.Message{Role: chat.User, Content: fmt.Sprintf("Please look at file %d of the importer: the unit test fails since yesterday, and fix it.", i)})
		for step, name := range []string{"read_file", "edit_file", "terminal"} {
			arguments := fmt.Sprintf(`{"file_path":"/home/ann/src/file%d.go","text":%s}`, i, rawjson.AppendString(nil, code[:1000]))
			if name == "terminal" {
				arguments = fmt.Sprintf(`{"command":"go test ./core/file%d && git status"}`, i)
			}
			msgs = append(msgs,
				chat.Message{Role: chat.Assistant, Reasoning: "I should see what is there. " + code[:300], StopReason: "tool_use",
					ToolCalls: []chat.ToolCall{{ID: fmt.Sprintf("%s_%d", id, step), Name: name, Arguments: arguments}}},
				chat.Message{Role: chat.Tool, ToolCallID: fmt.Sprintf("%s_%d", id, step), Name: name, Content: fmt.Sprintf("ok %d\n", i) + code})
		}
		msgs = append(msgs, chat.Message{Role: chat.Assistant, Reasoning: "It works.", Content: "The test passes now: the loop read one line too many.\n```go" + code[:400] + "\n```", StopReason: "end_turn"})
	}
	return msgs
}

// talk is a session without tools, of short messages.
func talk(turns int) []chat.Message {
	var msgs []chat.Message
	for i := range turns {
		msgs = append(msgs,
			chat.Message{Role: chat.User, Content: fmt.Sprintf("Thanks! And what is the difference between a list and a tuple of %d elements? I still don't see why there are two.", i)},
			chat.Message{Role: chat.Assistant, Content: strings.Repeat("A list can be changed in place, a tuple cannot. ", 12)})
	}
	return msgs
}

func benchmark(b *testing.B, msgs []chat.Message) {
	size := int64(0)
	for i := range msgs {
		size += int64(msgs[i].Size())
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		a := Measure(Config{}, 1, msgs)
		if a.Summary.OverallScore == nil {
			b.Fatal("no score")
		}
	}
}

func BenchmarkMeterWork(b *testing.B) { benchmark(b, work(200)) }
func BenchmarkMeterTalk(b *testing.B) { benchmark(b, talk(200)) }

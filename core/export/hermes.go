package export

import (
	"fmt"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/hermes"
	"winnow/core/rawjson"
)

// trajectories is the format in which Hermes agents save what they did: all of
// a conversation as text of four speakers, in JSON as Python writes it.
var trajectories = Emitter{
	Name:        "hermes",
	Description: "Hermes trajectories: ShareGPT turns with a generated system prompt",
	Losses: "the recorded system message, the ids of calls, " +
		"training marks, the spacing of JSON, white space around answers, provenance",
	unmarked:   true,
	apart:      true,
	asRecorded: true,
	reserved:   trajectoryTags,
	skips:      []string{"think", "system", resultOrder.Name}, // results follow their calls once no system message parts them
	own:        []Check{ownPrompt, strayResults, brokenArguments, resultOrder},
	lacks: []lack{
		{"notimestamp", []string{"timestamp"}, func(s *Sample) bool { return s.started() == "" }}, {"nomodel", []string{"model"}, func(s *Sample) bool { return s.Model == "" }}, noEnd,
	},
	folderNames: []string{hermesCompleted: "trajectory_samples", hermesFailed: "failed_trajectories"},
	columns:     []table.Column{turnColumns, {Name: "timestamp"}, {Name: "model"}, {Name: "completed", Kind: table.Bool}},
	folderOf: func(s *Sample) int {
		if s.Completed != nil && !*s.Completed {
			return hermesFailed
		}
		return hermesCompleted
	},
	encode: encodeHermes,
	decode: decodeTrajectory,
}

// noEnd is for sessions of which nobody knows how they ended.
var noEnd = lack{"nocompleted", []string{"completed"}, func(s *Sample) bool { return s.Completed == nil }}

// The names in a folder. What is not known to have failed was completed:
// a curator has approved it.
const (
	hermesCompleted = iota
	hermesFailed
)

// turnColumns are those of the turns.
var turnColumns = table.Column{Name: "conversations", Kind: table.Objects, Fields: []table.Column{{Name: "from"}, {Name: "value"}}}

// trajectoryTags are the tags of trajectories. Reasoning may stand in an answer
// between tags of its own, and what stands inside of JSON is escaped there.
var trajectoryTags = reserved{
	reasoning: []string{"<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"},
	assistant: []string{"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"},
}

var (
	ownPrompt = Check{
		"generated_system", "the system prompt is the generated one", "recorded system messages left out", dropSystem, nil,
	}
	strayResults = Check{
		"stray_result", "tool results follow the calls of a message", "tool results that follow no call left out", dropStray, nil,
	}
	brokenArguments = Check{
		"broken_arguments", "arguments are valid JSON", "arguments that are not valid JSON written as {}", emptyArguments, nil,
	}
)

// dropSystem removes system messages. That is the format's nature, not a
// defect of the sample that is to be told.
func dropSystem(s *Sample, _ *Emitter, _ teller) {
	s.keep(func(_ int, m *Message) bool { return m.Role != chat.System })
}

// dropStray removes tool results that stand after no message with calls.
func dropStray(s *Sample, _ *Emitter, tell teller) {
	called := false
	s.keep(func(_ int, m *Message) bool {
		stray := m.Role == chat.Tool && !called
		if stray {
			tell(m, "a tool result that follows no call is left out")
		}
		called = !stray && m.Role == chat.Tool || len(m.Calls) > 0
		return !stray
	})
}

// emptyArguments writes {} where arguments were recorded that nobody can read.
func emptyArguments(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		if !rawjson.Valid(c.Arguments) {
			c.Arguments = "{}"
			tell(m, "arguments of %s that are not valid JSON are written as {}", c.Name)
		}
	}
}

// chat returns the messages as they are outside of exports.
func (s *Sample) chat() []chat.Message {
	messages := make([]chat.Message, len(s.Messages))
	for i := range s.Messages {
		m := &s.Messages[i]
		messages[i] = chat.Message{
			N: m.N, Role: m.Role, Content: m.Content, Reasoning: m.Reasoning, ToolCalls: m.Calls,
			ToolCallID: m.ToolCallID, Name: m.Name, Marks: m.Marks,
		}
	}
	return messages
}

// turns returns the sample as a trajectory.
func (s *Sample) turns() []hermes.Turn {
	if s.asRecorded {
		return hermes.Writer{}.Trajectory(s.chat(), s.toolsRecorded)
	}
	return hermes.Writer{Hide: true}.Trajectory(s.chat(), s.Tools)
}

func encodeHermes(dst []byte, s *Sample) ([]byte, int) {
	dst = appendTurns(append(dst, `{"conversations": `...), s.turns())
	if at := s.started(); at != "" {
		dst = rawjson.AppendString(append(dst, `, "timestamp": `...), at)
	}
	if s.Model != "" {
		dst = rawjson.AppendString(append(dst, `, "model": `...), s.Model)
	}
	if s.Completed != nil {
		dst = fmt.Appendf(dst, `, "completed": %t`, *s.Completed)
	}
	return append(dst, '}', '\n'), 1
}

// appendTurns appends turns as Python writes a list of them.
func appendTurns(dst []byte, turns []hermes.Turn) []byte {
	dst = append(dst, '[')
	for i := range turns {
		dst = append(append(append(append(dst, comma(i)...), `{"from": "`...), turns[i].From...), `", "value": `...)
		dst = append(rawjson.AppendString(dst, turns[i].Value), '}')
	}
	return append(dst, ']')
}

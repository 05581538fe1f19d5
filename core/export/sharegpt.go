package export

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/hermes"
	"winnow/core/rawjson"
)

// sharegpt is the format of tools that read ShareGPT: the turns of
// trajectories, but with the recorded system prompt, bare results, and no
// empty blocks of reasoning.
var sharegpt = Emitter{
	Name:        "sharegpt",
	Description: "ShareGPT turns: calls and reasoning as text, results bare between tags",
	Losses: "models, the ids of calls, training marks, " +
		"the spacing of arguments, provenance",
	unmarked:   true,
	positional: true,
	reserved:   sharegptTags,
	own:        []Check{bareResults},
	columns:    []table.Column{turnColumns, {Name: "tools"}, {Name: "source"}},
	encode:     encodeShareGPT,
	decode:     decodeShareGPT,
}

var sharegptTags = reserved{
	reasoning: trajectoryTags.reasoning,
	assistant: templateTags.assistant,
	tool:      templateTags.tool,
}

// bareResults is about results that readers of trajectories would take for the
// object that those put around them.
var bareResults = Check{"bare_result", "no result looks like one of a trajectory", "", nil, findWrapped}

func findWrapped(s *Sample, _ *Emitter, tell teller) {
	for m := range s.results {
		object := strings.TrimLeft(m.Content, blanks)
		if !rawjson.IsObject(object) || !jsontext.Value(object).IsValid() {
			continue
		}
		if rawjson.Has(object, "content") && (rawjson.Has(object, "tool_call_id") || rawjson.Has(object, "name")) {
			tell(m, "a tool result that is an object with content and name, as trajectories put around results")
		}
	}
}

// shareTurns returns the sample as turns of ShareGPT.
func (s *Sample) shareTurns() []hermes.Turn {
	var turns []hermes.Turn
	for m := range s.each {
		switch m.Role {
		case chat.System:
			turns = append(turns, hermes.Turn{From: hermes.System, Value: m.Content})
		case chat.User:
			turns = append(turns, hermes.Turn{From: hermes.Human, Value: m.Content})
		case chat.Assistant:
			turns = append(turns, hermes.Turn{From: hermes.Model, Value: sharedAnswer(m)})
		case chat.Tool:
			result := "<tool_response>\n" + m.Content + "\n</tool_response>"
			if last := len(turns) - 1; last >= 0 && turns[last].From == hermes.Tool {
				turns[last].Value += "\n" + result
				continue
			}
			turns = append(turns, hermes.Turn{From: hermes.Tool, Value: result})
		}
	}
	return turns
}

// sharedAnswer is what an assistant thought, said and called as one text. A
// blank line is put in front of text that begins with one: readers cut it off
// with the reasoning.
func sharedAnswer(m *Message) string {
	var parts []string
	if m.Reasoning != "" {
		parts = append(parts, "<think>\n"+m.Reasoning+"\n</think>")
		if begins := strings.TrimPrefix(m.Content, "\r"); strings.HasPrefix(begins, "\n") && !hermes.Blank(begins) {
			parts = append(parts, "")
		}
	}
	if len(m.Calls) == 0 || !hermes.Blank(m.Content) {
		parts = append(parts, m.Content)
	}
	for i := range m.Calls {
		parts = append(parts, hermes.Writer{Hide: true}.Call(&m.Calls[i]))
	}
	return strings.Join(parts, "\n")
}

func encodeShareGPT(dst []byte, s *Sample) ([]byte, int) {
	dst = appendTurns(append(dst, `{"conversations": `...), s.shareTurns())
	dst = rawjson.AppendString(append(dst, `, "tools": `...), cmp.Or(s.Tools, noToolsText))
	dst = rawjson.AppendString(append(dst, `, "source": `...), s.Agent)
	return append(dst, '}', '\n'), 1
}

func decodeShareGPT(s *Sample, w *wire) error {
	turns := w.Conversations
	if len(turns) > 0 && turns[0].From == hermes.System {
		s.Messages = append(s.Messages, Message{Role: chat.System, Content: turns[0].Value})
		turns = turns[1:]
	}
	messages, _ := hermes.Messages(turns)
	s.addChat(messages)
	for i := range s.Messages {
		if m := &s.Messages[i]; m.Reasoning != "" {
			m.Content = strings.TrimPrefix(m.Content, "\n") // the blank line of sharedAnswer
		}
	}
	return nil
}

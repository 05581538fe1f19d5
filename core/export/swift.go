package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/rawjson"
)

// swift is the agent format of ms-swift: calls and results are messages of
// their own roles, in their order and without ids, and an agent template
// writes them as the model expects them. Reasoning stands in the text, as the
// templates of thinking models have it.
//
// ms-swift joins the messages of one turn, and takes the loss of the first:
// where a turn that is not trained begins with a call, a message without text
// goes in front and carries it.
var swift = Emitter{
	Name:        "swift",
	Description: "ms-swift agent format: roles tool_call and tool_response, loss per message",
	Losses:      "models, the ids of calls, the names of tools beside their results, provenance",
	perMessage:  true,
	positional:  true,
	reserved:    templateTags,
	lacks:       noTools,
	columns: []table.Column{
		{Name: "messages", Kind: table.Objects, Fields: []table.Column{{Name: "role"}, {Name: "content"}, {Name: "loss", Kind: table.Bool}}}, {Name: "tools"},
	},
	encode: encodeSwift,
	decode: decodeSwift,
}

// The roles of ms-swift that no other format has.
const (
	swiftCall   = "tool_call"
	swiftResult = "tool_response"
)

func encodeSwift(dst []byte, s *Sample) ([]byte, int) {
	dst = append(dst, `{"messages":[`...)
	for i := range s.Messages {
		dst = appendSwiftMessage(dst, &s.Messages[i])
	}
	return append(appendToolText(append(dst, ']'), s), '}', '\n'), 1
}

// appendSwiftMessage appends what a message becomes, marked as trained or not.
func appendSwiftMessage(dst []byte, m *Message) []byte { return appendSwiftTurn(dst, m, true) }

func appendSwiftTurn(dst []byte, m *Message, marked bool) []byte {
	one := func(role, content string, call *chat.ToolCall) {
		dst = append(append(append(appendComma(dst), `{"role":"`...), role...), '"')
		if call == nil {
			dst = appendField(dst, "content", content)
		} else {
			dst = appendText(appendKey(dst, "content"), func(b []byte) []byte { return appendBareCall(b, call) })
		}
		if marked && m.Role == chat.Assistant {
			dst = strconv.AppendBool(appendKey(dst, "loss"), m.Train)
		}
		dst = append(dst, '}')
	}
	switch m.Role {
	case chat.Tool:
		one(swiftResult, m.Content, nil)
	case chat.Assistant:
		if m.Content != "" || m.Reasoning != "" || len(m.Calls) == 0 || marked && !m.Train {
			one("assistant", withThought(m.Reasoning, m.Content), nil)
		}
		for i := range m.Calls {
			one(swiftCall, "", &m.Calls[i])
		}
	default:
		one(string(m.Role), m.Content, nil)
	}
	return dst
}

// The tags around reasoning that stands in front of a text.
const (
	thoughtOpen = "<think>\n"
	thoughtShut = "\n</think>\n\n"
)

// withThought returns a text with the reasoning in front of it.
func withThought(reasoning, text string) string {
	if reasoning == "" {
		return text
	}
	return thoughtOpen + reasoning + thoughtShut + text
}

// cutThought cuts reasoning off a text that has it in front.
func cutThought(text string) (reasoning, rest string) {
	if inner, ok := strings.CutPrefix(text, thoughtOpen); ok {
		if reasoning, rest, ok = strings.Cut(inner, thoughtShut); ok {
			return reasoning, rest
		}
	}
	return "", text
}

// appendBareCall appends a call as its name and arguments alone, the latter as
// recorded, and as a text if they are not JSON.
func appendBareCall(dst []byte, c *chat.ToolCall) []byte {
	dst = rawjson.AppendString(append(dst, `{"name": `...), c.Name)
	dst = append(dst, `, "arguments": `...)
	if rawjson.Valid(c.Arguments) {
		dst = append(dst, strings.TrimSpace(c.Arguments)...)
	} else {
		dst = rawjson.AppendString(dst, c.Arguments)
	}
	return append(dst, '}')
}

func decodeSwift(s *Sample, w *wire) error {
	open := false // calls go on with the last message
	for i := range w.Messages {
		m := &w.Messages[i]
		switch m.Role {
		case chat.Assistant:
			m.Reasoning, m.Content = cutThought(m.Content)
		case swiftResult:
			m.Role = chat.Tool
		case swiftCall:
			call, err := readBareCall(jsontext.Value(m.Content))
			if err != nil {
				return fmt.Errorf("message %d: %w", i+1, err)
			}
			if !open {
				s.Messages = append(s.Messages, Message{Role: chat.Assistant, Train: m.Loss})
			}
			last := &s.Messages[len(s.Messages)-1]
			last.Calls = append(last.Calls, call)
			open = true
			continue
		}
		if err := s.addMessages(w.Messages[i : i+1]); err != nil {
			return err
		}
		open = m.Role == chat.Assistant
	}
	return nil
}

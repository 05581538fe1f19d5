package export

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
	"winnow/core/rawjson"
)

// openai is the fine-tuning format of OpenAI's API, which knows no reasoning
// and refuses keys it does not know. Trainers that load it as a table need the
// same columns in every row of a file: samples without tools have a file of
// their own where others have tools, and those with tools all say whether a
// message makes several calls at once.
var openai = Emitter{
	Name:        "openai",
	Description: "OpenAI chat fine-tuning: OpenAI, Fireworks",
	Losses:      "models, reasoning, the names of tools beside their results, provenance",
	perMessage:  true,
	uniform:     true,
	lacks:       noTools,
	columns: []table.Column{{Name: "messages", Kind: table.Objects, Fields: []table.Column{
		{Name: "role"}, {Name: "content"}, {Name: "tool_calls", Kind: table.Objects, Fields: callColumns(table.Text)},
		{Name: "tool_call_id"}, {Name: "weight", Kind: table.Integer},
	}}, {Name: "tools", Kind: table.JSON}, {Name: "parallel_tool_calls", Kind: table.Bool}},
	own:    []Check{{"tool_name", "the names of tools are such as the service takes", "", nil, findServiceNames}},
	encode: encodeOpenAI,
	decode: decodeChat,
	same:   sameValue(encodeOpenAI),
}

// findServiceNames finds names of tools that the service refuses, and with them
// the whole file: it takes 64 letters, digits, "_" and "-".
func findServiceNames(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		if !isServiceName(c.Name) {
			tell(m, "the service takes no tool with the name %q", c.Name)
		}
	}
	tools, _ := elements(jsontext.Value(s.Tools)) // none if there are none
	for _, tool := range tools {
		if name, _ := unquote(rawjson.Get(rawjson.Get(tool, "function"), "name")); !isServiceName(name) {
			tell(nil, "the service takes no tool with the name %q", name)
		}
	}
}

func isServiceName(name string) bool { return isPlainName(name, 64) }

func encodeOpenAI(dst []byte, s *Sample) ([]byte, int) {
	dst = appendList(append(dst, '{'), "messages", len(s.Messages), func(dst []byte, i int) []byte {
		return appendOpenAIMessage(dst, &s.Messages[i])
	})
	if s.Tools != "" {
		dst = append(appendKey(dst, "tools"), s.Tools...)
		dst = strconv.AppendBool(appendKey(dst, "parallel_tool_calls"), s.callsInParallel())
	}
	return append(dst, '}', '\n'), 1
}

// callsInParallel reports whether a message makes several calls at once.
func (s *Sample) callsInParallel() bool {
	return slices.ContainsFunc(s.Messages, func(m Message) bool { return len(m.Calls) > 1 })
}

func appendOpenAIMessage(dst []byte, m *Message) []byte {
	dst = appendOpenAIFields(append(dst, '{'), m)
	if m.Role == chat.Assistant {
		weight := byte('0')
		if m.Train {
			weight = '1'
		}
		dst = append(appendKey(dst, "weight"), weight)
	}
	return append(dst, '}')
}

func appendOpenAIFields(dst []byte, m *Message) []byte {
	known := *m
	known.Reasoning, known.Name = "", ""
	return appendChatFields(dst, &known, rawjson.AppendString)
}

// appendOpenAIPlain appends a message without a mark on what is trained.
func appendOpenAIPlain(dst []byte, m *Message) []byte {
	return append(appendOpenAIFields(append(dst, '{'), m), '}')
}

package export

import (
	"winnow/core/export/table"
	"winnow/core/rawjson"
)

// sft is for trainers that know chats but no tools: calls are text after
// the content, as Qwen3.5 writes them, results keep the role of their own.
var sft = Emitter{
	Name:        "sft",
	Description: "plain chats with a topic, calls as text of Qwen3.5: any chat trainer",
	Losses:      "models, training marks, tools, the structure of calls: they are text, and their results have no ids or names",
	unmarked:    true,
	positional:  true,
	reserved:    templateTags,
	own:         []Check{{"call_text", "no call holds what ends it in the text of Qwen3.5", "", nil, findQwenTags}},
	columns: []table.Column{
		{Name: "messages", Kind: table.Objects, Fields: []table.Column{{Name: "role"}, {Name: "content"}, {Name: "reasoning_content"}}}, {Name: "topic"},
	},
	encode: encodeSFT,
	decode: decodeSFT,
}

func encodeSFT(dst []byte, s *Sample) ([]byte, int) {
	dst = append(dst, `{"messages":[`...)
	for m := range s.each {
		dst = append(append(append(appendComma(dst), `{"role":"`...), m.Role...), '"')
		if len(m.Calls) == 0 {
			dst = appendField(dst, "content", m.Content)
		} else {
			dst = appendText(appendKey(dst, "content"), func(text []byte) []byte { return appendWithCalls(text, m) })
		}
		if m.Reasoning != "" {
			dst = appendField(dst, "reasoning_content", m.Reasoning)
		}
		dst = append(dst, '}')
	}
	dst = appendField(append(dst, ']'), "topic", s.Topic)
	return append(dst, '}', '\n'), 1
}

// appendWithCalls appends the content of a message with its calls after it.
func appendWithCalls(text []byte, m *Message) []byte {
	if m.Content != "" {
		text = append(append(text, m.Content...), "\n\n"...)
	}
	return appendQwenCalls(text, m.Calls)
}

func decodeSFT(s *Sample, w *wire) error {
	if err := decodeChat(s, w); err != nil {
		return err
	}
	for m := range s.assistants {
		var err error
		if m.Content, m.Calls, err = cutQwenCalls(m.Content); err != nil {
			return err
		}
	}
	return nil
}

// appendText appends what write appends as a JSON string.
func appendText(dst []byte, write func([]byte) []byte) []byte {
	start := len(dst)
	dst = write(dst)
	return rawjson.AppendString(dst[:start], string(dst[start:]))
}

package export

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/export/table"
)

// hf is the conversational format of Hugging Face's chat templates, with tool
// calls as objects and a mark on what is trained. Tools and provenance are
// JSON strings: as objects, every schema would become columns of the table.
var hf = Emitter{
	Name:        "hf",
	Description: "Hugging Face messages: TRL, Axolotl, prime-rl, NeMo, Unsloth",
	Losses:      "the models of single messages",
	perMessage:  true,
	reserved:    templateTags,
	lacks:       noTools,
	columns: []table.Column{
		{Name: "id"}, {Name: "messages", Kind: table.Objects, Fields: hfMessageColumns}, {Name: "tools"}, {Name: "provenance"},
	},
	encode: encodeHF,
	decode: decodeHF,
	same:   sameValue(encodeHF),
}

// hfMessageColumns are those of a message: a format that leaves some out has
// them empty.
var hfMessageColumns = []table.Column{
	{Name: "role"}, {Name: "content"}, {Name: "reasoning_content"}, {Name: "tool_calls", Kind: table.Objects, Fields: callColumns(table.JSON)},
	{Name: "tool_call_id"}, {Name: "name"}, {Name: "train", Kind: table.Bool},
}

// chatColumns are those of a message without the mark.
var chatColumns = hfMessageColumns[:len(hfMessageColumns)-1]

// callColumns are those of a call in OpenAI's form.
func callColumns(arguments table.Kind) []table.Column {
	return []table.Column{{Name: "id"}, {Name: "type"}, {Name: "function", Kind: table.Object, Fields: []table.Column{
		{Name: "name"}, {Name: "arguments", Kind: arguments},
	}}}
}

func encodeHF(dst []byte, s *Sample) ([]byte, int) {
	dst = appendField(append(dst, '{'), "id", s.ID)
	dst = appendList(dst, "messages", len(s.Messages), func(dst []byte, i int) []byte {
		return appendHFMessage(dst, &s.Messages[i])
	})
	dst = appendField(appendToolText(dst, s), "provenance", s.Provenance)
	return append(dst, '}', '\n'), 1
}

func appendHFMessage(dst []byte, m *Message) []byte {
	dst = appendChatFields(append(dst, '{'), m, appendObject)
	if m.Role == chat.Assistant {
		dst = strconv.AppendBool(appendKey(dst, "train"), m.Train)
	}
	return append(dst, '}')
}

// appendChatFields appends what chat templates read of a message, the arguments
// of its calls as arguments writes them.
func appendChatFields(dst []byte, m *Message, arguments func([]byte, string) []byte) []byte {
	dst = append(append(append(dst, `"role":"`...), m.Role...), '"')
	dst = appendField(dst, "content", m.Content)
	if m.Reasoning != "" {
		dst = appendField(dst, "reasoning_content", m.Reasoning)
	}
	if len(m.Calls) > 0 {
		dst = appendList(dst, "tool_calls", len(m.Calls), func(dst []byte, i int) []byte {
			return appendCall(dst, &m.Calls[i], arguments)
		})
	}
	if m.ToolCallID != "" {
		dst = appendField(dst, "tool_call_id", m.ToolCallID)
	}
	if m.Name != "" {
		dst = appendField(dst, "name", m.Name)
	}
	return dst
}

// appendChatMessage appends a message as chat templates read it, without a
// mark on what is trained.
func appendChatMessage(dst []byte, m *Message) []byte {
	return append(appendChatFields(append(dst, '{'), m, appendObject), '}')
}

// appendCall appends a call in OpenAI's form, its arguments as arguments
// writes them.
func appendCall(dst []byte, c *chat.ToolCall, arguments func([]byte, string) []byte) []byte {
	dst = appendField(append(dst, '{'), "id", c.ID)
	dst = appendField(append(dst, `,"type":"function","function":{`...), "name", c.Name)
	return append(arguments(appendKey(dst, "arguments"), c.Arguments), '}', '}')
}

// decodeHF reads what others may have written with other white space.
func decodeHF(s *Sample, w *wire) error {
	if v := jsontext.Value(s.Provenance); v.Kind() != isObject || !v.IsValid() {
		return fmt.Errorf("provenance is not a JSON object")
	}
	return decodeChat(s, w)
}

// Package hermes writes conversations as Hermes trajectories and reads those
// back.
//
// A trajectory is a list of ShareGPT turns in which everything is text:
// reasoning, calls and results stand between tags, and the tools in a generated
// system prompt. The rules are those of the published hermes-agent
// (agent/trajectory.py and convert_to_trajectory_format), byte for byte, except
// that numbers stay as they were recorded.
package hermes

import (
	"bytes"
	"strings"
	"unicode"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Turn is one entry of a trajectory.
type Turn struct {
	From  string `json:"from"` // "system", "human", "gpt" or "tool"
	Value string `json:"value"`
}

// The speakers of a trajectory.
const (
	System = "system"
	Human  = "human"
	Model  = "gpt"
	Tool   = "tool"
)

// The tags around what a trajectory writes as text.
const (
	thinkOpen, thinkShut     = "<think>", "</think>"
	callOpen, callShut       = "<tool_call>", "</tool_call>"
	resultOpen, resultShut   = "<tool_response>", "</tool_response>"
	toolsOpen, toolsShut     = "<tools>", "</tools>"
	scratchOpen, scratchShut = "<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"
)

const (
	// unthought stands in front of what was said without reasoning, so that
	// every turn of the model has a block.
	unthought = thinkOpen + "\n" + thinkShut + "\n"
	// unknownTool is the name of a result beyond the calls.
	unknownTool = "unknown"
	screenshot  = "[screenshot]"
)

// The generated system prompt of the published format, around the tools.
const (
	promptHead = "You are a function calling AI model. You are provided with function signatures within <tools> </tools> XML tags. " +
		"You may call one or more functions to assist with the user query. If available tools are not relevant in assisting " +
		"with user query, just respond in natural conversational language. Don't make assumptions about what values to plug " +
		"into functions. After calling & executing the functions, you will be provided with function results within " +
		"<tool_response> </tool_response> XML tags. Here are the available tools:\n" + toolsOpen + "\n"
	promptTail = "\n" + toolsShut + "\n" +
		"For each function call return a JSON object, with the following pydantic model json schema for each:\n" +
		"{'title': 'FunctionCall', 'type': 'object', 'properties': {'name': {'title': 'Name', 'type': 'string'}, " +
		"'arguments': {'title': 'Arguments', 'type': 'object'}}, 'required': ['name', 'arguments']}\n" +
		"Each function call should be enclosed within <tool_call> </tool_call> XML tags.\n" +
		"Example:\n<tool_call>\n{'name': <function-name>,'arguments': <args-dict>}\n</tool_call>"
)

// Writer writes trajectories. The zero Writer follows the published format to
// the letter.
type Writer struct {
	// Hide writes the '<' of the format's tags inside JSON as \u003c: the
	// value is the same, and no trainer takes it for a tag.
	Hide bool
}

// Trajectory returns the turns of a conversation: the generated system prompt,
// then what users, model and tools said. Recorded system messages are left
// out, as are results that follow no calls. Reasoning inside the content stays
// there. tools is the recorded list, in any of the shapes of APIs, "" unknown.
func (w Writer) Trajectory(messages []chat.Message, tools string) []Turn {
	turns := make([]Turn, 1, len(messages)+1)
	turns[0] = Turn{System, w.Prompt(tools)}
	for i := 0; i < len(messages); i++ {
		switch m := &messages[i]; {
		case m.Role == chat.User:
			turns = append(turns, Turn{Human, Shown(m)})
		case m.Role == chat.Assistant && len(m.ToolCalls) == 0:
			turns = append(turns, Turn{Model, said(m)})
		case m.Role == chat.Assistant:
			turns = append(turns, Turn{Model, w.called(m)})
			n := results(messages[i+1:])
			if n > 0 {
				turns = append(turns, Turn{Tool, w.results(m.ToolCalls, messages[i+1:i+1+n])})
			}
			i += n
		}
	}
	return turns
}

// results counts the tool messages that messages begin with.
func results(messages []chat.Message) (n int) {
	for n < len(messages) && messages[n].Role == chat.Tool {
		n++
	}
	return n
}

// Shown is the content of a message with images as the format calls them.
func Shown(m *chat.Message) string {
	const image = "[image]"
	if !m.Marks.Has(chat.MarkImage) || !strings.Contains(m.Content, image) {
		return m.Content
	}
	lines := strings.Split(m.Content, "\n") // a placeholder has its own
	for i := range lines {
		if lines[i] == image {
			lines[i] = screenshot
		}
	}
	return strings.Join(lines, "\n")
}

// renamed is what a model said, with its reasoning between the tags of the
// format.
func renamed(m *chat.Message) string {
	text := Shown(m)
	if strings.Contains(text, scratchOpen) {
		text = strings.ReplaceAll(text, scratchOpen, thinkOpen)
		text = strings.ReplaceAll(text, scratchShut, thinkShut)
	}
	return text
}

// Blank reports whether a text is white space only, as Python has it: with
// the separators of ASCII.
func Blank(text string) bool { return strings.TrimFunc(text, isSpace) == "" }

func isSpace(r rune) bool {
	return r >= 0x1c && r <= 0x1f || unicode.IsSpace(r)
}

// thought appends the reasoning of a message, if it has any.
func thought(b *strings.Builder, m *chat.Message) {
	if !Blank(m.Reasoning) {
		b.WriteString(thinkOpen + "\n")
		b.WriteString(m.Reasoning)
		b.WriteString("\n" + thinkShut + "\n")
	}
}

// withBlock puts an empty block in front of a turn without any.
func withBlock(turn string) string {
	if strings.Contains(turn, thinkOpen) {
		return turn
	}
	return unthought + turn
}

// said is the turn of a message without calls.
func said(m *chat.Message) string {
	var b strings.Builder
	thought(&b, m)
	b.WriteString(renamed(m))
	return strings.TrimFunc(withBlock(b.String()), isSpace)
}

// called is the turn of a message with calls.
func (w Writer) called(m *chat.Message) string {
	var b strings.Builder
	thought(&b, m)
	if text := renamed(m); !Blank(text) {
		b.WriteString(text)
		b.WriteByte('\n')
	}
	for i := range m.ToolCalls {
		b.WriteString(w.Call(&m.ToolCalls[i]))
		b.WriteByte('\n')
	}
	return strings.TrimRightFunc(withBlock(b.String()), isSpace)
}

// Call returns a call between its tags. Arguments that are no valid JSON
// become an empty object.
func (w Writer) Call(c *chat.ToolCall) string {
	b := append([]byte(callOpen+"\n"), `{"name": `...)
	from := len(callOpen)
	b = rawjson.AppendString(b, c.Name)
	b = append(b, `, "arguments": `...)
	b, ok := AppendSpaced(b, c.Arguments)
	if !ok {
		b = append(b, '{', '}')
	}
	b = append(b, '}')
	b = w.hide(b, from, thinkOpen, thinkShut, callOpen, callShut, resultOpen, resultShut)
	return string(append(b, "\n"+callShut...))
}

// results is the turn with the results of calls.
func (w Writer) results(calls []chat.ToolCall, messages []chat.Message) string {
	size := 0
	for i := range messages {
		const around = 128 // tags, id and name
		size += len(messages[i].Content) + len(messages[i].Content)/16 + around
	}
	b := make([]byte, 0, size)
	for i := range messages {
		name := unknownTool
		if i < len(calls) {
			name = calls[i].Name
		}
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, resultOpen+"\n"...)
		from := len(b)
		b = append(b, `{"tool_call_id": `...)
		b = rawjson.AppendString(b, messages[i].ToolCallID)
		b = append(b, `, "name": `...)
		b = rawjson.AppendString(b, name)
		b = append(b, `, "content": `...)
		b = appendContent(b, Shown(&messages[i]))
		b = append(b, '}')
		b = w.hide(b, from, resultOpen, resultShut)
		b = append(b, "\n"+resultShut...)
	}
	return string(b)
}

// appendContent embeds text that is a JSON object or list, and writes any
// other as a string.
func appendContent(dst []byte, text string) []byte {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if out, ok := AppendSpaced(dst, text); ok {
			return out
		}
	}
	return rawjson.AppendString(dst, text)
}

// hide hides tags in the JSON that begins at from.
func (w Writer) hide(b []byte, from int, tags ...string) []byte {
	if !w.Hide || bytes.IndexByte(b[from:], '<') < 0 {
		return b
	}
	text := string(b[from:])
	for _, tag := range tags {
		text = strings.ReplaceAll(text, tag, `\u003c`+tag[1:])
	}
	return append(b[:from], text...)
}

// Prompt is the generated system prompt with the tools of a session.
func (w Writer) Prompt(tools string) string {
	b := []byte(promptHead)
	from := len(b)
	b = appendTools(b, tools)
	b = w.hide(b, from, toolsOpen, toolsShut)
	return string(append(b, promptTail...))
}

// appendTools appends a recorded list of tools in the form of the format. What
// is no tool with a name is left out.
func appendTools(dst []byte, tools string) []byte {
	dst = append(dst, '[')
	first := true
	if !rawjson.Valid(tools) {
		tools = ""
	}
	for tool := range rawjson.Elements(strings.TrimLeft(tools, blanks)) {
		if inner := rawjson.Get(tool, "function"); rawjson.IsObject(inner) {
			tool = inner
		}
		name, parameters := rawjson.Get(tool, "name"), rawjson.Get(tool, "parameters")
		if !rawjson.IsText(name) {
			continue
		}
		if parameters == "" {
			parameters = rawjson.Get(tool, "input_schema")
		}
		if !first {
			dst = append(dst, ',', ' ')
		}
		first = false
		dst = appendMember(append(dst, `{"name": `...), name, `""`)
		dst = appendMember(append(dst, `, "description": `...), rawjson.Get(tool, "description"), `""`)
		dst = appendMember(append(dst, `, "parameters": `...), parameters, `{}`)
		dst = append(dst, `, "required": null}`...)
	}
	return append(dst, ']')
}

// appendMember appends a value, or what stands for one that is absent.
func appendMember(dst []byte, value, absent string) []byte {
	out, ok := AppendSpaced(dst, value)
	if !ok {
		return append(dst, absent...)
	}
	return out
}

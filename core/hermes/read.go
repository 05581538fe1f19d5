package hermes

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Messages reads turns back, whether the results stand in the objects of
// trajectories or bare between their tags. A leading system turn that was
// generated gives no message but the tools in it, as a JSON list, "" if there
// are none; any other is one. Calls have the ids of the results in their
// places, "" without any.
//
// For all that a Writer writes, writing what was read gives the same turns.
// Reasoning that stands in any other form in front of an answer is part of its
// content: chat.SplitThink takes it off.
// Text that cannot be read as a call or a result stays what it is.
func Messages(turns []Turn) (messages []chat.Message, tools string) {
	for i, t := range turns {
		switch t.From {
		case System:
			list, generated := readPrompt(t.Value)
			if generated && i == 0 {
				tools = list
				continue
			}
			messages = append(messages, chat.Message{Role: chat.System, Content: t.Value})
		case Human:
			messages = append(messages, chat.Message{Role: chat.User, Content: t.Value})
		case Model:
			messages = append(messages, readSaid(t.Value))
		case Tool:
			answers := readResults(t.Value)
			if last := len(messages) - 1; last >= 0 {
				name(messages[last].ToolCalls, answers)
			}
			messages = append(messages, answers...)
		}
	}
	return messages, tools
}

// name gives calls the ids of their results, and results without one the name
// of their call.
func name(calls []chat.ToolCall, answers []chat.Message) {
	for i := range min(len(calls), len(answers)) {
		calls[i].ID = answers[i].ToolCallID
		if answers[i].Name == "" {
			answers[i].Name = calls[i].Name
		}
	}
}

// Generated reports whether a record of turns, as JSON, begins with the
// generated system prompt.
func Generated(record string) bool {
	const lead = "You are a function calling AI model."
	i := strings.Index(record, lead)
	return i >= 0 && i < len(`[{"from": "system", "value": "`)+8
}

func readPrompt(prompt string) (tools string, generated bool) {
	list, headed := strings.CutPrefix(prompt, promptHead)
	list, tailed := strings.CutSuffix(list, promptTail)
	if !headed || !tailed || !rawjson.IsList(strings.TrimLeft(list, blanks)) {
		return "", false
	}
	if list == "[]" {
		list = ""
	}
	return list, true
}

// readSaid reads a turn of the model.
func readSaid(value string) chat.Message {
	m := chat.Message{Role: chat.Assistant}
	m.Reasoning, m.Content = cutThought(value)
	text, took := m.Content, 0
	var beside []string
	for from := 0; ; {
		i := strings.Index(text[from:], callOpen)
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(callOpen)
		call, end, ok := readCall(text, from)
		if !ok {
			m.Marks |= chat.MarkMalformedCall
			continue
		}
		beside = append(beside, text[took:at])
		m.ToolCalls = append(m.ToolCalls, call)
		took, from = end, end
	}
	if took == 0 {
		return m
	}
	m.Content = joinBeside(append(beside, text[took:]))
	return m
}

// joinBeside joins what stands beside calls, without the line breaks that
// belong to their tags.
func joinBeside(pieces []string) string {
	kept := pieces[:0]
	for i, piece := range pieces {
		if i > 0 {
			piece = strings.TrimPrefix(piece, "\n")
		}
		if i < len(pieces)-1 {
			piece = strings.TrimSuffix(piece, "\n")
		}
		if !Blank(piece) {
			kept = append(kept, piece)
		}
	}
	return strings.Join(kept, "\n")
}

// cutThought takes the reasoning in front of a turn off it if it is written as
// here. Any other stays in the content, where it stood: chat.SplitThink knows
// how else it is written.
func cutThought(value string) (reasoning, rest string) {
	const open, shut = thinkOpen + "\n", "\n" + thinkShut
	if value == strings.TrimSuffix(unthought, "\n") {
		return "", ""
	}
	if rest, ok := strings.CutPrefix(value, unthought); ok && !closes(rest) {
		return "", rest
	}
	if inner, ok := strings.CutPrefix(value, open); ok {
		reasoning, rest, ok := strings.Cut(inner, shut)
		after, line := strings.CutPrefix(rest, "\n")
		if ok && (line || rest == "") && !Blank(reasoning) && !strings.Contains(reasoning, thinkShut) {
			return reasoning, after
		}
	}
	return "", value
}

// closes reports whether the first tag of reasoning in a text is a closing
// one, as where reasoning follows an empty block.
func closes(text string) bool {
	shut := strings.Index(text, thinkShut)
	if shut < 0 {
		return false
	}
	open := strings.Index(text, thinkOpen)
	return open < 0 || shut < open
}

// readCall reads the call after an opening tag and returns the end of its
// closing tag.
func readCall(text string, from int) (call chat.ToolCall, end int, ok bool) {
	lo, hi := valueAt(text, from)
	if hi == 0 || text[lo] != '{' {
		return call, 0, false
	}
	end = passBlanks(text, hi)
	if !strings.HasPrefix(text[end:], callShut) && end < len(text) {
		return call, 0, false
	}
	object := text[lo:hi]
	call.Name, call.Arguments = textOf(rawjson.Get(object, "name")), rawjson.Get(object, "arguments")
	if text := textOf(call.Arguments); chat.IsObject(text) {
		call.Arguments = text // some encode them twice
	}
	return call, min(end+len(callShut), len(text)), call.Name != ""
}

// readResults reads a turn with results, one message per pair of tags.
func readResults(value string) (answers []chat.Message) {
	at := strings.Index(value, resultOpen)
	if at < 0 || !Blank(value[:at]) {
		return []chat.Message{{Role: chat.Tool, Content: value}}
	}
	for at >= 0 {
		m, end := readResult(value, at+len(resultOpen))
		if at = strings.Index(value[end:], resultOpen); at >= 0 {
			at += end
		} else if rest := value[end:]; !Blank(rest) {
			m.Content += rest // what no tag holds must not be lost
		}
		answers = append(answers, m)
	}
	return answers
}

// WithResults returns a turn of results in which texts stand for some of them: with
// says of each, counted from 0, which one, or not ok. All else stays as it is, also
// the objects that trajectories put around results.
func WithResults(value string, with func(i int) (text string, ok bool)) string {
	at := strings.Index(value, resultOpen)
	if at < 0 || !Blank(value[:at]) {
		if text, ok := with(0); ok {
			return text
		}
		return value
	}
	var b strings.Builder
	took := 0
	for i := 0; at >= 0; i++ {
		from := at + len(resultOpen)
		m, end := readResult(value, from)
		if text, ok := with(i); ok {
			b.WriteString(value[took:from])
			b.WriteByte('\n')
			if inner := value[from:end]; m.ToolCallID != "" || m.Name != "" {
				lo, hi := valueAt(inner, 0)
				text = withContent(inner[lo:hi], text)
			}
			b.WriteString(text)
			b.WriteString("\n" + resultShut)
			took = end
		}
		if at = strings.Index(value[end:], resultOpen); at >= 0 {
			at += end
		}
	}
	return b.String() + value[took:]
}

// withContent is the object around a result with another text in it.
func withContent(object, text string) string {
	b := []byte{'{'}
	for key, val := range rawjson.Pairs(object) {
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b = append(append(b, key...), ": "...)
		if rawjson.Unquote(key) == "content" {
			b = rawjson.AppendString(b, text)
		} else {
			b = append(b, val...)
		}
	}
	return string(append(b, '}'))
}

// readResult reads the result after an opening tag.
func readResult(value string, from int) (m chat.Message, end int) {
	m.Role = chat.Tool
	lo, hi := valueAt(value, from)
	if hi > 0 {
		end = passBlanks(value, hi)
	}
	if hi == 0 || !strings.HasPrefix(value[end:], resultShut) {
		hi = 0
		if end = strings.Index(value[from:], resultShut); end < 0 {
			return chat.Message{Role: chat.Tool, Content: strings.TrimPrefix(value[from:], "\n")}, len(value)
		}
		end += from
	}
	m.Content = strings.TrimSuffix(strings.TrimPrefix(value[from:end], "\n"), "\n")
	if hi > 0 && value[lo] == '{' {
		unwrap(&m, value[lo:hi])
	}
	return m, end + len(resultShut)
}

// unwrap takes the object off that trajectories put around a result.
func unwrap(m *chat.Message, object string) {
	id, name, content := "", "", ""
	for key, val := range rawjson.Members(object) {
		switch key {
		case "tool_call_id":
			id = val
		case "name":
			name = val
		case "content":
			content = val
		default:
			return
		}
	}
	if rawjson.IsText(id) && rawjson.IsText(name) && content != "" {
		m.ToolCallID, m.Name, m.Content = textOf(id), textOf(name), content
		if rawjson.IsText(content) {
			m.Content = textOf(content)
		}
	}
}

// valueAt returns the place of the JSON object or list after a tag; hi is 0
// if there is none. A tag can stand in its strings only, so that what seems to
// begin at one tag and goes on after the next, which is not the one that follows:
// all searches together cost no more than twice the text.
func valueAt(text string, from int) (lo, hi int) {
	lo = passBlanks(text, from)
	if lo == len(text) || text[lo] != '{' && text[lo] != '[' {
		return 0, 0
	}
	depth := 0
	for i := lo; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth > 0 {
				continue
			}
			if !rawjson.Valid(text[lo : i+1]) {
				return 0, 0
			}
			return lo, i + 1
		case '"':
			i = rawjson.StringEnd(text, i) - 1
		case '<':
			return 0, 0
		}
	}
	return 0, 0
}

// blanks is the white space of JSON.
const blanks = " \t\r\n"

func passBlanks(text string, i int) int {
	return len(text) - len(strings.TrimLeft(text[i:], blanks))
}

// textOf returns the text of a JSON string, "" of any other value.
func textOf(v string) string {
	if !rawjson.IsText(v) {
		return ""
	}
	return rawjson.Unquote(v)
}

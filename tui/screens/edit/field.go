package edit

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/tui/draw"
)

// choice is what one may do with a message.
type choice struct {
	op    edit.Op
	field string // as edit.SetField names it, "" for what is about all of it
	label string
	text  string // of the field
	file  string // that an editor gets
}

// choices are those of a message, the default one first among its fields.
func choices(m *chat.Message) (list []choice, standard int) {
	set := func(field, label, text, file string) { list = append(list, choice{edit.Set, field, label, text, file}) }
	set("content", "content", m.Content, "content.md")
	if m.Role == chat.Assistant {
		set("reasoning", "reasoning", m.Reasoning, "reasoning.md")
	}
	if m.Content == "" && len(m.ToolCalls) > 0 {
		standard = len(list)
	}
	for i := range m.ToolCalls {
		k := strconv.Itoa(i + 1)
		set("args:"+k, "call "+k+": "+clean.Line(draw.Head(m.ToolCalls[i].Name)), m.ToolCalls[i].Arguments, "arguments.json")
	}
	if m.Role == chat.Tool {
		set("name", "name", m.Name, "name.txt")
	}
	list = append(list,
		choice{op: edit.Drop, label: "drop the message"},
		choice{op: edit.Add, label: "insert one after it", file: "content.md"})
	return list, standard
}

// arguments reports whether the field is what a call gives to its tool.
func (c *choice) arguments() bool { return c.file == "arguments.json" }

// problem says why the field can't have a text, "" if it can.
func (c *choice) problem(text string) string {
	if !c.arguments() {
		return ""
	}
	v := jsontext.Value(text)
	switch {
	case !v.IsValid():
		return "the arguments are not valid JSON"
	case v.Kind() != '{':
		return "the arguments are no JSON object"
	}
	return ""
}

// ended takes the line end off that an editor puts after the last line, if the field
// had none.
func (c *choice) ended(text string) string {
	cut, ends := cutLineEnd(text)
	if _, had := cutLineEnd(c.text); ends && !had {
		return cut
	}
	return text
}

func cutLineEnd(text string) (cut string, ends bool) {
	n := len(text)
	switch {
	case n == 0 || text[n-1] != '\n':
		return text, false
	case n > 1 && text[n-2] == '\r':
		return text[:n-2], true
	}
	return text[:n-1], true
}

// shortest is how long a field may be to be typed in a line.
const shortest = 400 // bytes: a few lines of a terminal

// typed says why a field can't be typed in a line, "" if it can.
func (c *choice) typed() string {
	if c.op == edit.Drop {
		return "there is nothing to type"
	}
	if len(c.text) > shortest {
		return "it is too long to be typed here"
	}
	for i := range len(c.text) {
		if c.text[i] < ' ' || c.text[i] == 0x7f {
			return "it has more than a line: an editor changes it"
		}
	}
	return ""
}

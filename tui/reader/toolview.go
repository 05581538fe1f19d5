package reader

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/clean"
)

// matters are the arguments that tell what a call does, best first. They are
// the names that the tools of common agents use.
var matters = [...]string{
	"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "url", "query", "q",
	"pattern", "regex", "prompt", "task", "description", "question", "text", "message", "name", "id",
}

// asRecorded is how recorded JSON is read: nothing about it is judged here.
var asRecorded = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// callOf shows a call: its name and the argument that matters, and under it
// all arguments.
func callOf(c *chat.ToolCall) block {
	b := block{kind: callBlock, label: oneLine(c.Name)}
	if b.label == "" {
		b.label = "(unnamed)"
	}
	args := strings.TrimSpace(c.Arguments)
	if args == "" || args == "{}" {
		return b
	}
	fields, ok := fieldsOf(args)
	if !ok {
		b.brief = oneLine(args)
		b.text = body(c.Arguments)
		return b
	}
	b.brief = oneLine(argument(fields))
	b.text = body(c.Arguments)
	if p := indented(args); p != "" {
		b.text = p
	}
	return b
}

// resultOf shows what a tool answered.
func resultOf(m *chat.Message) block {
	b := block{kind: resultBlock, label: oneLine(m.Name), text: body(m.Content), failed: m.Failed()}
	if b.label == "" {
		b.label = "result"
	}
	b.diff = isDiff(b.text)
	b.brief = firstWords(b.text)
	if b.text == "" {
		b.brief = "(empty)"
	}
	args := strings.TrimSpace(m.Content)
	if len(args) > prettyBelow || args == "" || args[0] != '{' && args[0] != '[' {
		return b
	}
	if p := indented(args); p != b.text {
		b.pretty = p
	}
	if fields, ok := fieldsOf(args); ok {
		if said := answer(fields); said != "" {
			b.brief = oneLine(said)
		}
		if code := fields.first("exit_code", "exitCode", "returncode", "exit"); code != "" && code != "0" && code != "null" {
			b.note = "exit " + oneLine(code)
		}
	}
	return b
}

// field is one entry of a JSON object; a string is unquoted.
type field struct {
	name, value string
	text        bool // the value is a string
}

type fields []field

// first returns the value of the first of names that is there.
func (f fields) first(names ...string) string {
	for _, name := range names {
		for i := range f {
			if f[i].name == name {
				return f[i].value
			}
		}
	}
	return ""
}

// fieldsOf takes a JSON object apart; ok is false for anything else, and for
// objects too large to be worth it.
func fieldsOf(text string) (f fields, ok bool) {
	if len(text) > prettyBelow || !chat.IsObject(text) {
		return nil, false
	}
	dec := jsontext.NewDecoder(strings.NewReader(text), asRecorded...)
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		key := name.String()
		val, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		f = append(f, fieldOf(key, val))
	}
	return f, true
}

func fieldOf(name string, val jsontext.Value) field {
	f := field{name: name, value: string(val)}
	if val.Kind() != '"' {
		return f
	}
	if unquoted, err := jsontext.AppendUnquote(nil, val); err == nil || len(unquoted) > 0 {
		f.value, f.text = string(unquoted), true
	}
	return f
}

// argument returns the argument that matters most.
func argument(f fields) string {
	for _, name := range matters {
		if v := f.first(name); v != "" && v != "null" {
			return v
		}
	}
	for i := range f {
		if f[i].text && f[i].value != "" {
			return f[i].value
		}
	}
	if len(f) > 0 {
		return f[0].name + ": " + f[0].value
	}
	return ""
}

// answer returns what a JSON result says in its own words.
func answer(f fields) string {
	if v := f.first("error"); v != "" && v != "null" && v != "false" {
		return v
	}
	for _, name := range [...]string{"output", "stdout", "content", "result", "stderr", "message", "text"} {
		if v := strings.TrimLeft(f.first(name), " \r\n"); v != "" && v != "null" {
			return v[:min(len(v), 4*briefBytes)]
		}
	}
	return ""
}

// indented returns a JSON text over several lines, as clean text: order of
// keys, numbers and strings stay as recorded. It returns "" for what is too
// large or no JSON.
func indented(text string) string {
	if len(text) > prettyBelow {
		return ""
	}
	v := jsontext.Value(text)
	options := append([]jsontext.Options{jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true)}, asRecorded...)
	if err := v.Indent(options...); err != nil {
		return ""
	}
	return clean.Text(string(v))
}

// isDiff reports whether a text is a unified diff, judged by its beginning.
func isDiff(text string) bool {
	const looked = 16 << 10 // bytes; tools print a few lines before a diff
	text = text[:min(len(text), looked)]
	if strings.HasPrefix(text, "diff --git ") {
		return true
	}
	for _, hunk := range [...]string{"\n@@ ", "\n@@@ "} {
		if strings.Contains(text, hunk) && (strings.HasPrefix(text, "--- ") || strings.Contains(text, "\n--- ")) {
			return true
		}
	}
	return false
}

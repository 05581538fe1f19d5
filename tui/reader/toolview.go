package reader

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/reader/markdown"
)

// matters are the arguments that tell what a call does, best first. They are
// the names that the tools of common agents use.
var matters = [...]string{
	"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "url", "query", "q",
	"pattern", "regex", "prompt", "task", "description", "question", "text", "message", "name", "id",
}

// callOf shows a call: its name and the argument that matters, and under it
// all arguments.
func callOf(c *chat.ToolCall, label string) block {
	b := block{kind: callBlock, label: label}
	args := strings.TrimSpace(c.Arguments)
	if args == "" || args == "{}" {
		return b
	}
	fields, ok := fieldsOf(args)
	if !ok {
		b.brief = oneLine(args)
		b.text = body(c.Arguments)
		if isDiff(b.text) {
			b.sections = []section{{0, diffSection}}
			b.change.count(b.text)
			b.brief = cmp.Or(patchFiles(b.text), b.brief)
		}
		return b
	}
	b.brief = oneLine(argument(fields))
	b.language, b.prints = written(c.Name, fields), printed(c.Name, fields)
	recorded := indented(args)
	if !b.layOut(args) {
		b.text = body(c.Arguments)
	}
	s := b.makeReadable(fields, recorded)
	if b.change = s.change; b.change.edits {
		b.brief = cmp.Or(oneLine(fields.first(paths[:]...)), s.files, b.brief)
	}
	b.change.countWritten(c.Name, fields)
	if one := &fields[0]; len(fields) == 1 && one.text && !one.escaped && oneLine(one.value) == one.value {
		// It is all said in the headline.
		b.pretty, b.text, b.sections, b.brief = &form{text: recorded}, one.value, nil, one.value
	}
	if b.pretty != nil && recorded == "" {
		b.pretty = nil
	}
	return b
}

// layOut makes a JSON value the text of a block; false if it is too large, or none.
func (b *block) layOut(value string) bool {
	of := laidOut(value)
	if of != nil {
		b.text, b.sections, b.tables = of.String(), of.sections, of.tables
	}
	return of != nil
}

// makeReadable shows JSON as it reads best, and keeps it as recorded for
// those who ask for detail.
func (b *block) makeReadable(all fields, recorded string) *sheet {
	s := &sheet{}
	if text, sections := s.readable(all); text != "" {
		b.pretty, b.text, b.sections, b.tables = &form{text: recorded}, text, sections, s.tables
	}
	return s
}

// reports are the tools that start a sub-agent: what they answer is written for
// people.
var reports = map[string]bool{"Task": true, "Agent": true, "task": true, "agent": true, "delegate_task": true, "spawn_agent": true}

// resultOf shows what a tool answered.
func resultOf(m *chat.Message) block {
	b := block{kind: resultBlock, label: oneLine(m.Name), text: body(m.Content), failed: m.Failed()}
	if isDiff(b.text) {
		b.sections = []section{{0, diffSection}}
	}
	if b.brief = gistOf(m.Name, b.text); b.sections != nil {
		b.change.count(b.text)
		b.brief = cmp.Or(patchFiles(b.text), b.brief)
	}
	b.markdown = reports[m.Name] && !b.failed && b.sections == nil && markdown.Worth(b.text)
	code := ""
	if b.failed {
		code = exitIn(b.text)
	}
	if text := strings.TrimSpace(m.Content); len(text) <= prettyBelow && text != "" && (text[0] == '{' || text[0] == '[') {
		code = b.showJSON(text, code)
	} else if s := (&sheet{}); b.sections == nil && !b.markdown && s.prose(strings.Trim(m.Content, "\r\n")) {
		b.text, b.sections, b.tables = s.String(), s.sections, s.tables
	}
	switch {
	case b.failed && b.text == "":
		b.verdict = "no output"
	case b.failed && code != "":
		b.verdict = "exit " + code
	case b.failed:
		b.verdict = "failed"
	case b.text == "":
		b.brief = "no output"
	case code != "":
		b.note = "exit " + code
	}
	return b
}

// showJSON shows a result that is JSON. It returns the exit code that stands
// in it, else the one given.
func (b *block) showJSON(text, code string) string {
	if !b.layOut(text) {
		return code
	}
	if b.brief = oneLine(text); strings.IndexByte(b.text, '\n') < 0 && len(b.text) < briefBytes {
		b.brief = b.text
	}
	b.size = draw.Bytes(int64(len(text))) // its lines are ours
	fields, ok := fieldsOf(text)
	if !ok {
		return code
	}
	if said := answer(fields); said != "" {
		b.brief = gistOf(b.label, clean.Text(said))
	}
	s := b.makeReadable(fields, "")
	if b.pretty != nil {
		b.size, b.pretty.text = "", indented(text)
	}
	if b.change = s.change; s.files != "" {
		b.brief = s.files
	}
	return cmp.Or(exitOf(fields), code)
}

// argument returns the argument that matters most, with the file that a command
// or a search is about.
func argument(f fields) string {
	path := f.first(paths[:]...)
	if what := f.first("pattern", "regex", "query"); what != "" && path != "" {
		return what + " in " + path
	}
	if what := f.first("command"); path != "" && what != "" && strings.Trim(what, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return what + " " + path
	}
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
		return beginning(v, gistBytes)
	}
	for _, name := range [...]string{"output", "stdout", "content", "result", "stderr", "message", "text"} {
		if v := strings.TrimLeft(f.first(name), " \r\n"); v != "" && v != "null" {
			return v
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
	err := v.Indent(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return ""
	}
	return clean.Text(string(v))
}

// isDiff reports whether a text is a diff or a patch, judged by its beginning.
func isDiff(text string) bool {
	const looked = 16 << 10 // bytes; tools print a few lines before a diff
	text = text[:min(len(text), looked)]
	if strings.HasPrefix(text, "diff --git ") || strings.HasPrefix(text, "*** Begin Patch") {
		return true
	}
	for _, hunk := range [...]string{"\n@@ ", "\n@@@ "} {
		if strings.Contains(text, hunk) && (strings.HasPrefix(text, "--- ") || strings.Contains(text, "\n--- ")) {
			return true
		}
	}
	return false
}

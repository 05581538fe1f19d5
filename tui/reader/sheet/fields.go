package sheet

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
	"winnow/tui/reader/gist"
)

// field is one entry of a JSON object; a string is unquoted.
type field struct {
	name, value string
	text        bool // the value is a string
	escaped     bool // a string that is written with escapes in JSON
}

// Fields are the entries of a JSON object, in order.
type Fields []field

// fieldsKept bounds the fields taken apart: no tool has as many arguments, and
// tables of numbers are data.
const fieldsKept = 1000

// First returns the value of the first of names that is there.
func (f Fields) First(names ...string) string {
	for _, name := range names {
		for i := range f {
			if f[i].name == name {
				return f[i].value
			}
		}
	}
	return ""
}

// HasText reports whether there is a string called name.
func (f Fields) HasText(name string) bool { return f.text(name) >= 0 }

// Path returns the file that is meant, "" for none.
func (f Fields) Path() string { return f.First(paths[:]...) }

// Line returns the string that is all there is, if it reads in one line.
func (f Fields) Line() (line string, ok bool) {
	if len(f) != 1 || !f[0].text || f[0].escaped || gist.Line(f[0].value) != f[0].value {
		return "", false
	}
	return f[0].value, true
}

// text returns the index of the string called name, -1 without one.
func (f Fields) text(name string) int {
	return slices.IndexFunc(f, func(one field) bool { return one.text && one.name == name })
}

// FieldsOf takes a JSON object apart; ok is false for anything else, and for
// objects with more fields than are worth it. It takes time linear in text.
func FieldsOf(text string) (f Fields, ok bool) {
	if !chat.IsObject(text) {
		return nil, false
	}
	return partsOf(strings.TrimLeft(text, " \t\r\n"))
}

// elements returns the values of a JSON array, at most fieldsKept; nil for
// anything else.
func elements(value string) Fields {
	if value = strings.TrimLeft(value, " \t\r\n"); !rawjson.IsList(value) || !rawjson.Valid(value) {
		return nil
	}
	f, _ := partsOf(value)
	return f
}

// partsOf takes an object or array apart.
func partsOf(text string) (f Fields, ok bool) {
	c := rawjson.Within(text)
	for c.More() {
		name := ""
		if rawjson.IsObject(text) {
			name, _ = c.Name()
		}
		val, _ := c.Element()
		if len(f) == fieldsKept {
			return nil, false
		}
		f = append(f, fieldOf(name, val))
	}
	return f, true
}

func fieldOf(name, val string) field {
	if !rawjson.IsText(val) {
		return field{name: name, value: val}
	}
	return field{name: name, value: rawjson.Unquote(val), text: true, escaped: strings.IndexByte(val, '\\') >= 0}
}

// object writes fields as a JSON object on one line.
func (f Fields) object() string {
	b := []byte{'{'}
	for i := range f {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.AppendString(b, f[i].name)
		b = append(b, ':')
		if f[i].text {
			b = rawjson.AppendString(b, f[i].value)
		} else {
			b = append(b, f[i].value...)
		}
	}
	return string(append(b, '}'))
}

// matters are the arguments that tell what a call does, best first. They are
// the names that the tools of common agents use.
var matters = [...]string{
	"command", "cmd", "script", "code", "file_path", "path", "filename", "notebook_path", "url", "query", "q",
	"pattern", "regex", "prompt", "task", "description", "question", "text", "message", "name", "id",
}

// Argument returns the argument of a call that matters most, with the file that a
// command or a search is about.
func (f Fields) Argument() string {
	path := f.Path()
	if what := f.First("pattern", "regex", "query"); what != "" && path != "" {
		return what + " in " + path
	}
	if what := f.First("command"); path != "" && what != "" && strings.Trim(what, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return what + " " + path
	}
	for _, name := range matters {
		if v := f.First(name); v != "" && v != "null" {
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

// Answer returns what a JSON result says in its own words, "" if it has none.
func (f Fields) Answer() string {
	if v := f.First("error"); v != "" && v != "null" && v != "false" {
		return gist.Beginning(v, gist.Looked)
	}
	for _, name := range [...]string{"output", "stdout", "content", "result", "stderr", "message", "text"} {
		if v := strings.TrimLeft(f.First(name), " \r\n"); v != "" && v != "null" {
			return v
		}
	}
	return ""
}

package reader

import (
	"slices"
	"strings"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// field is one entry of a JSON object; a string is unquoted.
type field struct {
	name, value string
	text        bool // the value is a string
	escaped     bool // a string that is written with escapes in JSON
}

type fields []field

// fieldsKept bounds the fields taken apart: no tool has as many arguments, and
// tables of numbers are data.
const fieldsKept = 1000

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

// text returns the index of the string called name, -1 without one.
func (f fields) text(name string) int {
	return slices.IndexFunc(f, func(one field) bool { return one.text && one.name == name })
}

// fieldsOf takes a JSON object apart; ok is false for anything else, and for
// objects with more fields than are worth it. It takes time linear in text.
func fieldsOf(text string) (f fields, ok bool) {
	if !chat.IsObject(text) {
		return nil, false
	}
	return partsOf(strings.TrimLeft(text, " \t\r\n"))
}

// elements returns the values of a JSON array, at most fieldsKept; nil for
// anything else.
func elements(value string) fields {
	if value = strings.TrimLeft(value, " \t\r\n"); !rawjson.IsList(value) || !rawjson.Valid(value) {
		return nil
	}
	f, _ := partsOf(value)
	return f
}

// partsOf takes an object or array apart.
func partsOf(text string) (f fields, ok bool) {
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
func (f fields) object() string {
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

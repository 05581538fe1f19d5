package reader

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// asRecorded is how recorded JSON is read: nothing about it is judged here.
var asRecorded = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

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
	return partsOf(text, '{', '}')
}

// elements returns the values of a JSON array, at most fieldsKept; nil for
// anything else.
func elements(value string) fields {
	f, _ := partsOf(value, '[', ']')
	return f
}

// partsOf takes an object or array apart, between the signs it begins and ends with.
func partsOf(text string, begin, end jsontext.Kind) (f fields, ok bool) {
	dec := jsontext.NewDecoder(strings.NewReader(text), asRecorded...)
	if dec.PeekKind() != begin {
		return nil, false
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	for dec.PeekKind() != end {
		name := ""
		if begin == '{' {
			key, err := dec.ReadToken()
			if err != nil {
				return nil, false
			}
			name = key.String()
		}
		val, err := dec.ReadValue()
		if err != nil || len(f) == fieldsKept {
			return nil, false
		}
		f = append(f, fieldOf(name, val))
	}
	return f, true
}

func fieldOf(name string, val jsontext.Value) field {
	f := field{name: name, value: string(val)}
	if val.Kind() != '"' {
		return f
	}
	if unquoted, err := jsontext.AppendUnquote(nil, val); err == nil || len(unquoted) > 0 {
		f.escaped = strings.IndexByte(f.value, '\\') >= 0
		f.value, f.text = string(unquoted), true
	}
	return f
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

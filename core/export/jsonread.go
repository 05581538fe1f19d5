package export

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

// field is one member of a JSON object, in the order written.
type field struct {
	name  string
	value jsontext.Value
}

// members takes an object apart. Duplicate names and invalid UTF-8 are errors.
// The values are parts of the object.
func members(object jsontext.Value) (fields []field, err error) {
	object, err = checked(object, '{')
	for name, value := range rawjson.Members(object) {
		fields = append(fields, field{string(name), value})
	}
	return fields, err
}

// elements takes a list apart, into parts of it.
func elements(list jsontext.Value) ([]jsontext.Value, error) {
	list, err := checked(list, '[')
	return slices.Collect(rawjson.Elements(list)), err
}

// checked returns a value that must be valid and of the kind, without space in
// front of it.
func checked(v jsontext.Value, kind jsontext.Kind) (jsontext.Value, error) {
	if v.Kind() != kind {
		return nil, fmt.Errorf("%s instead of %s", v.Kind(), kind)
	}
	if !v.IsValid() {
		return nil, errors.New("invalid JSON, a repeated key or invalid UTF-8")
	}
	return bytes.TrimLeft(v, blanks), nil
}

func get(fields []field, name string) (jsontext.Value, bool) {
	for _, f := range fields {
		if f.name == name {
			return f.value, true
		}
	}
	return nil, false
}

// unquote returns the text of a JSON string.
func unquote(v jsontext.Value) (string, error) {
	text, err := jsontext.AppendUnquote(nil, v)
	return string(text), err
}

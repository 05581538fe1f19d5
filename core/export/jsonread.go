package export

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// field is one member of a JSON object, in the order written.
type field struct {
	name  string
	value jsontext.Value
}

// members takes an object apart. Duplicate names and invalid UTF-8 are errors.
func members(object jsontext.Value) ([]field, error) {
	var fields []field
	err := walk(object, '{', func(dec *jsontext.Decoder) error {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		f := field{name: name.String()}
		v, err := dec.ReadValue()
		f.value = v.Clone()
		fields = append(fields, f)
		return err
	})
	return fields, err
}

// elements takes a list apart.
func elements(list jsontext.Value) ([]jsontext.Value, error) {
	var items []jsontext.Value
	err := walk(list, '[', func(dec *jsontext.Decoder) error {
		v, err := dec.ReadValue()
		items = append(items, v.Clone())
		return err
	})
	return items, err
}

// walk calls read for each entry of v, which must be of the kind, with
// nothing behind it.
func walk(v jsontext.Value, kind jsontext.Kind, read func(*jsontext.Decoder) error) error {
	if v.Kind() != kind {
		return fmt.Errorf("%s instead of %s", v.Kind(), kind)
	}
	if !v.IsValid() {
		return fmt.Errorf("invalid JSON, a repeated key or invalid UTF-8")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
		if err := read(dec); err != nil {
			return err
		}
	}
	return nil
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

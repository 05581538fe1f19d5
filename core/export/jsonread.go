package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// field is one member of a JSON object, in the order written.
type field struct {
	name  string
	value jsontext.Value
}

// members takes an object apart. Duplicate names and invalid UTF-8 are errors.
// The values are parts of the object.
func members(object jsontext.Value) ([]field, error) {
	var fields []field
	err := walk(object, '{', func(dec *jsontext.Decoder) error {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		f := field{name: name.String()}
		f.value, err = nextOf(object, dec)
		fields = append(fields, f)
		return err
	})
	return fields, err
}

// elements takes a list apart, into parts of it.
func elements(list jsontext.Value) ([]jsontext.Value, error) {
	var items []jsontext.Value
	err := walk(list, '[', func(dec *jsontext.Decoder) error {
		v, err := nextOf(list, dec)
		items = append(items, v)
		return err
	})
	return items, err
}

// nextOf returns the next value that dec reads of v.
func nextOf(v jsontext.Value, dec *jsontext.Decoder) (jsontext.Value, error) {
	next, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := dec.InputOffset()
	return v[end-int64(len(next)) : end : end], nil
}

var errBroken = errors.New("invalid JSON, a repeated key or invalid UTF-8")

// walk calls read for each entry of v, which must be of the kind, with
// nothing behind it.
func walk(v jsontext.Value, kind jsontext.Kind, read func(*jsontext.Decoder) error) error {
	if v.Kind() != kind {
		return fmt.Errorf("%s instead of %s", v.Kind(), kind)
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(v)) // which it reads without a copy
	if _, err := dec.ReadToken(); err != nil {
		return errBroken
	}
	for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
		if read(dec) != nil {
			return errBroken
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return errBroken
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return errBroken
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

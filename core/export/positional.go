package export

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

var errNotAsWritten = errors.New("differs from what the format writes for what it says")

// strict makes a decoder strict that takes texts apart: what it read must be
// written as the same bytes again.
func strict(encode func([]byte, *Sample) ([]byte, int), decode func(jsontext.Value) (*Sample, error)) func(jsontext.Value) (*Sample, error) {
	return func(record jsontext.Value) (*Sample, error) {
		s, err := decode(record)
		if err != nil {
			return nil, err
		}
		again, _ := encode(nil, s)
		if !bytes.Equal(bytes.TrimSuffix(again, []byte{'\n'}), record) {
			return nil, errNotAsWritten
		}
		return s, nil
	}
}

package dbfile

import (
	"encoding/binary"
	"errors"
	"math"
)

var errRecord = errors.New("a row can't be read")

// varint reads a number of one to nine bytes; n is 0 if b ends early.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// record reads the values of a row: int64, float64, string, []byte or nil. The
// texts and bytes are copies.
func record(b []byte) ([]any, error) {
	size, n := varint(b)
	if n == 0 || size > uint64(len(b)) || size < uint64(n) {
		return nil, errRecord
	}
	head, body := b[n:size], b[size:]
	var values []any
	for len(head) > 0 {
		kind, n := varint(head)
		if n == 0 {
			return nil, errRecord
		}
		head = head[n:]
		v, size, err := value(kind, body)
		if err != nil {
			return nil, err
		}
		values, body = append(values, v), body[size:]
	}
	if len(body) > 0 {
		return nil, errRecord
	}
	return values, nil
}

// widths are the bytes of numbers by their kind.
var widths = [...]int{0, 1, 2, 3, 4, 6, 8, 8}

func value(kind uint64, b []byte) (v any, size int, err error) {
	switch {
	case kind == 0:
		return nil, 0, nil
	case kind == 8, kind == 9:
		return int64(kind - 8), 0, nil
	case kind < 8:
		size = widths[kind]
		if size > len(b) {
			return nil, 0, errRecord
		}
		if kind == 7 {
			return math.Float64frombits(binary.BigEndian.Uint64(b)), size, nil
		}
		n := int64(int8(b[0]))
		for _, c := range b[1:size] {
			n = n<<8 | int64(c)
		}
		return n, size, nil
	case kind < 12:
		return nil, 0, errRecord
	}
	if n := (kind - 12) / 2; n > uint64(len(b)) {
		return nil, 0, errRecord
	} else {
		size = int(n)
	}
	if kind%2 == 1 {
		return string(b[:size]), size, nil
	}
	return append([]byte{}, b[:size]...), size, nil
}

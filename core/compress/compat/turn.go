package compat

import (
	"errors"
	"fmt"

	"winnow/core/rawjson"
)

// The roles that mean something to the published program.
const (
	system = "system"
	human  = "human"
	gpt    = "gpt"
	tool   = "tool"
)

// turn is one of a trajectory: its JSON and what the rules ask of it.
type turn struct {
	raw   string
	from  string // as text; "" where it is absent
	role  kind   // what "from" is
	value string // as text; "" where it is something else
	kind  kind   // what "value" is
}

// kind is what a member of a turn is, as far as it matters.
type kind uint8

const (
	absent kind = iota
	text
	null
	hollow // an empty list or object
	nested // a list or object with something in it
	odd    // any other value
)

func kindOfValue(val string) kind {
	switch {
	case val == "":
		return absent
	case rawjson.IsText(val):
		return text
	case val == "null":
		return null
	case rawjson.IsList(val) || rawjson.IsObject(val):
		if c := rawjson.Within(val); c.More() {
			return nested
		}
		return hollow
	}
	return odd
}

// Errors of entries that no compression can read. Such an entry stays as it is.
var (
	errNoTurns = errors.New("conversations is no list of turns")
	errNoValue = errors.New("value is no text")
)

// turnsOf reads the value of "conversations".
func turnsOf(list string) ([]turn, error) {
	if !rawjson.IsList(list) {
		if k := kindOfValue(list); k == hollow || list == `""` {
			return nil, nil // nothing to go through, as in a list without turns
		}
		return nil, errNoTurns
	}
	var turns []turn
	for raw := range rawjson.Elements(list) {
		if !rawjson.IsObject(raw) {
			return nil, fmt.Errorf("turn %d: %w", len(turns), errNoTurns)
		}
		t := turn{raw: raw}
		from, value := rawjson.Get(raw, "from"), rawjson.Get(raw, "value")
		if t.role, t.kind = kindOfValue(from), kindOfValue(value); t.role == text {
			t.from = rawjson.Unquote(from)
		}
		switch {
		case t.kind == text:
			t.value = rawjson.Unquote(value)
		case t.kind == nested || t.kind == odd && value != "false" && !zero(value):
			return nil, fmt.Errorf("turn %d: %w", len(turns), errNoValue)
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// zero reports whether a number is 0, which counts as nothing.
func zero(number string) bool {
	for i := range len(number) {
		switch c := number[i]; {
		case c == 'e' || c == 'E':
			return true
		case c != '0' && c != '.' && c != '-':
			return false
		}
	}
	return true
}

// With returns an object with another value of a member, which goes where the
// first of that name stands, else at the end.
func With(object, name, val string) []byte {
	dst := append(make([]byte, 0, len(object)+len(val)), '{')
	done, first := false, true
	write := func(name, val string) {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(append(append(dst, name...), ": "...), val...)
	}
	for quoted, have := range rawjson.Pairs(object) {
		switch {
		case rawjson.Unquote(quoted) != name:
			write(quoted, have)
		case !done:
			write(quoted, val)
			done = true
		}
	}
	if !done {
		write(string(rawjson.AppendString(nil, name)), val)
	}
	return append(dst, '}')
}

package export

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// The kinds of values a shape asks for.
const (
	isText   = '"'
	isList   = '['
	isObject = '{'
	isNumber = '0'
	isBool   = 't'
)

// shape lists the keys of an object in the order they must stand; a key with
// '?' behind it may be absent.
type shape []struct {
	key  string
	kind jsontext.Kind
}

// values are the members of an object that was read by a shape.
type values map[string]jsontext.Value

// text returns a string member, "" if it is absent.
func (v values) text(key string) string {
	text, err := unquote(v[key])
	if err != nil {
		return ""
	}
	return text
}

// read takes an object apart that must have the shape: no other key, no other
// order, no null, no empty list.
func (sh shape) read(object jsontext.Value) (values, error) {
	fields, err := members(object)
	if err != nil {
		return nil, err
	}
	return sh.take(fields)
}

// take is read for an object that was taken apart.
func (sh shape) take(fields []field) (values, error) {
	out := make(values, len(fields))
	for _, want := range sh {
		key, optional := strings.CutSuffix(want.key, "?")
		if len(fields) == 0 || fields[0].name != key {
			if optional {
				continue
			}
			return nil, fmt.Errorf("no %q where it belongs", key)
		}
		v := fields[0].value
		kind := v.Kind()
		if kind == 'f' {
			kind = isBool
		}
		if kind != want.kind {
			return nil, fmt.Errorf("%q is %s", key, v.Kind())
		}
		if kind == isList && string(v) == "[]" {
			return nil, fmt.Errorf("%q is an empty list", key)
		}
		out[key] = v
		fields = fields[1:]
	}
	if len(fields) > 0 {
		return nil, fmt.Errorf("%q does not belong there", fields[0].name)
	}
	return out, nil
}

// callShape is the shape of a tool call in OpenAI's form.
func callShape(arguments jsontext.Kind) [2]shape {
	return [2]shape{
		{{"id", isText}, {"type", isText}, {"function", isObject}},
		{{"name", isText}, {"arguments", arguments}},
	}
}

// decodeMessages reads a list of messages; rest reads what only its format has.
func decodeMessages(list jsontext.Value, shapes map[chat.Role]shape, rest func(*Message, values) error) ([]Message, error) {
	items, err := elements(list)
	if err != nil {
		return nil, err
	}
	out := make([]Message, len(items))
	for i, item := range items {
		if err := decodeMessage(&out[i], item, shapes, rest); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		out[i].N = i + 1
	}
	return out, nil
}

func decodeMessage(m *Message, v jsontext.Value, shapes map[chat.Role]shape, rest func(*Message, values) error) error {
	fields, err := members(v)
	if err != nil {
		return err
	}
	role, _ := get(fields, "role")
	name, err := unquote(role)
	if err != nil {
		return fmt.Errorf("no role")
	}
	sh, known := shapes[chat.Role(name)]
	if !known {
		return fmt.Errorf("role %q", name)
	}
	f, err := sh.take(fields)
	if err != nil {
		return err
	}
	m.Role, m.Content, m.Reasoning = chat.Role(name), f.text("content"), f.text("reasoning_content")
	m.ToolCallID, m.Name = f.text("tool_call_id"), f.text("name")
	return rest(m, f)
}

func decodeCalls(list jsontext.Value, sh [2]shape, arguments func(jsontext.Value) (string, error)) ([]chat.ToolCall, error) {
	if list == nil {
		return nil, nil
	}
	items, err := elements(list)
	if err != nil {
		return nil, err
	}
	calls := make([]chat.ToolCall, len(items))
	for i, item := range items {
		call, err := sh[0].read(item)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		function, err := sh[1].read(call["function"])
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		if call.text("type") != "function" {
			return nil, fmt.Errorf("call %d: type %s", i+1, call["type"])
		}
		calls[i] = chat.ToolCall{ID: call.text("id"), Name: function.text("name")}
		if calls[i].Arguments, err = arguments(function["arguments"]); err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	return calls, nil
}

// isToolList reports whether v is a list of tools as normalizeTools writes it.
func isToolList(v jsontext.Value) bool {
	normal, ok := normalizeTools(string(v))
	return ok && normal == string(v)
}

package chat

import (
	"strconv"
	"strings"

	"winnow/core/rawjson"
)

// appendCalls appends calls as a JSON list. Arguments that are an object are
// embedded as recorded, anything else is written as a JSON string, so that
// the result is always valid.
func appendCalls(dst []byte, calls []ToolCall) []byte {
	dst = append(dst, '[')
	for i := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		c := &calls[i]
		dst = append(dst, '{')
		if c.ID != "" {
			dst = append(dst, `"id":`...)
			dst = append(rawjson.AppendString(dst, c.ID), ',')
		}
		dst = append(dst, `"name":`...)
		dst = rawjson.AppendString(dst, c.Name)
		dst = append(dst, `,"arguments":`...)
		if IsObject(c.Arguments) {
			dst = append(dst, c.Arguments...)
		} else {
			dst = rawjson.AppendString(dst, c.Arguments)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// IsObject reports whether text is one valid JSON object. Duplicate names are
// allowed, as they are in what recorders write.
func IsObject(text string) bool {
	return rawjson.IsObject(strings.TrimLeft(text, " \t\r\n")) && rawjson.Valid(text)
}

// AppendCanonical appends the message as canonical JSON: fixed key order, no
// white space, absent fields left out, arguments as the recorded text in a
// string. Two messages have the same canonical form exactly if they are equal
// in everything that a training record can hold; numbers, places and native
// identifiers of the source are not part of it.
func AppendCanonical(dst []byte, m *Message) []byte {
	dst = append(dst, `{"role":`...)
	dst = rawjson.AppendString(dst, string(m.Role))
	dst = append(dst, `,"content":`...)
	dst = rawjson.AppendString(dst, m.Content)
	dst = appendRest(dst, m)
	return append(dst, '}')
}

// appendRest appends the canonical fields that a fingerprint does not cover.
func appendRest(dst []byte, m *Message) []byte {
	field := func(key, val string) {
		if val != "" {
			dst = append(dst, ',', '"')
			dst = append(dst, key...)
			dst = append(dst, '"', ':')
			dst = rawjson.AppendString(dst, val)
		}
	}
	field("reasoning", m.Reasoning)
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		field("call_id", c.ID)
		dst = append(dst, `,"call":`...)
		dst = rawjson.AppendString(dst, c.Name)
		field("arguments", c.Arguments)
	}
	field("tool_call_id", m.ToolCallID)
	field("name", m.Name)
	if m.IsError {
		dst = append(dst, `,"is_error":true`...)
	}
	field("stop_reason", m.StopReason)
	field("model", m.Model)
	if m.Marks != 0 {
		dst = append(dst, `,"marks":`...)
		dst = strconv.AppendUint(dst, uint64(m.Marks), 10)
	}
	return dst
}

package chat

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

// AppendJSON appends a message in the normalized shape: fields in their
// fixed order, empty ones left out except content. Arguments that are an
// object are printed as they were recorded, so that numbers stay as they are,
// but on one line; others are a string under "arguments_raw".
func AppendJSON(dst []byte, m *Message) []byte {
	dst = append(dst, `{"n":`...)
	dst = strconv.AppendInt(dst, int64(m.N), 10)
	dst = append(dst, `,"role":`...)
	dst = rawjson.AppendString(dst, string(m.Role))
	dst = append(dst, `,"content":`...)
	dst = rawjson.AppendString(dst, m.Content)
	dst = appendField(dst, "reasoning", m.Reasoning)
	if len(m.ToolCalls) > 0 {
		dst = append(dst, `,"tool_calls":[`...)
		for i := range m.ToolCalls {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCall(dst, &m.ToolCalls[i])
		}
		dst = append(dst, ']')
	}
	dst = appendField(dst, "tool_call_id", m.ToolCallID)
	dst = appendField(dst, "name", m.Name)
	if m.IsError {
		dst = append(dst, `,"is_error":true`...)
	}
	dst = appendField(dst, "stop_reason", m.StopReason)
	dst = appendField(dst, "model", m.Model)
	dst = appendField(dst, "timestamp", m.Timestamp)
	if m.SourceLine > 0 {
		dst = append(dst, `,"source_line":`...)
		dst = strconv.AppendInt(dst, m.SourceLine, 10)
	}
	return append(dst, '}')
}

func appendCall(dst []byte, c *ToolCall) []byte {
	dst = append(dst, '{')
	if c.ID != "" {
		dst = append(dst, `"id":`...)
		dst = append(rawjson.AppendString(dst, c.ID), ',')
	}
	dst = append(dst, `"name":`...)
	dst = rawjson.AppendString(dst, c.Name)
	if object, ok := oneLine(c.Arguments); ok && IsObject(c.Arguments) && utf8.ValidString(c.Arguments) {
		dst = append(dst, `,"arguments":`...)
		dst = append(dst, object...)
	} else {
		dst = append(dst, `,"arguments_raw":`...)
		dst = rawjson.AppendString(dst, c.Arguments)
	}
	return append(dst, '}')
}

// oneLine returns a JSON text without line ends between its values: what is
// printed stays on one line. Numbers and texts stay as they are.
func oneLine(text string) (string, bool) {
	if !strings.ContainsAny(text, "\n\r") {
		return text, true
	}
	v := jsontext.Value(text)
	err := v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return string(v), err == nil
}

func appendField(dst []byte, key, val string) []byte {
	if val == "" {
		return dst
	}
	dst = append(dst, ',', '"')
	dst = append(dst, key...)
	dst = append(dst, '"', ':')
	return rawjson.AppendString(dst, val)
}

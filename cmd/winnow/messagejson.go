package main

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/cmd/winnow/print"
	"winnow/core/chat"
)

// row returns the JSON object of what is shown, without its messages: "messages"
// is their list here, so their number is "message_count".
func (it *shown) row(ctx context.Context, s *database) ([]byte, error) {
	if it.segment == nil {
		row := sessionRowOf(&it.session)
		n := row.Messages
		row.Messages = 0
		return print.Marshal(struct {
			sessionRow
			Tools        jsontext.Value `json:"tools,omitzero"`    // as recorded
			Metadata     jsontext.Value `json:"metadata,omitzero"` // as recorded
			MessageCount int            `json:"message_count"`
		}{row, recordedJSON(it.session.Tools), recordedJSON(it.session.Metadata), n})
	}
	row := rowOf(it.segment)
	n := row.Messages
	row.Messages = 0
	var changes *changesRow
	if it.segment.Stale {
		d, err := s.since(ctx, it.segment)
		if err != nil {
			return nil, err
		}
		changes = changesRowOf(d)
	}
	return print.Marshal(struct {
		segmentRow
		Analysis     jsontext.Value `json:"analysis,omitzero"` // as stored
		Changes      *changesRow    `json:"changes,omitzero"`  // since it was judged
		MessageCount int            `json:"message_count"`
	}{row, analysisJSON(it.segment), changes, n})
}

// recordedJSON returns what a source told as JSON, as a JSON text if it is none.
func recordedJSON(text string) jsontext.Value {
	if text == "" {
		return nil
	}
	if v := jsontext.Value(text); v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return v
	}
	return chat.AppendString(nil, text)
}

// appendMessage appends a message in the normalized shape: fields in their
// fixed order, empty ones left out except content. Arguments that are an
// object are printed as they were recorded, so that numbers stay as they are,
// but on one line; others are a string under "arguments_raw".
func appendMessage(dst []byte, m *chat.Message) []byte {
	dst = append(dst, `{"n":`...)
	dst = strconv.AppendInt(dst, int64(m.N), 10)
	dst = append(dst, `,"role":`...)
	dst = chat.AppendString(dst, string(m.Role))
	dst = append(dst, `,"content":`...)
	dst = chat.AppendString(dst, m.Content)
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

func appendCall(dst []byte, c *chat.ToolCall) []byte {
	dst = append(dst, '{')
	if c.ID != "" {
		dst = append(dst, `"id":`...)
		dst = append(chat.AppendString(dst, c.ID), ',')
	}
	dst = append(dst, `"name":`...)
	dst = chat.AppendString(dst, c.Name)
	if object, ok := oneLine(c.Arguments); ok && chat.IsObject(c.Arguments) && utf8.ValidString(c.Arguments) {
		dst = append(dst, `,"arguments":`...)
		dst = append(dst, object...)
	} else {
		dst = append(dst, `,"arguments_raw":`...)
		dst = chat.AppendString(dst, c.Arguments)
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
	return chat.AppendString(dst, val)
}

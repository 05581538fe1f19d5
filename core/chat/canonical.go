package chat

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

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
			dst = append(AppendString(dst, c.ID), ',')
		}
		dst = append(dst, `"name":`...)
		dst = AppendString(dst, c.Name)
		dst = append(dst, `,"arguments":`...)
		if IsObject(c.Arguments) {
			dst = append(dst, c.Arguments...)
		} else {
			dst = AppendString(dst, c.Arguments)
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

// AppendString appends s as a JSON string in its shortest form: only what
// JSON demands is escaped, and invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		if i+8 <= len(s) {
			if n := plain(s[i : i+8]); n > 0 {
				i += n - 1
				continue
			}
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// plain counts those of eight bytes that stand before the first one that
// AppendString escapes. They are looked at all at once: texts are large, and
// such bytes few.
func plain(s string) int {
	const each, high = 0x0101010101010101, 0x8080808080808080 // in every byte 1, and its highest bit
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	quote, slash := x^each*'"', x^each*'\\'
	// A byte below n borrows from its highest bit when n is subtracted; those
	// that have that bit are above all of ASCII. A borrow goes upward only, so
	// that the first one found is one.
	found := (x-each*' ')&^x | (quote-each)&^quote | (slash-each)&^slash
	return bits.TrailingZeros64(found&high) / 8
}

// AppendCanonical appends the message as canonical JSON: fixed key order, no
// white space, absent fields left out, arguments as the recorded text in a
// string. Two messages have the same canonical form exactly if they are equal
// in everything that a training record can hold; numbers, places and native
// identifiers of the source are not part of it.
func AppendCanonical(dst []byte, m *Message) []byte {
	dst = append(dst, `{"role":`...)
	dst = AppendString(dst, string(m.Role))
	dst = append(dst, `,"content":`...)
	dst = AppendString(dst, m.Content)
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
			dst = AppendString(dst, val)
		}
	}
	field("reasoning", m.Reasoning)
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		field("call_id", c.ID)
		dst = append(dst, `,"call":`...)
		dst = AppendString(dst, c.Name)
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

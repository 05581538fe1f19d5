package edit

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
	"winnow/core/rawjson"
)

// Replace changes what a message says, wherever: content, reasoning, the names of
// tools and the arguments of calls. with returns a text with all in it replaced that
// is to go. Arguments that are JSON stay so: what is replaced is what their strings
// say, however they are escaped; a number or a word that holds it becomes a string.
// It reports whether anything was replaced.
func Replace(m *chat.Message, with func(string) string) bool {
	changed := false
	in := func(text *string, with func(string) string) {
		if now := with(*text); now != *text {
			*text, changed = now, true
		}
	}
	in(&m.Content, with)
	in(&m.Reasoning, with)
	in(&m.Name, with)
	m.ToolCalls = append([]chat.ToolCall(nil), m.ToolCalls...)
	for i := range m.ToolCalls {
		in(&m.ToolCalls[i].Name, with)
		in(&m.ToolCalls[i].Arguments, func(text string) string { return ReplaceJSON(text, with) })
	}
	return changed
}

// ReplaceJSON replaces inside of the strings, numbers and words of a JSON text. In what is
// no JSON it replaces as it stands.
func ReplaceJSON(text string, with func(string) string) string {
	return replaceJSON(text, with, with)
}

// ReplaceValues is ReplaceJSON but for the names of members, which stay.
func ReplaceValues(text string, with func(string) string) string {
	return replaceJSON(text, with, func(name string) string { return name })
}

// replaceJSON replaces in a JSON text with one function, in the names of members with
// another one.
func replaceJSON(text string, with, inName func(string) string) string {
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return with(text)
	}
	const between = ",:{}[] \t\r\n"
	var out []byte
	for rest := text; rest != ""; {
		n := 1
		switch {
		case strings.IndexByte(between, rest[0]) >= 0:
			out = append(out, rest[0])
		case rest[0] == '"':
			n = stringEnd(rest)
			said, _ := jsontext.AppendUnquote(nil, rest[:n]) // with U+FFFD for what is no text
			how := with
			if strings.HasPrefix(strings.TrimLeft(rest[n:], " \t\r\n"), ":") {
				how = inName
			}
			out = appendReplaced(out, rest[:n], string(said), how)
		default:
			if n = strings.IndexAny(rest, between+`"`); n < 0 {
				n = len(rest)
			}
			out = appendReplaced(out, rest[:n], rest[:n], with)
		}
		rest = rest[n:]
	}
	return string(out)
}

// stringEnd returns where a JSON string ends that begins a text.
func stringEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func appendReplaced(dst []byte, raw, said string, with func(string) string) []byte {
	now := with(said)
	if now == said {
		return append(dst, raw...)
	}
	return rawjson.AppendString(dst, string(bytes.ToValidUTF8([]byte(now), []byte("\uFFFD"))))
}

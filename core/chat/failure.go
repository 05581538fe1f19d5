package chat

import (
	"strings"

	"winnow/core/rawjson"
)

// Failed reports whether the message is a tool result that failed: it is
// marked as an error, or its content is JSON (or a JSON string holding JSON)
// with a non-null "error", "success" false, or an object "content" with a
// non-null "error"; or it is no JSON and is empty or starts with "error:" in
// any case. A non-zero exit code alone is no failure.
func (m *Message) Failed() bool {
	return m.Role == Tool && (m.IsError || failedContent(m.Content))
}

func failedContent(text string) bool {
	if text == "" {
		return true
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return false
	}
	if trimmed[0] == '{' || trimmed[0] == '"' {
		// Most results mention neither word: those need no parsing.
		if !strings.Contains(trimmed, "error") && !strings.Contains(trimmed, "success") && !strings.Contains(trimmed, `\u`) {
			return false
		}
		return rawjson.Valid(trimmed) && failedValue(trimmed)
	}
	return len(trimmed) >= len("error:") && strings.EqualFold(trimmed[:len("error:")], "error:")
}

// failedValue applies the rule to a valid JSON value; a string is opened once.
func failedValue(v string) bool {
	if rawjson.IsText(v) {
		v = strings.TrimSpace(rawjson.Unquote(v))
		if !IsObject(v) {
			return false
		}
	}
	content := rawjson.Get(v, "content")
	return hasError(v) || rawjson.Get(v, "success") == "false" || hasError(content)
}

// hasError reports whether a value is an object with an "error" that is not null.
func hasError(v string) bool { return !rawjson.IsNull(rawjson.Get(v, "error")) }

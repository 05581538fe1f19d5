package chat

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient is how recorded JSON is read: duplicate names (the last counts) and
// invalid UTF-8 do not make a value unreadable.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

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
		v := jsontext.Value(trimmed)
		if v.IsValid(lenient...) {
			return failedValue(v)
		}
		return false
	}
	return len(trimmed) >= len("error:") && strings.EqualFold(trimmed[:len("error:")], "error:")
}

// failedValue applies the rule to a valid JSON value; a string is opened once.
func failedValue(v jsontext.Value) bool {
	if v.Kind() == '"' {
		inner, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return false
		}
		v = jsontext.Value(strings.TrimSpace(string(inner)))
		if v.Kind() != '{' || !v.IsValid(lenient...) {
			return false
		}
	}
	if v.Kind() != '{' {
		return false
	}
	failed := map[string]bool{}
	eachField(v, func(name string, val jsontext.Value) {
		switch name {
		case "error":
			failed[name] = val.Kind() != 'n'
		case "success":
			failed[name] = val.Kind() == 'f'
		case "content":
			failed[name] = val.Kind() == '{' && hasError(val)
		}
	})
	return failed["error"] || failed["success"] || failed["content"]
}

func hasError(object jsontext.Value) (found bool) {
	eachField(object, func(name string, val jsontext.Value) {
		if name == "error" {
			found = val.Kind() != 'n'
		}
	})
	return found
}

// eachField calls f for every field of a valid JSON object, in order.
func eachField(object jsontext.Value, f func(name string, val jsontext.Value)) {
	dec := jsontext.NewDecoder(strings.NewReader(string(object)), lenient...)
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return
		}
		key := name.String()
		val, err := dec.ReadValue()
		if err != nil {
			return
		}
		f(key, val)
	}
}

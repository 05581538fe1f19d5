package export

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/rawjson"
)

// normalizeTools brings a recorded list of tools into the form that chat
// templates and trainers read: {"type":"function","function":{"name",
// "description","parameters",…}}, on one line. Lists of bare functions and
// Anthropic's {"name","description","input_schema"} are wrapped; schemas stay
// as recorded. An empty list is none. What is no function is left out, and ok
// is false.
func normalizeTools(recorded string) (tools string, ok bool) {
	v := jsontext.Value(strings.TrimSpace(recorded))
	if len(v) == 0 || string(v) == "null" {
		return "", true
	}
	items, err := elements(v)
	if err != nil {
		return "", false
	}
	if len(items) == 0 {
		return "", true
	}
	out := []byte{'['}
	ok = true
	for _, item := range items {
		next, isFunction := appendTool(out, item)
		if !isFunction {
			ok = false
			continue
		}
		out = append(next, ',')
	}
	if len(out) == 1 {
		return "", ok
	}
	out[len(out)-1] = ']' // in place of the last comma
	list := jsontext.Value(out)
	if list.Compact() != nil {
		return "", false
	}
	return string(list), ok
}

// appendTool appends one tool in the common form; ok is false, and nothing is
// appended, if it is no function with a name.
func appendTool(dst []byte, tool jsontext.Value) ([]byte, bool) {
	fields, err := members(tool)
	if err != nil {
		return dst, false
	}
	if inner, wrapped := get(fields, "function"); wrapped {
		if fields, err = members(inner); err != nil {
			return dst, false
		}
	}
	if name, found := get(fields, "name"); !found || name.Kind() != '"' || string(name) == `""` {
		return dst, false
	}
	dst = append(dst, `{"type":"function","function":{`...)
	for _, f := range fields {
		// "type" and "cache_control" belong to the API around a tool.
		if f.value.Kind() == 'n' || f.name == "type" || f.name == "cache_control" {
			continue
		}
		if f.name == "input_schema" {
			f.name = "parameters"
		}
		dst = rawjson.AppendString(appendComma(dst), f.name)
		dst = append(append(dst, ':'), f.value...)
	}
	return append(dst, '}', '}'), true
}

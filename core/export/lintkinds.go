package export

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// The kinds of values in a record.
const (
	isText   = '"'
	isList   = '['
	isObject = '{'
	isNumber = '0'
	isBool   = 't'
)

// toolLists are the formats whose tools are a list. In the others they are JSON
// text: as a list, tables merge the schemas of all tools into one.
var toolLists = []string{"openai", "twinkle", "openai-dpo", "twinkle-dpo"}

// kinds reports keys of a record that are not what its format has there.
func (l *linter) kinds(f field) {
	want := jsontext.Kind(0)
	switch f.name {
	case "tools", "rejected_tools":
		if want = isText; slices.Contains(toolLists, l.emitter.Name) {
			want = isList
		}
	case "provenance":
		want = isText
	case "label":
		want = isBool
	}
	if got := kindOf(f.value); want != 0 && got != want && got != 'n' {
		l.report("type", 0, "%q is %s: %s has %s there", f.name, got, l.emitter.Name, want)
	}
}

// marks reports training marks that are no marks, or on a message that is
// never trained.
func (l *linter) marks(f field, role chat.Role, message int) {
	want := jsontext.Kind(isBool)
	switch f.name {
	case "weight":
		want = isNumber
	case "train", "loss":
	default:
		return
	}
	got := kindOf(f.value)
	trained := role == chat.Assistant || role == "tool_call" && f.name == "loss"
	switch {
	case got == 'n': // reported as what should be absent
	case got != want:
		l.report("type", message, "%q is %s: %s is expected", f.name, got, want)
	case !trained && string(f.value) != "false" && string(f.value) != "0":
		l.report("marks", message, "%q on a message of the role %q: only an assistant's is trained", f.name, string(role))
	case f.name == "weight" && string(f.value) != "0" && string(f.value) != "1":
		l.report("type", message, "\"weight\" is %s: 0 or 1 is expected", f.value)
	}
}

// kindOf is the kind of a value, one for both truths.
func kindOf(v jsontext.Value) jsontext.Kind {
	if k := v.Kind(); k != 'f' {
		return k
	}
	return isBool
}

// calls looks at how the arguments of calls are written.
func (l *linter) calls(list jsontext.Value, message int) {
	items, err := elements(list)
	if err != nil {
		return // null was reported, and the checks see the rest
	}
	for _, item := range items {
		call, err := members(item)
		if err != nil {
			l.report("messages", message, "a call that is %s", item.Kind())
			continue
		}
		if inner, wrapped := get(call, "function"); wrapped {
			if call, err = members(inner); err != nil {
				l.report("messages", message, "a call whose function is %s", inner.Kind())
				continue
			}
		}
		arguments, found := get(call, "arguments")
		want := jsontext.Kind(isObject)
		if l.emitter.Name == openai.Name || l.emitter.Name == openaiDPO.Name {
			want = isText
		}
		if found && arguments.Kind() != want && arguments.Kind() != 'n' {
			l.report("arguments", message, "the arguments are %s: %s expects %s", arguments.Kind(), l.emitter.Name, want)
		}
	}
}

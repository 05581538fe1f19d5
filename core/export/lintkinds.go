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
var toolLists = []string{"openai", "twinkle"}

// kinds reports keys of a record that are not what its format has there.
func (l *linter) kinds(f field) {
	want := jsontext.Kind(0)
	switch f.name {
	case "tools":
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

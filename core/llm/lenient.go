package llm

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lenient is how the JSON of models is read: "Start" is "start", and a name
// that stands twice counts as it stands last.
func Lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), json.MatchCaseInsensitiveNames(true))
}

// Text is the text of a JSON string, "" of anything else.
func Text(v jsontext.Value) (s string) {
	if v.Kind() != '"' || json.Unmarshal(v, &s, Lenient()) != nil {
		return ""
	}
	return s
}

// Number reads a number, which may be in quotes. The text is what was read.
func Number(v jsontext.Value) (x float64, text string, err error) {
	if text = string(v); v.Kind() == '"' {
		text = strings.TrimSpace(Text(v))
	}
	x, err = strconv.ParseFloat(text, 64)
	return x, text, err
}

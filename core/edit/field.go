package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"winnow/core/chat"
)

// Field returns the text of a field of a message: its content, its reasoning, the
// arguments of one of its calls, or the name of the tool that answers. The fields
// are content, reasoning, args:K for call K, args for the only call, and name.
func Field(m *chat.Message, field string) (string, error) {
	at, err := fieldOf(m, field)
	if err != nil {
		return "", err
	}
	return *at, nil
}

// CheckField refuses a text that a field can't have: arguments are a JSON object.
func CheckField(field, text string) error {
	if field != "args" && !strings.HasPrefix(field, "args:") {
		return nil
	}
	switch v := jsontext.Value(text); {
	case !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return errors.New("the arguments are not valid JSON")
	case v.Kind() != '{':
		return errors.New("the arguments are no JSON object")
	}
	return nil
}

// SetField gives a field, named as for Field, another text.
func SetField(m *chat.Message, field, text string) error {
	m.ToolCalls = slices.Clone(m.ToolCalls)
	at, err := fieldOf(m, field)
	if err == nil {
		*at = text
	}
	return err
}

// SetFromFile is SetField with the text of a file. Editors end the last line: that
// end is taken off where the field did not have one.
func SetFromFile(m *chat.Message, field, text string) error {
	was, err := Field(m, field)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(was, "\n") {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return SetField(m, field, text)
}

// fieldOf returns where a field of a message is.
func fieldOf(m *chat.Message, field string) (*string, error) {
	name, k, numbered := strings.Cut(field, ":")
	switch {
	case name == "args":
		return argumentsOf(m, k, numbered)
	case numbered:
	case name == "content":
		return &m.Content, nil
	case name == "reasoning" && m.Role != chat.Assistant:
		return nil, fmt.Errorf("only an assistant has reasoning; this is the %s's", m.Role)
	case name == "reasoning":
		return &m.Reasoning, nil
	case name == "name" && m.Role != chat.Tool:
		return nil, fmt.Errorf("only the result of a tool has a name; this is the %s's", m.Role)
	case name == "name":
		return &m.Name, nil
	}
	return nil, fmt.Errorf("%q is no field; there are content, reasoning, args:K and name", field)
}

func argumentsOf(m *chat.Message, k string, numbered bool) (*string, error) {
	n := len(m.ToolCalls)
	at := 1
	switch {
	case n == 0:
		return nil, fmt.Errorf("it has no calls")
	case !numbered && n > 1:
		return nil, fmt.Errorf("it has %d calls: say which, as args:1", n)
	case numbered:
		var err error
		if at, err = strconv.Atoi(k); err != nil || at < 1 || at > n {
			return nil, fmt.Errorf("it has no call %q, but %d", k, n)
		}
	}
	return &m.ToolCalls[at-1].Arguments, nil
}

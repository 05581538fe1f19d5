package edit

import (
	"fmt"
	"strconv"
	"strings"

	"winnow/core/chat"
)

// SetField gives a field of a message another text: its content, its reasoning, the
// arguments of one of its calls, or the name of the tool that answers. The fields
// are content, reasoning, args:K for call K, args for the only call, and name.
func SetField(m *chat.Message, field, text string) error {
	name, k, numbered := strings.Cut(field, ":")
	switch {
	case name == "args":
		return setArguments(m, k, numbered, text)
	case numbered:
	case name == "content":
		m.Content = text
		return nil
	case name == "reasoning" && m.Role != chat.Assistant:
		return fmt.Errorf("only an assistant has reasoning; this is the %s's", m.Role)
	case name == "reasoning":
		m.Reasoning = text
		return nil
	case name == "name" && m.Role != chat.Tool:
		return fmt.Errorf("only the result of a tool has a name; this is the %s's", m.Role)
	case name == "name":
		m.Name = text
		return nil
	}
	return fmt.Errorf("%q is no field; there are content, reasoning, args:K and name", field)
}

func setArguments(m *chat.Message, k string, numbered bool, text string) error {
	n := len(m.ToolCalls)
	at := 1
	switch {
	case n == 0:
		return fmt.Errorf("it has no calls")
	case !numbered && n > 1:
		return fmt.Errorf("it has %d calls: say which, as args:1", n)
	case numbered:
		var err error
		if at, err = strconv.Atoi(k); err != nil || at < 1 || at > n {
			return fmt.Errorf("it has no call %q, but %d", k, n)
		}
	}
	m.ToolCalls = append([]chat.ToolCall(nil), m.ToolCalls...)
	m.ToolCalls[at-1].Arguments = text
	return nil
}

package export

import (
	"fmt"
	"strings"

	"winnow/core/chat"
	"winnow/core/hermes"
	"winnow/core/rawjson"
)

// What stands around the parts of a call in the text of Qwen3.5 and
// Qwen3-Coder, as their published chat templates write it.
const (
	qwenCallOpen  = "<tool_call>\n<function="
	qwenCallShut  = "</function>\n</tool_call>"
	qwenValueOpen = "<parameter="
	qwenValueShut = "\n</parameter>\n"
	qwenNameShut  = ">\n"
	// qwenRaw is the parameter that holds arguments that are not JSON.
	qwenRaw = "_raw"
)

// qwenTags would end a value early, or begin the next one.
var qwenTags = []string{"<tool_call>", "</tool_call>", "<function=", "</function>", qwenValueOpen, "</parameter>", "<think>", "</think>", "<tool_response>", "</tool_response>"}

// appendQwenCalls appends calls as text, one after the other.
func appendQwenCalls(dst []byte, calls []chat.ToolCall) []byte {
	for i := range calls {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = append(append(append(dst, qwenCallOpen...), calls[i].Name...), qwenNameShut...)
		dst = append(appendQwenValues(dst, calls[i].Arguments), qwenCallShut...)
	}
	return dst
}

// appendQwenValues appends arguments: texts as they are, anything else as
// JSON. Arguments that are JSON but no object have no names, and are none.
func appendQwenValues(dst []byte, arguments string) []byte {
	open := func(name string) {
		dst = append(append(append(dst, qwenValueOpen...), name...), qwenNameShut...)
	}
	switch {
	case strings.TrimSpace(arguments) == "":
	case chat.IsObject(arguments):
		eachMember(arguments, func(name, value string) {
			open(name)
			if value[0] == '"' {
				dst = append(dst, rawjson.Unquote(value)...)
			} else {
				dst, _ = hermes.AppendSpaced(dst, value)
			}
			dst = append(dst, qwenValueShut...)
		})
	case !rawjson.Valid(arguments):
		open(qwenRaw)
		dst = append(append(dst, arguments...), qwenValueShut...)
	}
	return dst
}

// findQwenTags finds calls whose text could not be told from what is around it.
func findQwenTags(s *Sample, _ *Emitter, tell teller) {
	for m, c := range s.calls {
		if strings.ContainsAny(c.Name, "<>\r\n") {
			tell(m, "the name of a tool, %q, holds what ends it in the text of a call", c.Name)
		}
		if !chat.IsObject(c.Arguments) {
			continue // the rule about arguments says so
		}
		eachMember(c.Arguments, func(name, value string) {
			if name == "" || strings.ContainsAny(name, "<>\r\n") {
				tell(m, "an argument of %s has the name %q, which holds what ends it in the text of a call", c.Name, name)
			}
			if value[0] == '"' {
				value = rawjson.Unquote(value)
			} else if strings.IndexByte(value, '\\') >= 0 {
				spaced, _ := hermes.AppendSpaced(nil, value)
				value = string(spaced)
			}
			if tag := holdsTag(value, qwenTags); tag != "" {
				tell(m, "%s in the argument %s of %s has a meaning in the format", tag, name, c.Name)
			}
		})
	}
}

// cutQwenCalls takes a text apart into what stands in front of calls, and
// these. Values come back as texts: nothing tells those of another kind.
func cutQwenCalls(content string) (text string, calls []chat.ToolCall, err error) {
	at := strings.Index(content, qwenCallOpen)
	if at < 0 {
		return content, nil, nil
	}
	text, spaced := strings.CutSuffix(content[:at], "\n\n")
	if at > 0 && (!spaced || text == "") {
		return "", nil, fmt.Errorf("no blank line before the calls")
	}
	for rest := content[at:]; ; {
		var c chat.ToolCall
		if c, rest, err = cutQwenCall(rest); err != nil {
			return "", nil, fmt.Errorf("call %d: %w", len(calls)+1, err)
		}
		calls = append(calls, c)
		if rest == "" {
			return text, calls, nil
		}
		if rest[0] != '\n' {
			return "", nil, fmt.Errorf("text after call %d", len(calls))
		}
		rest = rest[1:]
	}
}

// cutQwenCall cuts the first call off a text.
func cutQwenCall(text string) (c chat.ToolCall, rest string, err error) {
	rest, ok := strings.CutPrefix(text, qwenCallOpen)
	if !ok {
		return c, "", fmt.Errorf("no %q", qwenCallOpen)
	}
	if c.Name, rest, ok = strings.Cut(rest, qwenNameShut); !ok {
		return c, "", fmt.Errorf("no end of the name")
	}
	arguments := []byte{'{'}
	for {
		if rest, ok = strings.CutPrefix(rest, qwenCallShut); ok {
			c.Arguments = string(append(arguments, '}'))
			return c, rest, nil
		}
		if rest, ok = strings.CutPrefix(rest, qwenValueOpen); !ok {
			return c, "", fmt.Errorf("neither a parameter nor the end of %s", c.Name)
		}
		name, behind, named := strings.Cut(rest, qwenNameShut)
		value, behind, ended := strings.Cut(behind, qwenValueShut)
		if !named || !ended {
			return c, "", fmt.Errorf("a parameter of %s does not end", c.Name)
		}
		if rest = behind; len(arguments) > 1 {
			arguments = append(arguments, ',')
		}
		arguments = append(rawjson.AppendString(arguments, name), ':')
		arguments = rawjson.AppendString(arguments, value)
	}
}

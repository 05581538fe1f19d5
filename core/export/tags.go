package export

import (
	"strings"

	"winnow/core/chat"
	"winnow/core/hermes"
)

// The tags that recorders, chat templates and trainers give a meaning.
var tagPairs = [...][2]string{
	{"<think>", "</think>"},
	{"<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"},
	{"<tool_call>", "</tool_call>"},
	{"<tool_response>", "</tool_response>"},
}

// findUnbalanced looks for tags that were opened and not closed, or closed
// and not opened: thinking that was cut off, calls that could not be read.
func findUnbalanced(s *Sample, _ *Emitter, tell teller) {
	for m := range s.assistants {
		for _, text := range [...]string{m.Content, m.Reasoning} {
			if tag := unbalanced(text); tag != "" {
				tell(m, "a %s without its counterpart", tag)
			}
		}
	}
}

// unbalanced returns a tag of text that has no counterpart, "" if all have.
func unbalanced(text string) string {
	var open [len(tagPairs)]int
	for rest := text; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		rest = rest[i:]
		for p := range tagPairs {
			if strings.HasPrefix(rest, tagPairs[p][0]) {
				open[p]++
			} else if strings.HasPrefix(rest, tagPairs[p][1]) {
				if open[p]--; open[p] < 0 {
					return tagPairs[p][1]
				}
			}
		}
		rest = rest[1:]
	}
	for p := range open {
		if open[p] > 0 {
			return tagPairs[p][0]
		}
	}
	return ""
}

// reserved names the tags that must not stand as plain text in a message of
// each kind.
type reserved struct {
	reasoning, assistant, tool, other []string
}

// templateTags are what the chat templates of Hermes, Qwen and their kin write
// around reasoning, calls and results: as plain text they would be read as
// such, or would end it early.
var templateTags = reserved{
	reasoning: []string{"<think>", "</think>"},
	assistant: []string{"<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"},
	tool:      []string{"<tool_response>", "</tool_response>"},
}

func findReserved(s *Sample, e *Emitter, tell teller) {
	for m := range s.each {
		tags := e.reserved.other
		switch m.Role {
		case chat.Assistant:
			tags = e.reserved.assistant
		case chat.Tool:
			tags = e.reserved.tool
		}
		if tag := holdsTag(m.Content, tags); tag != "" {
			tell(m, "%s as plain text has a meaning in the format", tag)
		}
		if tag := holdsTag(m.Reasoning, e.reserved.reasoning); tag != "" {
			tell(m, "%s inside the reasoning has a meaning in the format", tag)
		}
		if s.asRecorded {
			findLiteral(m, tell)
		}
	}
	if tag := holdsTag(s.toolsRecorded, []string{"<tools>", "</tools>"}); s.asRecorded && tag != "" {
		tell(nil, "%s inside the tools has a meaning in the format", tag)
	}
}

// findLiteral finds the tags that a conversion writes as they are where an
// export hides them in JSON, or takes the reasoning between them apart.
func findLiteral(m *Message, tell teller) {
	switch m.Role {
	case chat.Assistant:
		_, rest := chat.SplitThink(m.Content)
		if tag := holdsTag(rest, thinkTags); tag != "" {
			tell(m, "%s as plain text has a meaning in the format", tag)
		}
		for i := range m.Calls {
			c := &m.Calls[i]
			if tag := holdsTag(c.Name+"\n"+unescaped(c.Arguments), templateTags.assistant); tag != "" {
				tell(m, "%s inside a call has a meaning in the format", tag)
			}
		}
	case chat.Tool:
		text := m.Content
		if begins := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(begins, "{") || strings.HasPrefix(begins, "[") {
			text = unescaped(text)
		}
		if tag := holdsTag(text, templateTags.tool); tag != "" {
			tell(m, "%s inside a result has a meaning in the format", tag)
		}
	}
}

// unescaped is JSON as trajectories have it, with each '<' literal.
func unescaped(json string) string {
	if !strings.Contains(json, `\u003`) {
		return json
	}
	if out, ok := hermes.AppendSpaced(nil, json); ok {
		return string(out)
	}
	return json
}

// thinkTags are those around reasoning; the latter two are renamed to the
// former.
var thinkTags = []string{"<think>", "</think>", "<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"}

func holdsTag(text string, tags []string) string {
	for _, tag := range tags {
		if strings.Contains(text, tag) {
			return tag
		}
	}
	return ""
}

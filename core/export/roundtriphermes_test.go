package export

import (
	"strings"
	"unicode"

	"winnow/core/chat"
	"winnow/core/hermes"
)

// prompted gives one record after the generated system prompt, which takes the
// place of what was recorded.
func prompted(changes ...change) func(*Sample) [][]Message {
	return func(s *Sample) [][]Message {
		rows := []Message{{Role: chat.System, Content: hermes.Writer{Hide: true}.Prompt(s.Tools)}}
		for _, m := range whole(changes...)(s)[0] {
			if m.Role != chat.System {
				rows = append(rows, m)
			}
		}
		return [][]Message{rows}
	}
}

// Arguments are written as Python writes JSON, with the tags in them escaped.
func spacedArguments(rows []Message) {
	eachCall(rows, func(c *chat.ToolCall) {
		spaced, ok := hermes.AppendSpaced(nil, c.Arguments)
		if ok {
			c.Arguments = escapeTags(string(spaced), tagsInCalls)
		}
	})
}

var tagsInCalls = []string{"<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"}

// JSON-looking results come back spaced as well.
func spacedResults(rows []Message) {
	for i := range rows {
		m := &rows[i]
		start := strings.TrimLeft(m.Content, " \t\r\n")
		if m.Role != chat.Tool || !strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "[") {
			continue
		}
		if spaced, ok := hermes.AppendSpaced(nil, m.Content); ok {
			m.Content = escapeTags(string(spaced), tagsInCalls[4:])
		}
	}
}

// White space around an answer is cut off, and a line break after the
// reasoning; reasoning that stands in front of it is split off by the reader.
func trimmedAnswers(rows []Message) {
	noBlankBesideCalls(rows)
	for i := range rows {
		m := &rows[i]
		if m.Role != chat.Assistant {
			continue
		}
		if len(m.Calls) == 0 {
			m.Content = strings.TrimRightFunc(m.Content, unicode.IsSpace)
		}
		if m.Reasoning == "" && strings.Contains(m.Content, "<think>") && len(m.Calls) == 0 {
			m.Content = strings.TrimSpace(m.Content)
		}
		thought, rest := chat.CutThink(m.Content)
		if m.Content = rest; thought == "" {
			m.Content = strings.TrimPrefix(rest, "\n")
		} else {
			m.Reasoning = strings.TrimPrefix(m.Reasoning+"\n\n"+thought, "\n\n")
		}
	}
}

// Blank text beside calls is no text.
func noBlankBesideCalls(rows []Message) {
	for i := range rows {
		if m := &rows[i]; len(m.Calls) > 0 && strings.TrimSpace(m.Content) == "" {
			m.Content = ""
		}
	}
}

// Images have another placeholder.
func screenshots(rows []Message) {
	for i := range rows {
		m := &rows[i]
		m.Content = hermes.Shown(&chat.Message{Content: m.Content, Marks: m.Marks})
	}
}

package metric

import (
	"strings"
	"testing"

	"winnow/core/chat"
)

// script makes messages of lines:
//
//	s rules, u words, a words     a system, user or assistant message
//	a~max_tokens words            with a stop reason
//	r thought | words             an assistant message with reasoning
//	c 1 read {"path":"a"}         an assistant's call with the id 1; more after " + "
//	c 1 read {"path":"a"} | words with text
//	t 1 text                      the result of call 1, "t - text" without an id
//	e 1 text                      one that is marked as an error
//	m words                       a message that the recorder wrote for the assistant
//	k words                       a summary of earlier messages, as the user's; K as the system's
func script(lines ...string) (msgs []chat.Message) {
	for _, line := range lines {
		head, rest, _ := strings.Cut(line, " ")
		head, stop, _ := strings.Cut(head, "~")
		m := chat.Message{N: len(msgs) + 1, StopReason: stop, Content: rest}
		switch head {
		case "s":
			m.Role = chat.System
		case "u":
			m.Role = chat.User
		case "k":
			m.Role, m.Marks = chat.User, chat.MarkCompaction
		case "K":
			m.Role, m.Marks = chat.System, chat.MarkCompaction
		case "a", "m":
			m.Role = chat.Assistant
			if head == "m" {
				m.Model = chat.NoModel
			}
		case "r":
			m.Role = chat.Assistant
			m.Reasoning, m.Content, _ = strings.Cut(rest, " | ")
		case "c":
			m.Role = chat.Assistant
			calls, text, _ := strings.Cut(rest, " | ")
			m.Content = text
			for call := range strings.SplitSeq(calls, " + ") {
				id, name, _ := strings.Cut(call, " ")
				name, arguments, _ := strings.Cut(name, " ")
				m.ToolCalls = append(m.ToolCalls, chat.ToolCall{ID: strings.Trim(id, "-"), Name: name, Arguments: arguments})
			}
		case "t", "e":
			id, text, _ := strings.Cut(rest, " ")
			m.Role, m.Content, m.ToolCallID, m.IsError = chat.Tool, text, strings.Trim(id, "-"), head == "e"
		default:
			panic("script: " + line)
		}
		msgs = append(msgs, m)
	}
	return msgs
}

// scripted is a case of one metric.
type scripted struct {
	name  string
	lines []string
	want  float64 // na: the metric does not apply
	says  string  // the reason, or part of it
}

// na is the score of a metric that does not apply.
const na = -1

// check measures scripts and compares one metric of each.
func check(t *testing.T, metric string, cases []scripted) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := Measure(Config{}, 1, script(c.lines...))
			v, known := a.Metrics[metric]
			switch {
			case !known:
				t.Fatalf("%s is not in the analysis", metric)
			case v == nil && c.want != na:
				t.Fatalf("does not apply, want %v", c.want)
			case v == nil:
				return
			case v.Score != c.want:
				t.Errorf("score %v, want %v (%s)", v.Score, c.want, v.Reason)
			case !strings.Contains(v.Reason, c.says):
				t.Errorf("reason %q lacks %q", v.Reason, c.says)
			}
			if strings.ContainsAny(v.Reason, "\n\r") {
				t.Errorf("reason of several lines: %q", v.Reason)
			}
		})
	}
}

// flags are the flags of a script.
func flagsOf(lines ...string) []Flag {
	a := Measure(Config{}, 1, script(lines...))
	return a.Flags
}

package compress

import (
	"winnow/core/chat"
	"winnow/core/token"
)

// Price tells what a conversation costs as the row that it will be. What a row
// costs is the sum of its messages and of what it has besides.
type Price interface {
	// Name names the counter.
	Name() string
	// Message is what a message costs in the row.
	Message(m *chat.Message) int
	// Text is what a text costs alone.
	Text(text string) int
	// Rest is what the row costs without messages: tools, a template.
	Rest() int
}

// Plain counts content, reasoning, names and arguments of calls, and the tools:
// what winnow counts of samples everywhere.
type Plain struct {
	Counter token.Counter // nil: estimated
	Tools   string
	Each    int // what a template puts around each message
}

// Name returns the name of the counter, token.Estimated without one.
func (p Plain) Name() string {
	if p.Counter == nil {
		return token.Estimated
	}
	return p.Counter.Name()
}

// Text counts the tokens of a text.
func (p Plain) Text(text string) int {
	if p.Counter == nil {
		return token.Estimate(text)
	}
	return p.Counter.Count(text)
}

// Message counts the tokens of a message.
func (p Plain) Message(m *chat.Message) int {
	n := p.Each + p.Text(m.Content) + p.Text(m.Reasoning)
	for i := range m.ToolCalls {
		n += p.Text(m.ToolCalls[i].Name) + p.Text(m.ToolCalls[i].Arguments)
	}
	return n
}

// Rest counts the tokens of the tools.
func (p Plain) Rest() int { return p.Text(p.Tools) }

// Free is a price that counts nothing, for what is counted later or elsewhere.
type Free struct{}

// Name returns "none".
func (Free) Name() string { return "none" }

// Message returns 0, as do Text and Rest.
func (Free) Message(*chat.Message) int { return 0 }

// Text returns 0.
func (Free) Text(string) int { return 0 }

// Rest returns 0.
func (Free) Rest() int { return 0 }

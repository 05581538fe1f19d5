package compress

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"winnow/core/chat"
	"winnow/core/outcome"
)

// Clear leaves a line of each old result of a tool: its name, how it came out,
// its size. Calls and what the assistant said stay, so no answer is lost.
type Clear struct{}

// Name returns "clear".
func (Clear) Name() string { return "clear" }

func (Clear) made(*Made) {}

func (Clear) assume(*Options, int) int { return 0 }

// choose takes results from the oldest on. What is after the head goes before
// what is in it, and a first result that is protected stays.
func (Clear) choose(s *session, excess int) (regions []Region) {
	kept := s.protect()
	var early []Region
	take := func(g Region) {
		if excess > 0 && (s.o.Regions <= 0 || len(regions) < s.o.Regions) {
			regions = append(regions, g)
			excess -= g.Tokens - g.Cost
		}
	}
	for i := range s.messages {
		m := &s.messages[i]
		if m.Role != chat.Tool || kept[i] || m.Empty() || strings.HasPrefix(m.Content, clearedOpen) {
			continue
		}
		g := Region{From: i, To: i + 1, Tokens: s.cost[i], Cleared: true, Role: chat.Tool}
		if len(m.Content) <= clearedMost { // a line would hardly be shorter
			continue
		}
		g.Text = s.cleared(i)
		if g.Cost = s.o.Price.Message(s.stand(&g)); g.Cost >= g.Tokens {
			continue
		}
		if i < s.head {
			early = append(early, g)
			continue
		}
		take(g)
	}
	for _, g := range early {
		take(g)
	}
	return inOrder(regions)
}

// write does nothing: choose has written the lines, as it needs their cost.
func (Clear) write(context.Context, *session, []Region, *Result) error { return nil }

const (
	clearedOpen = "[cleared: "
	// clearedMost is about how long a line is that stands for a result, in
	// bytes.
	clearedMost = 40
)

// cleared is the line that stands for the result of a tool.
func (s *session) cleared(i int) string {
	m := &s.messages[i]
	b := []byte(clearedOpen)
	b = append(b, s.toolOf(i)...)
	b = append(b, ", "...)
	b = strconv.AppendInt(b, int64(len(m.Content)), 10)
	b = append(b, " bytes, "...)
	b = append(b, s.cameOut(i)...)
	return string(append(b, ']'))
}

// toolOf is the name of the tool of a result, "tool" if it is unknown or no name
// that fits into a line.
func (s *session) toolOf(i int) string {
	name := s.messages[i].Name
	if at := s.calls[i]; name == "" && at.message >= 0 && at.call < len(s.messages[at.message].ToolCalls) {
		name = s.messages[at.message].ToolCalls[at.call].Name
	}
	if name == "" || len(name) > lineMost || !plain(name) {
		return "tool"
	}
	return name
}

// cameOut says how a call came out: "ok", or how it failed.
func (s *session) cameOut(i int) string {
	m := &s.messages[i]
	var call outcome.Call
	if at := s.calls[i]; at.message >= 0 && at.call < len(s.messages[at.message].ToolCalls) {
		c := &s.messages[at.message].ToolCalls[at.call]
		call = outcome.CallOf(c.Name, c.Arguments)
	} else {
		call = outcome.CallOf(m.Name, "")
	}
	if f := outcome.Of(call, m); f.Failed() {
		return f.Evidence
	}
	return outcome.OK.String()
}

// inOrder sorts regions by their place.
func inOrder(regions []Region) []Region {
	slices.SortFunc(regions, func(a, b Region) int { return cmp.Compare(a.From, b.From) })
	return regions
}

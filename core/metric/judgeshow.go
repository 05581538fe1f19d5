package metric

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"winnow/core/chat"
	"winnow/core/transcript"
)

// lengths are how much of the texts of a message is shown, in bytes.
type lengths struct {
	user, answer, reasoning, arguments, result int
}

// cuts are tried one after the other until a segment fits in. What users and
// agents say counts most, the beginnings and ends of results tell the most of
// them.
var cuts = [...]lengths{
	{16_000, 16_000, 4_000, 4_000, 4_000},
	{6_000, 4_000, 800, 1_000, 1_000},
	{2_000, 1_200, 200, 300, 300},
	{600, 300, 80, 120, 120},
}

// final is how many times more is shown of the first and the last message: what
// was wanted and what came of it.
const final = 4

// shower renders the messages of a segment, each once, in order.
type shower struct {
	j    *Judge
	in   Input
	cut  lengths
	last bool // there is no shorter cut: what does not fit is left out

	lines []rendered
	head  int // lines that stay: the first third of the budget
	cost  int // of all lines
	full  bool
	left  int // messages left out after the head
}

type rendered struct {
	line string
	cost int
}

// add renders a message. What does not fit is an error, or the oldest messages
// after the head are left out.
func (s *shower) add(m *chat.Message) error {
	line := s.line(m)
	x := rendered{line, s.j.counter.Count(line)}
	if s.last && x.cost > s.j.budget/3 {
		x = s.squeezed(x)
	}
	s.cost += x.cost
	s.lines = append(s.lines, x)
	if !s.last {
		if s.cost > s.j.budget {
			return errOver
		}
		return nil
	}
	if s.full = s.full || s.cost > s.j.budget/3; !s.full {
		s.head = len(s.lines)
	}
	for s.cost > s.j.budget-omissionCost && len(s.lines) > s.head+1 {
		s.cost -= s.lines[s.head].cost
		s.lines = slices.Delete(s.lines, s.head, s.head+1)
		s.left++
	}
	return nil
}

// omissionCost is what the line costs that stands for messages left out.
const omissionCost = 16

// squeezed cuts a line to a third of the budget.
func (s *shower) squeezed(x rendered) rendered {
	line := strings.TrimRightFunc(s.j.counter.Truncate(x.line, max(s.j.budget/3-2, 1)), unicode.IsSpace) + " …\n"
	return rendered{line, s.j.counter.Count(line)}
}

func (s *shower) text() string {
	var b strings.Builder
	b.WriteString(transcript.Start)
	for i, x := range s.lines {
		if i == s.head && s.left > 0 {
			fmt.Fprintf(&b, "(%d messages left out)\n", s.left)
		}
		b.WriteString(x.line)
	}
	b.WriteString(transcript.End)
	return b.String()
}

// line renders a message.
func (s *shower) line(m *chat.Message) string {
	c := s.cut
	if m.N == s.in.Start || m.N == s.in.End {
		c = lengths{c.user * final, c.answer * final, c.reasoning, c.arguments, c.result * final}
	}
	content := c.result
	switch m.Role {
	case chat.User:
		content = c.user
	case chat.Assistant:
		content = c.answer
	}
	body := s.j.frame.Inside(transcript.Body(m, transcript.Lengths{Content: content, Reasoning: c.reasoning, Arguments: c.arguments}))
	if body == "" {
		body = "(empty)"
	}
	return fmt.Sprintf("[%d] %s%s: %s\n", m.N, m.Role, remark(m), body)
}

// remark says of a message what its text does not.
func remark(m *chat.Message) string {
	switch {
	case m.Summary():
		return " (a summary of what came before)"
	case m.Failed():
		return " (failed)"
	case m.Role == chat.Assistant && stopOf(m.StopReason) != stopFine:
		return " (cut off)"
	}
	return ""
}

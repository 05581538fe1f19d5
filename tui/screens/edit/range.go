package edit

import (
	"cmp"

	"winnow/core/amend"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// ranges reports whether the message is the other end of a range.
func (at *At) ranges() bool { return at.From > 0 && at.From != at.N && at.Part == 0 && at.N > 0 }

// dropRange drops the range that ends with the message.
func (at *At) dropRange() choice {
	from, to := min(at.From, at.N), max(at.From, at.N)
	return choice{
		do: amend.Drop, label: "drop " + draw.Grouped(from) + " to " + draw.Grouped(to),
		hint: "the range that you marked, at once", places: []amend.Place{{N: from, To: to}},
	}
}

func (s *Screen) noMark() string {
	if reason := s.noChange(); reason != "" || s.at.From > 0 {
		return reason
	}
	e := s.standing.Got.Edit
	return cmp.Or(
		keys.Reason(e != nil && e.Clash, "its edit waits: decide on that first"),
		keys.Reason(s.at.Part > 0 || s.at.N == 0 || s.at.Dropped > 0, "a range begins at a recorded message"))
}

// mark marks the message as one end of a range and goes back to the reader, where one
// finds the other end; or takes the mark away.
func (s *Screen) mark() {
	if s.at.From > 0 {
		s.at.From = 0
		s.program.Mark(0)
		s.choices, s.cur = choicesOf(&s.at, &s.standing.Got)
		s.Say("the mark is taken away")
		return
	}
	s.Leave()
	s.program.Mark(s.at.N)
}

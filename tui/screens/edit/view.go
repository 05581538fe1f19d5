package edit

import (
	"winnow/core/amend"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/textdiff"
	"winnow/tui/beside"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// labelWidth is what the names of fields get in the list of choices.
const labelWidth = 24

// view is how a comparison lies on the screen.
type view struct {
	width, height int
	rows          []string // of the difference
	top           int
	of            *textdiff.Line // first line the rows were made of
}

// layOut brings the rows in line with the frame.
func (s *Screen) layOut(f screen.Frame) {
	v := &s.view
	v.height = f.Height
	if pairs := s.compared.Got.pairs; s.comparing && s.compared.Came && (v.width != f.Width || len(pairs) > 0 && v.of != &pairs[0]) {
		pen := beside.PenOf(s.Pen)
		v.rows = pen.Rows(pairs, f.Width)
		if len(pairs) > 0 {
			v.of = &pairs[0]
		}
	}
	v.width = f.Width
	v.top = max(0, min(v.top, len(v.rows)-s.room(f.Width, f.Height)))
}

// room is how many rows of the difference have room.
func (s *Screen) room(w, height int) int { return max(1, height-len(s.told(w))-2) }

func (s *Screen) scroll(m keys.Motion) {
	v := &s.view
	room := s.room(v.width, v.height)
	v.top = max(0, min(v.top+m.Step(room), len(v.rows)-room))
}

// Lines draws the choices, or the text before and after.
func (s *Screen) Lines(w, height int) []string {
	title := draw.Fit(s.Ink.Key.On(s.G.Mark)+" "+s.Ink.Name.On("change message "+s.name())+s.Ink.Muted.On(s.about()), w, s.G.More)
	lines := []string{title, s.Rule(w)}
	switch {
	case s.standing.Err != nil:
		return append(lines, s.Centred(w, max(0, height-2), s.Unread(w, "The message could not be read.", s.standing.Err))...)[:height]
	case s.standing.Awaited():
		return append(lines, s.Centred(w, max(0, height-2), []string{s.Ink.Muted.On("reading the message")})...)[:height]
	case !s.comparing:
		lines = append(lines, s.choiceLines(w)...)
	case s.compared.Open:
		lines = append(append(lines, s.told(w)...), s.Ink.Muted.On("  comparing"))
	default:
		lines = append(lines, s.told(w)...)
		v := &s.view
		for i := v.top; i < len(v.rows) && len(lines) < height; i++ {
			lines = append(lines, v.rows[i])
		}
		if n := s.compared.Got.left; n > 0 && len(lines) < height {
			lines = append(lines, s.Ink.Muted.On("  "+draw.Plural(n, "line")+" more"))
		}
	}
	return s.Filled(lines, w, height)
}

// name is the number of the message, or what it is of those that are dropped.
func (s *Screen) name() string {
	switch {
	case s.at.Dropped > 1:
		return draw.Grouped(s.at.N) + " to " + draw.Grouped(s.at.N+s.at.Dropped-1)
	case s.at.Part > 0:
		return edit.Name(s.at.N, s.at.Part)
	}
	return draw.Grouped(s.at.N)
}

// about says of the title whose message it is and what is done.
func (s *Screen) about() string {
	if !s.standing.Came {
		return ""
	}
	text := "  " + clean.Line(string(s.standing.Got.Message.Role))
	if s.at.Dropped > 0 {
		text = "  dropped"
	}
	if s.comparing {
		text += "  " + s.doing.label
	}
	return text
}

func (s *Screen) choiceLines(w int) (lines []string) {
	st := &s.standing.Got
	if st.Edit != nil && st.Edit.Clash {
		for _, l := range draw.WrapTo("The recorded message changed: the edit of "+clean.Line(draw.Head(st.By))+" waits.", max(8, w-4), 4, s.G.More) {
			lines = append(lines, "  "+s.Ink.Warn.On(l))
		}
		lines = append(lines, "")
	}
	for i := range s.choices {
		c := &s.choices[i]
		k, mark := s.Row(i == s.cur)
		label, text := draw.Fit(c.label, labelWidth, s.G.More), clean.Line(draw.Head(c.begins()))
		switch {
		case c.hint != "":
			text = c.hint
		case text == "" && c.do == amend.Text:
			text = "(empty)"
		}
		lines = append(lines, mark+" "+k.Text.On(label)+k.Muted.On(draw.Fit("  "+text, max(0, w-labelWidth-2), s.G.More)))
	}
	return append(lines, "", s.Ink.Muted.On(draw.Fit("  What was recorded stays, and can be brought back.", w, s.G.More)))
}

package edit

import (
	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/review"
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
	last := max(0, len(v.rows)-s.room(v.width, v.height))
	page := max(1, s.room(v.width, v.height)-1)
	switch m {
	case keys.LineDown:
		v.top++
	case keys.LineUp:
		v.top--
	case keys.PageDown:
		v.top += page
	case keys.PageUp:
		v.top -= page
	case keys.HalfDown:
		v.top += page / 2
	case keys.HalfUp:
		v.top -= page / 2
	case keys.ToStart:
		v.top = 0
	case keys.ToEnd:
		v.top = last
	}
	v.top = max(0, min(v.top, last))
}

// Lines draws the choices, or the text before and after.
func (s *Screen) Lines(w, height int) []string {
	title := draw.Fit(s.Ink.Key.On(s.G.Mark)+" "+s.Ink.Name.On("change message "+draw.Grouped(s.of.N))+s.Ink.Muted.On(s.about()), w, s.G.More)
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

// about says of the title whose message it is and what is done.
func (s *Screen) about() string {
	if !s.standing.Came {
		return ""
	}
	text := "  " + clean.Line(string(s.standing.Got.Message.Role))
	if s.comparing {
		text += "  " + s.chosen().label
	}
	return text
}

func (s *Screen) choiceLines(w int) (lines []string) {
	for i := range s.choices {
		c := &s.choices[i]
		k, mark := s.Row(i == s.cur)
		label, text := draw.Fit(c.label, labelWidth, s.G.More), clean.Line(draw.Head(c.text))
		ink := k.Text
		switch {
		case s.lib.Able(c.op) != "":
			ink, text = k.Muted, s.lib.Able(c.op)
		case text == "" && c.op == edit.Set:
			text = "(empty)"
		}
		lines = append(lines, mark+" "+ink.On(label)+k.Muted.On(draw.Fit("  "+text, max(0, w-labelWidth-2), s.G.More)))
	}
	return append(lines, "", s.Ink.Muted.On(draw.Fit("  What was recorded stays, and can be brought back.", w, s.G.More)))
}

// told says in lines what the change does, with an empty one behind.
func (s *Screen) told(w int) (lines []string) {
	say := func(k draw.Ink, text string) {
		for _, l := range draw.WrapTo(text, max(8, w-4), 4, s.G.More) {
			lines = append(lines, "  "+k.On(l))
		}
	}
	if s.problem != "" {
		say(s.Ink.Fail, s.problem)
	}
	if s.emptied() {
		text := "The text is empty now."
		if s.lib.Able(edit.Drop) == "" {
			text += " " + s.Key("drop") + " drops the message instead."
		}
		say(s.Ink.Warn, text)
	}
	for _, text := range s.effects() {
		say(s.Ink.Text, text)
	}
	return append(lines, "")
}

// effects says in words what the change does, a sentence each.
func (s *Screen) effects() (list []string) {
	st := &s.standing.Got
	if s.why == edit.Redact {
		list = append(list, "redaction: what it takes out is in no training data, wherever it was said. The database still holds it.")
	} else {
		list = append(list, map[edit.Op]string{edit.Set: "fix: training data has the text below", edit.Drop: "training data lacks the message", edit.Add: "training data has one more message"}[s.op]+"; what was recorded stays.")
	}
	if st.Message.Role == chat.Assistant && s.op == edit.Set {
		list = append(list, "The answer is not the model's own any more.")
	}
	switch {
	case st.Behind == 0:
		list = append(list, "No answer follows it in the session.")
	case st.Broken:
		list = append(list, draw.Plural(st.Behind, "answer")+" after it lost "+its(st.Behind)+" prefix to an earlier edit already.")
	default:
		list = append(list, draw.Plural(st.Behind, "answer")+" after it "+lose(st.Behind)+" "+its(st.Behind)+" prefix: the model gave "+them(st.Behind)+" to another text.")
	}
	return append(list, s.ofVerdict(&st.Segment)...)
}

func its(n int) string {
	if n == 1 {
		return "its"
	}
	return "their"
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func lose(n int) string {
	if n == 1 {
		return "loses"
	}
	return "lose"
}

// ofVerdict says what becomes of the verdict on the segment.
func (s *Screen) ofVerdict(g *review.Segment) []string {
	if g.ID == "" {
		return nil
	}
	name, by := "Segment "+g.Short(), g.Reviewer
	verdict := string(g.Verdict)
	switch {
	case g.Stale:
		return []string{name + " stays stale."}
	case !g.Verdict.Judged():
		return []string{name + " is pending and stays that."}
	}
	if by != "" {
		verdict += " by " + clean.Line(draw.Head(by))
	}
	if s.why == edit.Redact {
		return []string{name + " stays " + verdict + "."}
	}
	return []string{name + " becomes stale: it was " + verdict + ". " + s.KeyOfList("again") + " gives that verdict again."}
}

package edit

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/chat"
	"winnow/core/clean"
	"winnow/core/edit"
	"winnow/core/review"
	"winnow/core/textdiff"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

const (
	// twoColumns is the width from which before and after stand side by side.
	twoColumns = 120
	// labelWidth is what the names of fields get in the list of choices.
	labelWidth = 24
	// longWord is how many bytes a cell has at most in words that are measured as a
	// whole.
	longWord = 4
)

// view is how a comparison lies on the screen.
type view struct {
	width, height int
	rows          []row // of the difference
	top           int
	of            *textdiff.Line // first pair the rows were made of
}

// row is a line of the screen: one side, or two.
type row struct{ sides [2]cells }

// cells are pieces that fit on a row, with the sign before them.
type cells struct {
	sign   string
	pieces []textdiff.Piece
	said   string // instead of pieces: what stands for others
}

// layOut brings the rows in line with the frame.
func (s *Screen) layOut(f screen.Frame) {
	v := &s.view
	v.height = f.Height
	if pairs := s.compared.Got.pairs; s.comparing && s.compared.Came && (v.width != f.Width || len(pairs) > 0 && v.of != &pairs[0]) {
		v.rows = nil
		for i := range pairs {
			v.rows = append(v.rows, s.rowsOf(&pairs[i], f.Width)...)
		}
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

// rowsOf lays out a line before and after: below each other, or side by side.
func (s *Screen) rowsOf(p *textdiff.Line, w int) (rows []row) {
	if p.Left > 0 {
		return []row{{[2]cells{{said: draw.Plural(p.Left, "equal line") + " left out"}}}}
	}
	minus, plus := s.G.Minus, "+"
	if w < twoColumns {
		if p.Same {
			return besideRows(wrapped(p.Before, " ", w-3), nil)
		}
		return append(besideRows(wrapped(p.Before, minus, w-3), nil), besideRows(wrapped(p.After, plus, w-3), nil)...)
	}
	half := (w-3)/2 - 3
	if p.Same {
		minus, plus = " ", " "
	}
	return besideRows(wrapped(p.Before, minus, half), wrapped(p.After, plus, half))
}

func besideRows(left, right []cells) []row {
	rows := make([]row, max(len(left), len(right)))
	for i := range left {
		rows[i].sides[0] = left[i]
	}
	for i := range right {
		rows[i].sides[1] = right[i]
	}
	return rows
}

// wrapped breaks a line into rows of w cells, nil for no line.
func wrapped(line []textdiff.Piece, sign string, w int) (rows []cells) {
	if line == nil {
		return nil
	}
	w = max(8, w)
	now, used := cells{sign: sign}, 0
	end := func() {
		rows = append(rows, now)
		now, used = cells{sign: sign}, 0
	}
	for _, p := range line {
		for _, word := range textdiff.Split(p.Text) {
			for len(word) > 0 {
				head := word
				if most := longWord * w; len(head) > most { // only as much is measured as can fit
					for most > 1 && !utf8.RuneStart(word[most]) {
						most--
					}
					head = ansi.Truncate(word[:most], w, "")
				}
				n := ansi.StringWidth(head)
				if used > 0 && used+n > w {
					end()
				}
				if n > w {
					head = ansi.Truncate(head, w, "")
					n = ansi.StringWidth(head)
				}
				if head == "" {
					break
				}
				now.pieces = textdiff.Grow(now.pieces, head, p.Changed)
				used += n
				word = word[len(head):]
			}
		}
	}
	end()
	return rows
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
			lines = append(lines, s.rowLine(&v.rows[i], w))
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

// rowLine draws a row of the difference.
func (s *Screen) rowLine(r *row, w int) string {
	if r.sides[0].said != "" {
		return s.Ink.Muted.On(draw.Fit("  "+s.G.More+" "+r.sides[0].said, w, s.G.More))
	}
	if w < twoColumns {
		return s.side(&r.sides[0])
	}
	half := (w - 3) / 2
	return draw.Fit(s.side(&r.sides[0]), half, s.G.More) + " " + s.Ink.Border.On(s.G.Wall) + " " + s.side(&r.sides[1])
}

// side draws one side: what changed is underlined, so that it shows without colours.
func (s *Screen) side(c *cells) string {
	if c.sign == "" {
		return ""
	}
	ink := s.Ink.Text
	switch c.sign {
	case s.G.Minus:
		ink = s.Ink.Rejected
	case "+":
		ink = s.Ink.Approved
	}
	var out strings.Builder
	out.WriteString(ink.On(c.sign) + "  ")
	for _, p := range c.pieces {
		switch {
		case p.Changed:
			out.WriteString(ink.On("\x1b[4m" + p.Text + "\x1b[24m"))
		default:
			out.WriteString(s.Ink.Text.On(p.Text))
		}
	}
	return out.String()
}

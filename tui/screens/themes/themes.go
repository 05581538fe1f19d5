// Package themes is the list of themes, over what they are tried on. It needs of
// the program to put one on and to keep it (Program). Its tests are beside it; how
// it looks is in the goldens of tui.
package themes

import (
	"winnow/core/clean"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the list needs of the program.
type Program interface {
	// Themes are those there are.
	Themes() []themes.Styles
	// Worn is the index of the theme that was asked for, -1 for none: then it is
	// the terminal's. Wear puts one on.
	Worn() int
	Wear(theme int)
	// Styles are those of the theme that is worn.
	Styles() themes.Styles
	// Keep remembers the theme that is worn, and says so unless it is the one that
	// was worn before.
	Keep(again bool)
}

// Screen is the list of themes. The program wears the one under the cursor.
type Screen struct {
	screen.Seat
	program       Program
	width, height int // of the screen, in cells
	before        int // the theme to go back to
	cur, top      int // rows: the first one is auto
}

// New shows the list.
func New(seat screen.Seat, program Program) *Screen {
	worn := program.Worn()
	return &Screen{Seat: seat, program: program, before: worn, cur: worn + 1}
}

// Rows returns the keys of the list.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "wear", "keep the theme under the cursor", "keep", (*Screen).keep, nil),
		screen.Key("q esc", keys.Back, "go back to the theme from before", "back", (*Screen).Back, nil),
	}
}

// Follow brings the row under the cursor on screen.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	l := s.layout()
	s.top = max(0, min(s.top, s.cur, s.last()+1-l.rows))
	s.top = max(s.top, s.cur-l.rows+1)
}

// last is the last row.
func (s *Screen) last() int { return len(s.program.Themes()) }

// Move goes to another theme and puts it on.
func (s *Screen) Move(m keys.Motion) { s.try(m.Among(s.cur, s.last()+1)) }

// Next goes to the next theme, from the last one to the first.
func (s *Screen) Next() { s.try((s.cur + 1) % (s.last() + 1)) }

// try puts the theme of a row on.
func (s *Screen) try(row int) {
	s.cur = row
	s.program.Wear(s.cur - 1)
}

// Back goes back to the theme that was worn.
func (s *Screen) Back() {
	s.program.Wear(s.before)
	s.Leave()
}

func (s *Screen) keep() {
	s.Leave()
	s.program.Keep(s.cur-1 == s.before)
}

// Click puts the theme of a row on; a second click keeps it.
func (s *Screen) Click(_, y int) {
	l := s.layout()
	row := s.top + y - l.line
	switch {
	case y < l.line || y >= l.line+l.rows:
	case row == s.cur:
		s.keep()
	default:
		s.try(row)
	}
}

// Copied is the name of the theme.
func (s *Screen) Copied() (text, what string) { return s.program.Styles().Name, "the theme's name" }

// cells is the width of the box.
func (s *Screen) cells() int { return min(46, s.width) }

// Column stands the box at the right end: list and verdicts are at the left.
func (s *Screen) Column() int { return s.width - s.cells() }

// layout is what of the box there is room for.
type layout struct {
	framed, sample bool
	line, rows     int // where the rows begin, and how many there are
}

// sampleLines are the lines of the sample.
const sampleLines = 4

func (s *Screen) layout() layout {
	l, height, all := layout{line: 1}, s.height, s.last()+1
	if l.framed = height >= all+1+2; l.framed {
		height -= 2
		l.line++
	}
	if l.sample = height >= all+1+sampleLines; l.sample {
		height -= sampleLines
	}
	l.rows = max(1, min(all, height-1))
	return l
}

// Box draws the list.
func (s *Screen) Box(int) []string {
	l, inner := s.layout(), s.cells()-2
	lines := []string{s.Ink.Name.On(draw.Fit(" theme", inner, ""))}
	for row := s.top; row < s.top+l.rows; row++ {
		lines = append(lines, s.row(row, inner))
	}
	if l.sample {
		lines = append(lines, s.sample(inner)...)
	}
	return s.Pen.Box(lines, inner, l.framed)
}

// row draws a row: a mark beside the theme that is worn without the list, its
// name, what it is made for, and whose it is.
func (s *Screen) row(row, inner int) string {
	k, mark := s.Row(row == s.cur)
	worn := " "
	if row-1 == s.before {
		worn = s.G.Verdict[review.Approved]
	}
	const nameCells, madeCells = 20, 7
	named := func(name string) string {
		return mark + k.Approved.On(worn+" ") + k.Text.On(draw.Fit(name, nameCells, s.G.More))
	}
	if row == 0 {
		return named("auto") + k.Muted.On(draw.Fit("by the terminal", inner-nameCells-3, s.G.More))
	}
	t, whose := &s.program.Themes()[row-1], "built-in"
	if t.Own {
		whose = "own"
	}
	return named(clean.Line(draw.Head(t.Name))) + k.Muted.On(draw.Fit(t.For(), madeCells, "")+draw.Fit(whose, inner-nameCells-madeCells-3, s.G.More))
}

// sample shows roles that the screen after may lack.
func (s *Screen) sample(inner int) []string {
	k, g, worn := &s.Ink, s.G, s.program.Styles()
	thinking, code, match := draw.InkOf(worn.Thinking), draw.InkOf(worn.Code), draw.InkOf(worn.Match)
	verdicts := " " + k.Approved.On(g.Verdict[review.Approved]+" approved") + " " + k.Rejected.On(g.Verdict[review.Rejected]+" rejected") +
		" " + k.Unsure.On(g.Verdict[review.Unsure]+" unsure") + " " + k.Stale.On(g.Stale+" stale")
	return []string{
		s.Ink.Border.On(draw.Fit("", inner, "")),
		draw.Fit(" "+k.Key.On("user")+" "+k.Assistant.On("assistant")+" "+k.System.On("system")+" "+k.Tool.On("tool")+" "+thinking.On("thinking"), inner, g.More),
		draw.Fit(verdicts, inner, g.More),
		draw.Fit(" "+k.ScoreHigh.On("0.93")+" "+k.ScoreMid.On("0.75")+" "+k.ScoreLow.On("0.41")+" "+k.Fail.On("error")+" "+k.Warn.On("warning")+" "+code.On("code")+" "+match.On("match"), inner, g.More),
	}
}

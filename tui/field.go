package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	room "winnow/tui/review"
	"winnow/tui/screen"
)

// OpenLine begins to type a line with a text.
func (a *App) OpenLine(l *line.Line, text string) tea.Cmd {
	a.field = l
	return tea.Batch(l.Open(), l.Set(text))
}

// closeLine closes the line that is typed.
func (a *App) closeLine() {
	a.field.StopAsking()
	a.field = nil
}

// Typing reports whether a line is typed whose keys work in a place.
func (a *App) Typing(in keys.Place) bool { return a.field != nil && a.field.In == in }

// enterLine takes the completion that is chosen, or keeps the text.
func (a *App) enterLine() tea.Cmd {
	l := a.field
	text, at, keep := l.Take()
	if !keep {
		return l.Put(text, at)
	}
	then, err := l.Use.Keep(text)
	if err != nil {
		l.Err = err
		return nil
	}
	a.closeLine()
	return then()
}

// stepLine goes to the next completion or the one before, or to a line of before.
func stepLine(step int) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd {
		return a.field.Step(step, a.Key, a.keys.Find(a.Key, a.field.In).Keys)
	}
}

func (a *App) clearLine() tea.Cmd { return a.field.Set("") }

// putLineAway closes the line; what was typed is there again the next time.
func (a *App) putLineAway() {
	l := a.field
	a.closeLine()
	l.Use.PutAway(l.Input.Value())
}

// dropLine closes the choice of a completion, else the line; the text was not meant.
func (a *App) dropLine() {
	if l := a.field; !l.Popup.Unchoose() {
		a.closeLine()
		l.Use.Drop()
	}
}

// plainLine is a line without completions.
type plainLine struct {
	line.Line
	use  screen.Line
	keep func(text string) tea.Cmd
	pen  *draw.Pen
}

// Type begins to type a plain line.
func (a *App) Type(use screen.Line, keep func(text string) tea.Cmd) tea.Cmd {
	l := &plainLine{keep: keep, pen: a.Pen}
	l.Line = line.Line{Label: " " + use.Label + " ", In: keys.InField, Use: l}
	if use.Check != nil {
		l.Depth = checkDepth
	}
	for _, end := range [][2]string{{"keep", "keep"}, {"drop", "leave"}} {
		if key := a.keyIn(end[0], keys.InField); key != "" {
			l.Hint += "  " + key + " " + end[1]
		}
	}
	l.Hint += " "
	cmd := a.OpenLine(&l.Line, clean.Line(use.Text))
	l.Input.Placeholder = use.Offer
	l.use = use // nothing is typed yet
	return cmd
}

// Changed tells of the text.
func (l *plainLine) Changed(bool) tea.Cmd {
	if l.use.Typed != nil {
		l.use.Typed(l.Text())
	}
	return nil
}

// Keep uses the text.
func (l *plainLine) Keep(text string) (func() tea.Cmd, error) {
	if l.use.Check != nil {
		if err := l.use.Check(text); err != nil {
			return nil, err
		}
	}
	return func() tea.Cmd {
		l.Drop()
		return l.keep(text)
	}, nil
}

// PutAway keeps the text for the next time.
func (l *plainLine) PutAway(text string) {
	if l.use.Away != nil {
		l.use.Away(text)
	}
}

// Drop drops what was put away, too.
func (l *plainLine) Drop() { l.PutAway("") }

// Below says what is wrong with a text that is checked.
func (l *plainLine) Below(w int) []string {
	switch {
	case l.use.Check == nil:
		return nil
	case l.Err != nil:
		lines := strings.Split(ansi.Wrap(l.pen.Shown(l.Err.Error()), max(8, w-2), ""), "\n")
		if len(lines) > checkDepth {
			lines = append(lines[:checkDepth-1], strings.Join(lines[checkDepth-1:], " "))
		}
		for i := range lines {
			lines[i] = " " + l.pen.Ink.Fail.On(draw.Fit(lines[i], max(0, w-1), l.pen.G.More))
		}
		return l.pen.Filled(lines, w, checkDepth)
	}
	return l.pen.Filled(nil, w, checkDepth)
}

// checkDepth is how many lines stand below a line that is checked.
const checkDepth = 2

// editFind opens the search of the reader. What was looked for last stands
// there until something is typed.
func (a *App) editFind() tea.Cmd {
	find := func(text string) tea.Cmd {
		if text == "" {
			text = a.lastFind
		}
		a.lastFind = text
		return a.find(func(s searched) tea.Cmd { return s.Find(text) })
	}
	away := func(text string) {
		if text != "" {
			a.lastFind = text
		}
	}
	return a.Type(screen.Line{Label: "find", Offer: clean.Line(draw.Head(a.lastFind)), Away: away}, find)
}

// findBeside opens the search of the reader from the list: the reader gets the keys,
// since going from hit to hit is a matter of reading.
func (a *App) findBeside() tea.Cmd {
	a.Focus = room.OnReader
	return a.editFind()
}

// Types reports whether a line is the one that is typed.
func (a *App) Types(l *line.Line) bool { return a.field == l }

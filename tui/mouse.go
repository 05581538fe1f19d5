package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
)

// wheelLines are the lines that a notch of the wheel moves.
const wheelLines = 3

// hand is what the screen knows of the mouse.
type hand struct {
	on    bool // it is listened to
	spots []spot
}

// spot is a key of the footer, as it was drawn.
type spot struct {
	from, to int // cells, to excluded
	key      string
}

// The layout of the screen in lines: a header, the body, and at the end of the
// screen the footer.
const bodyTop = 1

// pointed does what the mouse is for. It is deaf while a line is being typed.
func (a *App) pointed(msg tea.MouseMsg) tea.Cmd {
	m := msg.Mouse()
	if !a.hand.on || a.TooSmall() || a.Context()&keys.InLines != 0 {
		return nil
	}
	if a.Awaits() || a.AsksBulk() || a.glance.asked != "" || a.AsksWhy() { // what is on the screen is not what it is going to be
		if _, click := msg.(tea.MouseClickMsg); click && m.Button == tea.MouseLeft && m.Y == a.H-1 {
			return a.clickedKey(m.X)
		}
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return a.wheeled(m)
	case tea.MouseClickMsg:
		if m.Button == tea.MouseLeft {
			return a.clicked(m.X, m.Y)
		}
	case tea.MouseMotionMsg:
		a.Dragged(m.X)
	case tea.MouseReleaseMsg:
		a.Released()
	}
	return nil
}

// wheeled scrolls what is under the pointer; no pane gets the keys by that.
func (a *App) wheeled(m tea.Mouse) tea.Cmd {
	by, way := wheelLines, keys.LineDown
	switch m.Button {
	case tea.MouseWheelUp:
		by, way = -by, keys.LineUp
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if s := a.top(); s != nil {
		for range wheelLines {
			if a.top() == s {
				s.Move(way)
			}
		}
		return nil
	}
	if a.work.Asks() {
		return nil
	}
	return a.Room.Wheeled(m.X, m.Y-bodyTop, by)
}

// clicked selects, folds, follows or presses what is at a cell.
func (a *App) clicked(x, y int) tea.Cmd {
	if y == a.H-1 {
		return a.clickedKey(x)
	}
	if y < bodyTop || y >= bodyTop+a.bodyHeight() || a.work.Asks() {
		return nil
	}
	if s := a.top(); s != nil {
		if b := a.box(); b != nil {
			x -= b.Column()
		}
		if c, ok := s.Layer.(screen.Clicker); ok {
			c.Click(x, y-bodyTop)
		}
		return nil
	}
	a.Message = screen.Message{}
	return a.Room.Clicked(x, y-bodyTop)
}

// clickedKey presses a key of the footer.
func (a *App) clickedKey(x int) tea.Cmd {
	for _, s := range a.hand.spots {
		if x >= s.from && x < s.to {
			if a.Awaits() {
				return nil // keys wait, a click is aimed at what it saw
			}
			if b := a.keys.Find(s.key, a.Context()); b != nil {
				a.Pressed(s.key)
				return a.act(b)
			}
		}
	}
	return nil
}

package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/keys"
	"winnow/tui/reader"
)

// textPane shows a text in place of the reader's messages. What its commands
// answer comes back to it, and not to the reader.
type textPane struct{ *reader.Reader }

// textMsg is an answer for a text pane.
type textMsg struct {
	pane *textPane
	msg  tea.Msg
}

func (a *App) newTextPane() *textPane {
	return &textPane{reader.New(reader.Options{Styles: a.styles(), ASCII: a.ASCII, Zone: a.zone})}
}

// run marks what a command answers as the pane's.
func (p *textPane) run(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch m := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i := range m {
				m[i] = p.run(m[i])
			}
			return m
		default:
			return textMsg{p, m}
		}
	}
}

// Find implements searched, as the following do.
func (p *textPane) Find(query string) tea.Cmd { return p.run(p.Reader.Find(query)) }

func (p *textPane) ClearFind() tea.Cmd { return p.run(p.Reader.ClearFind()) }

func (p *textPane) NextHit() tea.Cmd { return p.run(p.Reader.NextHit()) }

func (p *textPane) PrevHit() tea.Cmd { return p.run(p.Reader.PrevHit()) }

// searched is what a find is about: the reader, or the text in its place.
type searched interface {
	Status() reader.Status
	Find(query string) tea.Cmd
	ClearFind() tea.Cmd
	NextHit() tea.Cmd
	PrevHit() tea.Cmd
}

func (a *App) searched() searched {
	if p := a.textPane(); p != nil {
		return p
	}
	return a.reader
}

// textPane returns the text that is open in place of the reader, nil for none.
func (a *App) textPane() *textPane {
	switch {
	case a.preview != nil:
		return a.preview.pane
	case a.raw != nil:
		return a.raw.pane
	}
	return nil
}

// tookText takes an answer, unless the text was closed since.
func (a *App) tookText(m textMsg) tea.Cmd {
	if p := a.textPane(); p == m.pane {
		return p.run(p.Update(m.msg))
	}
	return nil
}

// moveText scrolls the text that is open.
func (a *App) moveText(m keys.Motion) tea.Cmd {
	p := a.textPane()
	return p.run(map[keys.Motion]func() tea.Cmd{
		keys.LineDown: func() tea.Cmd { return p.Scroll(1) }, keys.LineUp: func() tea.Cmd { return p.Scroll(-1) },
		keys.HalfDown: p.HalfDown, keys.HalfUp: p.HalfUp, keys.PageDown: p.PageDown, keys.PageUp: p.PageUp, keys.ToStart: p.Top, keys.ToEnd: p.Bottom,
	}[m]())
}

// asideWidth is the width of what stands in place of the reader.
func (a *App) asideWidth(w int) int {
	if a.wide() {
		return a.readerWidth()
	}
	return w
}

// asideLines draws what stands in place of the reader, beside the list where
// both have room.
func (a *App) asideLines(w, height int, draw func(w, height int) []string) []string {
	lines := draw(a.asideWidth(w), height)
	for len(lines) < height {
		lines = append(lines, "")
	}
	for i, l := range lines {
		if ansi.StringWidth(l) > a.asideWidth(w) {
			lines[i] = ansi.Truncate(l, a.asideWidth(w), a.G.More)
		}
	}
	if !a.wide() {
		return lines[:height]
	}
	left := a.listLines(a.listWidth(), height)
	wall := a.Ink.Key.On(a.G.Wall)
	for i := range left {
		left[i] += wall + " " + lines[i]
	}
	return left
}

// textLines draws a text in exactly height lines.
func (p *textPane) textLines(w, height int) []string {
	if height <= 0 {
		return nil
	}
	return strings.Split(p.View(w, height), "\n")
}

// textTold is what the footer says of a text that is open.
func (a *App) textTold() []string {
	s := a.textPane().Status()
	if s.Notice == "" {
		return nil
	}
	return []string{s.Notice}
}

package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	room "winnow/tui/review"
)

// bodyHeight returns the lines between header and footer.
func (a *App) bodyHeight() int {
	h := a.h - 2
	if a.field != nil {
		h -= a.field.Depth
	}
	if a.work.Busy() != nil {
		h--
	}
	h -= len(a.BulkLines(a.w)) + len(a.ManyLines(a.w)) + len(a.failedLines(a.w))
	return max(1, h-len(a.questionLines(a.w)))
}

// View implements tea.Model.
func (a *App) View() tea.View {
	content, cursor := a.screen()
	v := tea.NewView(content)
	v.AltScreen = true
	v.WindowTitle = a.windowTitle()
	v.Cursor = cursor
	v.BackgroundColor = a.paint()
	if a.hand.on {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// screen draws everything: exactly h lines of at most w cells.
func (a *App) screen() (string, *tea.Cursor) {
	if a.w <= 0 || a.h <= 0 {
		return "", nil
	}
	if a.TooSmall() {
		return a.smallScreen(), nil
	}
	lines := make([]string, 0, a.h)
	lines = append(lines, a.topLine(a.w))
	height := a.bodyHeight()
	switch s := a.shown(); {
	case s != nil:
		lines = append(lines, s.lines(height)...)
	default:
		lines = append(lines, a.Room.Lines(a.w, height)...)
	}
	if b := a.box(); b != nil {
		draw.Over(lines, b.Box(height), 1, b.Column())
	}
	lines = append(lines, a.questionLines(a.w)...)
	lines = append(lines, a.BulkLines(a.w)...)
	lines = append(lines, a.ManyLines(a.w)...)
	lines = append(lines, a.failedLines(a.w)...)
	if j := a.work.Busy(); j != nil {
		lines = append(lines, a.jobLine(j, a.w))
	}
	if a.field == nil {
		return strings.Join(append(lines, a.footerLine(a.w)), "\n"), nil
	}
	box, at := a.field.Box(a.Pen, a.w, height)
	draw.Over(lines, box, len(lines)-len(box), at)
	below, x := a.field.Lines(a.Pen, a.w)
	return strings.Join(append(lines, below...), "\n"), tea.NewCursor(x, a.h-len(below))
}

func (a *App) smallScreen() string {
	text := fmt.Sprintf("winnow needs %d%s%d, this is %d%s%d", room.MinWidth, a.G.Times, room.MinHeight, a.w, a.G.Times, a.h)
	lines := strings.Split(ansi.Hardwrap(ansi.Wordwrap(text, a.w, ""), a.w, false), "\n")
	for i := range lines {
		lines[i] = draw.Fit(lines[i], a.w, "")
	}
	return strings.Join(lines[:min(len(lines), a.h)], "\n")
}

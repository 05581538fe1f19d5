package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/draw"
	room "winnow/tui/review"
)

// bodyHeight returns the lines between header and footer.
func (a *App) bodyHeight() int {
	var said []string
	if a.shown() != nil && a.Message.Text != "" {
		said = a.footer(a.W).above
	}
	return a.heightBelow(a.aboveFooter(said))
}

// heightBelow is the height of a body with these lines between it and the footer.
func (a *App) heightBelow(above []string) int {
	h := a.H - 2 - len(above)
	if a.field != nil {
		h -= a.field.Depth
	}
	return max(1, h)
}

// aboveFooter draws what stands between the body and the footer: what is asked, how
// far a job is, what was said.
func (a *App) aboveFooter(said []string) []string {
	lines := slices.Concat(a.questionLines(a.W), a.BulkLines(a.W), a.glanceLines(a.W), a.ManyLines(a.W))
	if a.shown() != nil { // its last line may matter, and it is no list that has to stay still
		lines = append(lines, said...)
	}
	if j := a.work.Busy(); j != nil {
		lines = append(lines, a.jobLine(j, a.W))
	}
	return lines
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
	if a.W <= 0 || a.H <= 0 {
		return "", nil
	}
	if a.TooSmall() {
		return a.smallScreen(), nil
	}
	lines := make([]string, 0, a.H)
	lines = append(lines, a.topLine(a.W))
	foot := a.footer(a.W)
	above := a.aboveFooter(foot.above)
	height := a.heightBelow(above)
	if s := a.shown(); s != nil {
		lines = append(lines, s.lines(height)...)
	} else {
		lines = append(lines, a.Room.Lines(a.W, height)...)
	}
	if b := a.box(); b != nil {
		draw.Over(lines, b.Box(height), 1, b.Column())
	}
	a.overBody(lines[bodyTop:], foot.above)
	lines = append(lines, above...)
	if a.field == nil {
		return strings.Join(append(lines, foot.line(a.W)), "\n"), nil
	}
	box, at := a.field.Box(a.Pen, a.W, height)
	draw.Over(lines, box, len(lines)-len(box), at)
	below, x := a.field.Lines(a.Pen, a.W)
	return strings.Join(append(lines, below...), "\n"), tea.NewCursor(x, a.H-len(below))
}

func (a *App) smallScreen() string {
	text := fmt.Sprintf("winnow needs %d%s%d, this is %d%s%d", room.MinWidth, a.G.Times, room.MinHeight, a.W, a.G.Times, a.H)
	lines := strings.Split(ansi.Hardwrap(ansi.Wordwrap(text, a.W, ""), a.W, false), "\n")
	for i := range lines {
		lines[i] = draw.Fit(lines[i], a.W, "")
	}
	return strings.Join(lines[:min(len(lines), a.H)], "\n")
}

package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// The sizes at which the layout changes, in cells.
const (
	minWidth, minHeight = 40, 10
	twoPanes            = 110 // below, one pane at a time
	minPane             = 36
	maxList             = 84 // a list gains nothing from more; the reader does
)

// tooSmall reports whether the terminal is too small to work in.
func (a *App) tooSmall() bool { return a.w < minWidth || a.h < minHeight }

// wide reports whether list and reader are side by side.
func (a *App) wide() bool { return a.w >= twoPanes && !a.full }

// readerShows reports whether the reader can be seen.
func (a *App) readerShows() bool { return !a.tooSmall() && (a.wide() || a.focus == onReader) }

// bodyHeight returns the lines between header and footer.
func (a *App) bodyHeight() int {
	h := a.h - 2
	if a.job.running {
		h--
	}
	return max(1, h)
}

func (a *App) listHeight() int { return a.bodyHeight() }

// listWidth returns the width of the list beside the reader.
func (a *App) listWidth() int {
	w := min(a.w*45/100, maxList) + a.wider
	return max(minPane, min(w, a.w-minPane-1))
}

// readerWidth returns the width of the reader.
func (a *App) readerWidth() int {
	if a.wide() {
		return a.w - a.listWidth() - 2 // the wall and a space
	}
	return a.w
}

// View implements tea.Model.
func (a *App) View() tea.View {
	content, cursor := a.screen()
	v := tea.NewView(content)
	v.AltScreen = true
	v.WindowTitle = "winnow"
	v.Cursor = cursor
	return v
}

// screen draws everything: exactly h lines of at most w cells.
func (a *App) screen() (string, *tea.Cursor) {
	if a.w <= 0 || a.h <= 0 {
		return "", nil
	}
	if a.tooSmall() {
		return a.smallScreen(), nil
	}
	lines := make([]string, 0, a.h)
	lines = append(lines, a.headerLine(a.w))
	height := a.bodyHeight()
	switch {
	case a.help != nil:
		lines = append(lines, a.helpLines(a.w, height)...)
	case len(a.list.rows) == 0:
		lines = append(lines, a.emptyLines(a.w, height)...)
	case a.wide():
		lines = append(lines, a.twoPanes(height)...)
	case a.focus == onReader:
		lines = append(lines, a.readerLines(a.w, height)...)
	default:
		lines = append(lines, a.listLines(a.w, height)...)
	}
	if a.job.running {
		lines = append(lines, a.jobLine(a.w))
	}
	if a.field == nil {
		return strings.Join(append(lines, a.footerLine(a.w)), "\n"), nil
	}
	line, x := a.fieldLine(a.w)
	return strings.Join(append(lines, line), "\n"), tea.NewCursor(x, a.h-1)
}

func (a *App) smallScreen() string {
	text := fmt.Sprintf("winnow needs %d%s%d, this is %d%s%d", minWidth, a.g.times, minHeight, a.w, a.g.times, a.h)
	lines := strings.Split(ansi.Hardwrap(ansi.Wordwrap(text, a.w, ""), a.w, false), "\n")
	for i := range lines {
		lines[i] = fit(lines[i], a.w, "")
	}
	return strings.Join(lines[:min(len(lines), a.h)], "\n")
}

func (a *App) twoPanes(height int) []string {
	lw := a.listWidth()
	left, right := a.listLines(lw, height), a.readerLines(a.readerWidth(), height)
	wall := a.ink.border.on(a.g.wall)
	if a.focus == onReader {
		wall = a.ink.key.on(a.g.wall)
	}
	for i := range left {
		left[i] += wall + " " + right[i]
	}
	return left
}

// readerLines asks the reader for exactly height lines of at most w cells,
// and holds it to that.
func (a *App) readerLines(w, height int) []string {
	lines := strings.Split(a.reader.View(w, height), "\n")
	for len(lines) < height {
		lines = append(lines, "")
	}
	lines = lines[:height]
	for i, l := range lines {
		if ansi.StringWidth(l) > w {
			lines[i] = ansi.Truncate(l, w, a.g.more)
		}
	}
	return lines
}

func (a *App) listLines(w, height int) []string {
	c := columnsFor(w, a.totals.Labeled > 0)
	lines := make([]string, 0, height)
	from := a.list.top
	for i, rows := 0, a.list.visible(); i < len(rows); i++ {
		s := &rows[i]
		k, mark := &a.ink, " "
		if from+i == a.list.cur {
			mark = a.ink.muted.on(a.g.mark)
			if a.focus == onList {
				k, mark = &a.sel, a.sel.key.on(a.g.mark)
			}
		}
		title := ""
		if s.Topic == "" {
			title = a.title(s)
		}
		lines = append(lines, c.row(k, a.g, s, title, mark, i == 0))
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines
}

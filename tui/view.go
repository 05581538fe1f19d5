package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/tui/draw"
)

// The sizes at which the layout changes, in cells.
const (
	minWidth, minHeight = 40, 10
	twoPanes            = 110 // below, one pane at a time
	minPane             = 36
	maxList             = 100 // a list gains nothing from more; the reader does
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
	if a.line != nil {
		h -= lineHeight - 1
	}
	if a.command != nil {
		h -= commandHeight - 1
	}
	if a.busyJob() != nil {
		h--
	}
	if a.tags != nil {
		h -= commandHeight - 1
	}
	h -= len(a.bulkLines(a.w)) + len(a.manyLines(a.w)) + len(a.failedLines(a.w))
	return max(1, h-len(a.questionLines(a.w)))
}

func (a *App) listHeight() int { return a.bodyHeight() }

// listWidth returns the width of the list beside the reader.
func (a *App) listWidth() int {
	return max(minPane, min(a.standardWidth()+a.wider, a.w-minPane-1))
}

// standardWidth is the width of the list that nobody made wider.
func (a *App) standardWidth() int { return min(a.w*45/100, maxList) }

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
	if a.tooSmall() {
		return a.smallScreen(), nil
	}
	lines := make([]string, 0, a.h)
	if l := a.screenLayer(false); l != nil && l.header != nil {
		lines = append(lines, l.header(a, a.w))
	} else {
		lines = append(lines, a.headerLine(a.w))
	}
	height := a.bodyHeight()
	switch l := a.screenLayer(true); {
	case l != nil:
		lines = append(lines, l.lines(a, a.w, height)...)
	case len(a.list.Rows) == 0:
		lines = append(lines, a.emptyLines(a.w, height)...)
	case a.wide() || a.focus == onReader:
		wall := a.Ink.Border
		if a.focus == onReader {
			wall = a.Ink.Key
		}
		lines = append(lines, a.besideList(a.readerLines(a.readerWidth(), height), wall)...)
	default:
		lines = append(lines, a.listLines(a.w, height)...)
	}
	if l := a.top(); l != nil && l.box != nil {
		at := 0
		if l.at != nil {
			at = l.at(a)
		}
		draw.Over(lines, l.box(a, height), 1, at)
	}
	lines = append(lines, a.questionLines(a.w)...)
	lines = append(lines, a.bulkLines(a.w)...)
	lines = append(lines, a.manyLines(a.w)...)
	lines = append(lines, a.failedLines(a.w)...)
	if j := a.busyJob(); j != nil {
		lines = append(lines, a.jobLine(j, a.w))
	}
	if a.line != nil {
		box, at := a.popupBox(&a.line.popup, a.popupColumn(a.w), a.w, height)
		draw.Over(lines, box, len(lines)-len(box), at)
		below, x := a.filterLines(a.w)
		return strings.Join(append(lines, below...), "\n"), tea.NewCursor(x, a.h-lineHeight)
	}
	if a.command != nil {
		box, at := a.popupBox(&a.command.popup, a.commandColumn(a.w), a.w, height)
		draw.Over(lines, box, len(lines)-len(box), at)
		below, x := a.commandLines(a.w)
		return strings.Join(append(lines, below...), "\n"), tea.NewCursor(x, a.h-commandHeight)
	}
	if a.tags != nil {
		box, at := a.popupBox(&a.tags.popup, a.tagsColumn(a.w), a.w, height)
		draw.Over(lines, box, len(lines)-len(box), at)
		below, x := a.tagLines(a.w)
		return strings.Join(append(lines, below...), "\n"), tea.NewCursor(x, a.h-commandHeight)
	}
	if a.field == nil {
		return strings.Join(append(lines, a.footerLine(a.w)), "\n"), nil
	}
	line, x := a.field.Draw(a.Pen, a.w)
	return strings.Join(append(lines, line), "\n"), tea.NewCursor(x, a.h-1)
}

func (a *App) smallScreen() string {
	text := fmt.Sprintf("winnow needs %d%s%d, this is %d%s%d", minWidth, a.G.Times, minHeight, a.w, a.G.Times, a.h)
	lines := strings.Split(ansi.Hardwrap(ansi.Wordwrap(text, a.w, ""), a.w, false), "\n")
	for i := range lines {
		lines[i] = draw.Fit(lines[i], a.w, "")
	}
	return strings.Join(lines[:min(len(lines), a.h)], "\n")
}

// besideList puts lines of the reader's width beside the list, where both have
// room.
func (a *App) besideList(right []string, wall draw.Ink) []string {
	if !a.wide() {
		return right
	}
	lines := a.listLines(a.listWidth(), len(right))
	for i := range lines {
		lines[i] += wall.On(a.G.Wall) + " " + right[i]
	}
	return lines
}

// readerLines draws the title and below it what the reader shows, which it
// holds to exactly height lines of at most w cells.
func (a *App) readerLines(w, height int) []string {
	lines := append([]string{a.titleLine(w)}, strings.Split(a.reader.View(w, height-1), "\n")...)
	for len(lines) < height {
		lines = append(lines, "")
	}
	lines = lines[:height]
	for i, l := range lines {
		if ansi.StringWidth(l) > w {
			lines[i] = ansi.Truncate(l, w, a.G.More)
		}
	}
	return lines
}

func (a *App) listLines(w, height int) []string {
	rows := a.list.Visible()
	c := columnsFor(w, a.rowContent(rows))
	lines := make([]string, 0, height)
	for i := range rows {
		k, r := &a.Ink, row{Segment: &rows[i], mark: " ", named: i == 0}
		if a.list.Top+i == a.list.Cur {
			r.mark = a.Ink.Border.On(a.G.Mark)
			if a.focus == onList {
				k, r.mark = &a.Sel, a.Sel.Key.On(a.G.Mark)
			}
		}
		if a.marks.ids[rows[i].ID] {
			r.mark = k.Warn.On(a.G.Marked)
			if a.list.Top+i == a.list.Cur {
				r.mark = k.Warn.On(a.G.MarkedHere)
			}
		}
		if r.Topic == "" {
			r.title = a.title(r.Segment)
		}
		if g, ok := a.alike(r.Segment); ok {
			if r.under = g.Front != r.ID; !r.under {
				r.alike = g.Size
			}
		}
		r.was, r.told = a.tells(r.Segment)
		if _, held := a.heldBy(r.ID); held && r.mark == " " {
			r.mark = k.Warn.On(a.G.Reader)
		}
		if c.date > 0 {
			r.date = a.day(r.CreatedAt)
		}
		lines = append(lines, c.draw(k, a.G, r))
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// rowContent tells what rows have: nobody needs a column of nothing.
func (a *App) rowContent(rows []review.Segment) rowContent {
	has := rowContent{scores: a.totals.Scored > 0, kinds: a.totals.Labeled > 0, dates: a.list.order == review.Newest || a.list.order == review.Oldest}
	for i := range rows {
		has.scores = has.scores || rows[i].Score != nil
		has.kinds = has.kinds || rows[i].TaskType != ""
	}
	return has
}

// day renders a time in at most twelve cells.
func (a *App) day(t time.Time) string {
	t = t.In(a.zone)
	if t.Year() != a.now().In(a.zone).Year() {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan 15:04")
}

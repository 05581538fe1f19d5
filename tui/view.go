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
func (r *Room) tooSmall() bool { return r.w < minWidth || r.h < minHeight }

// wide reports whether list and reader are side by side.
func (r *Room) wide() bool { return r.w >= twoPanes && !r.full }

// readerShows reports whether the reader can be seen.
func (r *Room) readerShows() bool { return !r.tooSmall() && (r.wide() || r.focus == onReader) }

// bodyHeight returns the lines between header and footer.
func (a *App) bodyHeight() int {
	h := a.h - 2
	if a.field != nil {
		h -= a.field.Depth
	}
	if a.work.Busy() != nil {
		h--
	}
	h -= len(a.bulkLines(a.w)) + len(a.manyLines(a.w)) + len(a.failedLines(a.w))
	return max(1, h-len(a.questionLines(a.w)))
}

// listWidth returns the width of the list beside the reader.
func (r *Room) listWidth() int {
	return max(minPane, min(r.standardWidth()+r.wider, r.w-minPane-1))
}

// standardWidth is the width of the list that nobody made wider.
func (r *Room) standardWidth() int { return min(r.w*45/100, maxList) }

// readerWidth returns the width of the reader.
func (r *Room) readerWidth() int {
	if r.wide() {
		return r.w - r.listWidth() - 2 // the wall and a space
	}
	return r.w
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
	lines = append(lines, a.topLine(a.w))
	height := a.bodyHeight()
	switch s := a.shown(); {
	case s != nil:
		lines = append(lines, s.lines(height)...)
	default:
		lines = append(lines, a.Room.lines(a.w, height)...)
	}
	if b := a.box(); b != nil {
		draw.Over(lines, b.Box(height), 1, b.Column())
	}
	lines = append(lines, a.questionLines(a.w)...)
	lines = append(lines, a.bulkLines(a.w)...)
	lines = append(lines, a.manyLines(a.w)...)
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

// lines draws list and reader: height lines of w cells.
func (r *Room) lines(w, height int) []string {
	switch {
	case len(r.list.Rows) == 0:
		return r.emptyLines(w, height)
	case r.wide() || r.focus == onReader:
		wall := r.Ink.Border
		if r.focus == onReader {
			wall = r.Ink.Key
		}
		return r.besideList(r.readerLines(r.readerWidth(), height), wall)
	}
	return r.listLines(w, height)
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
func (r *Room) besideList(right []string, wall draw.Ink) []string {
	if !r.wide() {
		return right
	}
	lines := r.listLines(r.listWidth(), len(right))
	for i := range lines {
		lines[i] += wall.On(r.G.Wall) + " " + right[i]
	}
	return lines
}

// readerLines draws the title and below it what the reader shows, which it
// holds to exactly height lines of at most w cells.
func (r *Room) readerLines(w, height int) []string {
	lines := append([]string{r.titleLine(w)}, strings.Split(r.reader.View(w, height-1), "\n")...)
	for len(lines) < height {
		lines = append(lines, "")
	}
	lines = lines[:height]
	for i, l := range lines {
		if ansi.StringWidth(l) > w {
			lines[i] = ansi.Truncate(l, w, r.G.More)
		}
	}
	return lines
}

func (r *Room) listLines(w, height int) []string {
	rows := r.list.Visible()
	c := columnsFor(w, r.rowContent(rows))
	lines := make([]string, 0, height)
	for i := range rows {
		k, line := &r.Ink, row{Segment: &rows[i], mark: " ", named: i == 0}
		if r.list.Top+i == r.list.Cur {
			line.mark = r.Ink.Border.On(r.G.Mark)
			if r.focus == onList {
				k, line.mark = &r.Sel, r.Sel.Key.On(r.G.Mark)
			}
		}
		if r.marks.ids[rows[i].ID] {
			line.mark = k.Warn.On(r.G.Marked)
			if r.list.Top+i == r.list.Cur {
				line.mark = k.Warn.On(r.G.MarkedHere)
			}
		}
		if line.Topic == "" {
			line.title = r.title(line.Segment)
		}
		if g, ok := r.alike(line.Segment); ok {
			if line.under = g.Front != line.ID; !line.under {
				line.alike = g.Size
			}
		}
		line.was, line.told = r.tells(line.Segment)
		if _, held := r.heldBy(line.ID); held && line.mark == " " {
			line.mark = k.Warn.On(r.G.Reader)
		}
		if c.date > 0 {
			line.date = r.day(line.CreatedAt)
		}
		lines = append(lines, c.draw(k, r.G, line))
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// rowContent tells what rows have: nobody needs a column of nothing.
func (r *Room) rowContent(rows []review.Segment) rowContent {
	has := rowContent{scores: r.totals.Scored > 0, kinds: r.totals.Labeled > 0, dates: r.list.order == review.Newest || r.list.order == review.Oldest}
	for i := range rows {
		has.scores = has.scores || rows[i].Score != nil
		has.kinds = has.kinds || rows[i].TaskType != ""
	}
	return has
}

// day renders a time in at most twelve cells.
func (r *Room) day(t time.Time) string {
	t = t.In(r.zone)
	if t.Year() != r.now().In(r.zone).Year() {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan 15:04")
}

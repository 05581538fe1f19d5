package review

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
)

// The sizes at which the layout changes, in cells.
const (
	MinWidth, MinHeight = 40, 10
	TwoPanes            = 110 // below, one pane at a time
	MinPane             = 36
	maxList             = 112 // a list gains nothing from more; the reader does
)

// TooSmall reports whether the terminal is too small to work in.
func (r *Room) TooSmall() bool { return r.W < MinWidth || r.H < MinHeight }

// Wide reports whether list and reader are side by side.
func (r *Room) Wide() bool { return r.W >= TwoPanes && !r.full }

// ReaderShows reports whether the reader can be seen.
func (r *Room) ReaderShows() bool { return !r.TooSmall() && (r.Wide() || r.Focus == OnReader) }

// ListWidth returns the width of the list beside the reader.
func (r *Room) ListWidth() int {
	return max(MinPane, min(r.standardWidth()+r.wider, r.W-MinPane-1))
}

// roomy is the width of a terminal from which on the list takes more of it: the
// reader has all it needs.
const roomy = 160

// standardWidth is the width of the list that nobody made wider.
func (r *Room) standardWidth() int {
	return min(r.W*45/100+max(0, r.W-roomy)*2/5, maxList)
}

// ReaderWidth returns the width of the reader.
func (r *Room) ReaderWidth() int {
	if r.Wide() {
		return r.W - r.ListWidth() - 2 // the wall and a space
	}
	return r.W
}

// Lines draws list and reader: height lines of w cells.
func (r *Room) Lines(w, height int) []string {
	switch {
	case len(r.List.Rows) == 0:
		return r.emptyLines(w, height)
	case r.Wide() || r.Focus == OnReader:
		wall := r.Ink.Border
		if r.Focus == OnReader {
			wall = r.Ink.Key
		}
		return r.BesideList(r.readerLines(r.ReaderWidth(), height), wall)
	}
	return r.listLines(w, height)
}

// BesideList puts lines of the reader's width beside the list, where both have
// room.
func (r *Room) BesideList(right []string, wall draw.Ink) []string {
	if !r.Wide() {
		return right
	}
	lines := r.listLines(r.ListWidth(), len(right))
	for i := range lines {
		lines[i] += wall.On(r.G.Wall) + " " + right[i]
	}
	return lines
}

// readerLines draws the title and below it what the reader shows, which it
// holds to exactly height lines of at most w cells.
func (r *Room) readerLines(w, height int) []string {
	lines := append([]string{r.TitleLine(w)}, strings.Split(r.Reader.View(w, height-1), "\n")...)
	lines = append(lines, make([]string, height)...)[:height]
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], w, r.G.More)
	}
	return lines
}

// SelectedLine is the line of the body that the selected row of the list stands in.
func (r *Room) SelectedLine() int { return r.List.Cur - r.List.Top + 1 }

func (r *Room) listLines(w, height int) []string {
	shown := r.List.Visible()
	c := rows.ColumnsFor(w, r.rowContent(shown))
	lines := append(make([]string, 0, height), c.Headings(&r.Ink, r.List.Where()))
	for i := range shown {
		k, line := &r.Ink, rows.Row{Segment: &shown[i], Mark: " "}
		if r.List.Top+i == r.List.Cur {
			line.Mark = r.Ink.Border.On(r.G.Mark)
			if r.Focus == OnList {
				k, line.Mark = &r.Sel, r.Sel.Key.On(r.G.Mark)
			}
		}
		if r.marks.IDs[shown[i].ID] {
			line.Mark = k.Warn.On(r.G.Marked)
			if r.List.Top+i == r.List.Cur {
				line.Mark = k.Warn.On(r.G.MarkedHere)
			}
		}
		if line.Topic == "" {
			line.Title = r.Title(line.Segment)
		}
		if g, ok := r.alike(line.Segment); ok {
			if line.Under = g.Front != line.ID; !line.Under {
				line.Alike = g.Size
			}
		}
		line.Seen = r.Sights.Share(line.Segment)
		line.Was, line.Told = r.tells(line.Segment)
		if _, held := r.heldBy(line.ID); held && line.Mark == " " {
			line.Mark = k.Warn.On(r.G.Reader)
		}
		if c.Dated() {
			line.Date = c.Day(r.sessions.When(line.Segment), r.now().In(r.zone), r.G.None)
		}
		lines = append(lines, c.Draw(k, r.G, line))
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// rowContent tells what rows have: nobody needs a column of nothing.
func (r *Room) rowContent(shown []review.Segment) rows.RowContent {
	has := rows.RowContent{Scores: r.Totals.Scored > 0, Kinds: r.Totals.Labeled > 0, Seen: r.Sights != nil, Widest: r.widest, Beside: r.Wide()}
	if by, ok := r.List.Order.Sorting(); ok {
		has.By = by.Column
	}
	has.Take(shown)
	for i := range shown {
		has.Scores = has.Scores || shown[i].Score != nil
		has.Kinds = has.Kinds || shown[i].TaskType != ""
		has.Likely = has.Likely || shown[i].Likely != nil
	}
	return has
}

// Day renders a time in at most twelve cells.
func (r *Room) Day(t time.Time) string {
	t = t.In(r.zone)
	if t.Year() != r.now().In(r.zone).Year() {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan 15:04")
}

// emptyLines says why there is nothing, and what to do next.
func (r *Room) emptyLines(w, height int) []string {
	return r.Centred(w, height, r.emptyText(max(1, min(w-4, draw.WidestText))))
}

func (r *Room) emptyText(w int) []string {
	title := "Nothing here yet."
	var why []string
	switch j := &r.imports.Job; {
	case j.Busy():
		why = []string{"The " + j.Name + " is running: the first sessions appear as they are read.", strings.Join(j.Facts(r.now()), " "+r.G.Dot+" ")}
	case r.unread != nil && !r.ready:
		return r.Failed(w+4, "The list could not be read.", r.unread, "winnow tries again; "+r.keyFor(keys.Reload)+" tries at once.")
	case !r.ready:
		return []string{r.Ink.Muted.On("loading")}
	case r.Totals.Segments > 0:
		return r.nothingText(w)
	case j.Ended != "":
		title, why = "The "+j.Name+" added nothing.", []string{j.Ended}
		if j.Waiting {
			why = append(why, "New files there are read as they appear.")
		}
	}
	lines := []string{r.Ink.Name.On(title), ""}
	for _, text := range why {
		lines = append(lines, r.Wrap(r.Ink.Text, text, w+4)...)
	}
	if r.imports.Busy() {
		return lines
	}
	if len(why) > 0 {
		lines = append(lines, "")
	}
	if r.imports.Ended != "" && r.app.Lacks(keys.InLedger) == "" {
		lines = append(lines, r.keyLine("ledger", 13, "shows what became of each file, and why"))
	}
	if r.app.Lacks(keys.InOffer) == "" {
		lines = append(lines, r.keyLine("places", 13, "shows where agents keep sessions, to import them"))
	}
	return append(lines, r.ToImport()...)
}

// nothingText says that nothing passes the filter, and the ways out.
func (r *Room) nothingText(w int) []string {
	lines := append([]string{r.Ink.Name.On("Nothing passes the filter."), ""}, r.Wrap(r.Ink.Text, r.counted(), w+4)...)
	if share := r.Searching(); share != "" {
		lines = append(lines, r.Ink.Warn.On(share+" so far"))
	}
	if filter.Asks(r.Filter.Node, filter.Likely) && !r.Totals.Likely {
		lines = append(lines, r.Wrap(r.Ink.Warn, nothingLearned, w+4)...)
	}
	if r.app.Typing(keys.InFilter) {
		return lines
	}
	n := 0
	for _, name := range []string{"close-find", "filter", "no-filter"} {
		n = max(n, ansi.StringWidth(r.keys.Key(name, keys.InList)))
	}
	return append(lines, "",
		r.keyLine("close-find", n, "  goes back to the filter before"),
		r.keyLine("filter", n, "  changes it"),
		r.keyLine("no-filter", n, "  shows all segments"))
}

// keyLine is a key in n cells, and what it does.
func (r *Room) keyLine(action string, n int, does string) string {
	return r.Ink.Key.On(draw.Fit(r.keys.Key(action, keys.InList), n, "")) + r.Ink.Text.On(does)
}

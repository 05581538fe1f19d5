package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/list"
)

const (
	logDay     = 13 // "31 Dec 23:59", or with a year, and a space
	logWho     = 11 // cells of a name, with a space
	logNumber  = 8  // of an entry: a million and a space
	logState   = 7  // "undone" and a space
	wideLog    = 100
	entryTitle = 2 // above the changes of an entry: what it is, the heads of the columns
)

func (a *App) journalRows() int { return a.bodyHeight() - 1 }
func (a *App) changeRows() int  { return a.bodyHeight() - entryTitle }

// journalHeader says what is listed.
func (a *App) journalHeader(w int) string {
	j := a.journal
	parts := []draw.Part{{Text: " " + a.Ink.Name.On("winnow"), Worth: 9, Short: " ", Yield: 3}, {Text: a.Ink.Text.On("journal"), Worth: 8}}
	if j.mine {
		parts = append(parts, draw.Part{Text: a.Ink.Key.On("only mine"), Worth: 7})
	}
	if j.segment != "" {
		parts = append(parts, draw.Part{Text: a.Ink.Key.On("only " + clean.Line(draw.Head(j.named))), Worth: 6})
	}
	if j.entry != nil {
		parts = append(parts, draw.Part{Text: a.Ink.Text.On("entry " + strconv.FormatInt(j.entry.row.ID, 10)), Worth: 7})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.FitParts(parts, w)
}

// journalLines draws the level that is open.
func (a *App) journalLines(w, height int) []string {
	var lines []string
	if a.journal.entry != nil {
		lines = a.entryLines(w, height)
	} else {
		lines = a.logLines(w, height)
	}
	for i := range lines {
		lines[i] = draw.Fit(lines[i], w, a.G.More)
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return lines[:height]
}

// logColumns are the widths of a row's parts; what was done and to what share
// the rest.
type logColumns struct{ number, who, done, about int }

func logColumnsFor(w int) logColumns {
	c := logColumns{who: logWho}
	rest := w - 2 - logDay - logWho - logState
	if w >= wideLog {
		c.number = logNumber
		rest -= logNumber
	}
	c.done = rest * 45 / 100
	c.about = max(0, rest-c.done)
	return c
}

func (a *App) logLines(w, height int) []string {
	p := &a.journal.entries
	if len(p.Rows) == 0 {
		return a.Centred(w, height, a.noLogText(w, p))
	}
	c := logColumnsFor(w)
	head := "  " + draw.Fit("when", logDay, "") + draw.Fit("who", c.who, "") + draw.Fit("what", c.done, "") + draw.Fit("", logState, "") + draw.Fit("segments", c.about, "")
	if c.number > 0 {
		head = "  " + draw.Fit("entry", c.number, "") + head[2:]
	}
	lines := []string{a.Ink.Muted.On(head)}
	for i, r := range p.Visible() {
		k, mark := a.Row(p.Top+i == p.Cur)
		lines = append(lines, mark+a.logRow(k, c, &r))
	}
	return lines
}

// logRow draws an entry. What does not count any more is told by a word and is
// muted.
func (a *App) logRow(k *draw.Inks, c logColumns, r *logRow) string {
	text, state := k.Text, ""
	switch {
	case r.Undone:
		text, state = k.Muted, "undone"
	case r.Target != 0 || r.Curator == "":
		text = k.Muted
	}
	who := clean.Line(draw.Head(r.Curator))
	if who == "" {
		who = "import"
	}
	var b strings.Builder
	b.WriteString(k.Text.On(" "))
	if c.number > 0 {
		b.WriteString(k.Muted.On(draw.Fit(strconv.FormatInt(r.ID, 10), c.number-1, "") + " "))
	}
	b.WriteString(k.Muted.On(draw.Fit(a.day(r.At), logDay-1, "") + " "))
	b.WriteString(text.On(draw.Fit(who, c.who-1, a.G.More) + " " + draw.Fit(a.done(&r.Logged), c.done-1, a.G.More) + " "))
	b.WriteString(k.Warn.On(draw.Fit(state, logState, "")))
	b.WriteString(text.On(draw.Fit(r.about(), c.about, a.G.More)))
	return b.String()
}

func (a *App) noLogText(w int, p *list.Paged[logRow, int64]) []string {
	j := a.journal
	all := func(name string) string { return a.Ink.Text.On(a.keyFor(name) + " shows all") }
	switch {
	case p.Failed != nil:
		return a.failedText(w, "The journal could not be read.", p.Failed)
	case !p.Ready:
		return []string{a.Ink.Muted.On("loading")}
	case j.segment != "":
		return []string{a.Ink.Name.On("Nothing was done to " + clean.Line(draw.Head(j.named)) + " yet."), "", all("of-segment")}
	case j.mine:
		return []string{a.Ink.Name.On("You have done nothing yet."), "", all("mine")}
	}
	lines := []string{a.Ink.Name.On("Nothing was done yet."), ""}
	lines = append(lines, a.Wrap(a.Ink.Text, "Verdicts, notes, tags and cuts are listed here, by everybody, with what was undone.", w)...)
	return append(lines, "", a.Ink.Text.On(a.keyIn("approve", keys.InList)+" approves and "+a.keyIn("reject", keys.InList)+" rejects a segment in the list: "+a.keys.Esc(keys.InJournal)+" goes there"))
}

// entryLines draws an entry and the segments that it changed.
func (a *App) entryLines(w, height int) []string {
	v := a.journal.entry
	r := &v.row
	title := fmt.Sprintf(" %s  %s  %s", a.day(r.At), clean.Line(draw.Head(r.Curator)), a.done(&r.Logged))
	lines := []string{a.Ink.Name.On(draw.Fit(title, w-logState, a.G.More))}
	if r.Undone {
		lines[0] += a.Ink.Warn.On("undone")
	}
	p := &v.changes
	if len(p.Rows) == 0 {
		if p.Failed == nil {
			return append(lines, "", " "+a.Ink.Muted.On("loading"))
		}
		return append(lines, a.Centred(w, height-len(lines), a.failedText(w, "What it changed could not be read.", p.Failed))...)
	}
	number := len(draw.Grouped(r.Count)) + 3
	done := (w - number - 11) * 45 / 100
	about := w - number - 11 - done
	lines = append(lines, a.Ink.Muted.On(draw.Fit("", number, "")+draw.Fit("id", 10, "")+draw.Fit("what", done, "")+draw.Fit("segment", about, "")))
	for i := range p.Visible() {
		c := &p.Rows[p.Top+i]
		k, mark := a.Row(p.Top+i == p.Cur)
		name := clean.Line(draw.Head(c.Topic))
		if name == "" {
			name = "(gone)"
		}
		lines = append(lines, mark+k.Muted.On(draw.Right(draw.Grouped(c.N), number-2)+" "+draw.Fit(review.Short(c.Segment), 9, "")+" ")+
			k.Text.On(draw.Fit(a.changed(&c.Change), done-1, a.G.More)+" "+draw.Fit(name, about, a.G.More)+" "))
	}
	return lines
}

// journalTold says how many segments the open entry changed.
func (a *App) journalTold() []string {
	if v := a.journal.entry; v != nil {
		return []string{draw.Plural(v.row.Count, "segment")}
	}
	if p := &a.journal.entries; p.Ready && p.AtTop && p.AtEnd && len(p.Rows) > 0 {
		n := draw.Plural(len(p.Rows), "entry")
		if len(p.Rows) != 1 {
			n = draw.Grouped(len(p.Rows)) + " entries"
		}
		if ansi.StringWidth(n) < a.w/3 {
			return []string{n}
		}
	}
	return nil
}

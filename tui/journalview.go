package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
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
	parts := []part{{text: " " + a.ink.name.on("winnow"), worth: 9, short: " ", yield: 3}, {text: a.ink.text.on("journal"), worth: 8}}
	if j.mine {
		parts = append(parts, part{text: a.ink.key.on("only mine"), worth: 7})
	}
	if j.segment != "" {
		parts = append(parts, part{text: a.ink.key.on("only " + clean.Line(head(j.named))), worth: 6})
	}
	if j.entry != nil {
		parts = append(parts, part{text: a.ink.text.on("entry " + strconv.FormatInt(j.entry.row.ID, 10)), worth: 7})
	}
	parts = append(parts, a.placeParts(w, 2)...)
	return a.fitParts(parts, w)
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
		lines[i] = fit(lines[i], w, a.g.more)
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
	if len(p.rows) == 0 {
		return a.centred(w, height, a.noLogText(w, p))
	}
	c := logColumnsFor(w)
	head := "  " + fit("when", logDay, "") + fit("who", c.who, "") + fit("what", c.done, "") + fit("", logState, "") + fit("segments", c.about, "")
	if c.number > 0 {
		head = "  " + fit("entry", c.number, "") + head[2:]
	}
	lines := []string{a.ink.muted.on(head)}
	for i, r := range p.visible() {
		k, mark := &a.ink, " "
		if p.top+i == p.cur {
			k, mark = &a.sel, a.sel.key.on(a.g.mark)
		}
		lines = append(lines, mark+a.logRow(k, c, &r))
	}
	return lines
}

// logRow draws an entry. What does not count any more is told by a word and is
// muted.
func (a *App) logRow(k *inks, c logColumns, r *logRow) string {
	text, state := k.text, ""
	switch {
	case r.Undone:
		text, state = k.muted, "undone"
	case r.Target != 0 || r.Curator == "":
		text = k.muted
	}
	who := clean.Line(head(r.Curator))
	if who == "" {
		who = "import"
	}
	var b strings.Builder
	b.WriteString(k.text.on(" "))
	if c.number > 0 {
		b.WriteString(k.muted.on(fit(strconv.FormatInt(r.ID, 10), c.number-1, "") + " "))
	}
	b.WriteString(k.muted.on(fit(a.day(r.At), logDay-1, "") + " "))
	b.WriteString(text.on(fit(who, c.who-1, a.g.more) + " " + fit(a.done(&r.Logged), c.done-1, a.g.more) + " "))
	b.WriteString(k.warn.on(fit(state, logState, "")))
	b.WriteString(text.on(fit(r.about(), c.about, a.g.more)))
	return b.String()
}

func (a *App) noLogText(w int, p *pager[logRow, int64]) []string {
	j := a.journal
	all := func(name string) string { return a.ink.text.on(a.keyFor(name) + " shows all") }
	switch {
	case p.failed != nil:
		return a.failedText(w, "The journal could not be read.", p.failed)
	case !p.ready:
		return []string{a.ink.muted.on("loading")}
	case j.segment != "":
		return []string{a.ink.name.on("Nothing was done to " + clean.Line(head(j.named)) + " yet."), "", all("of-segment")}
	case j.mine:
		return []string{a.ink.name.on("You have done nothing yet."), "", all("mine")}
	}
	lines := []string{a.ink.name.on("Nothing was done yet."), ""}
	lines = append(lines, a.wrap(a.ink.text, "Verdicts, notes, tags and cuts are listed here, by everybody, with what was undone.", w)...)
	return append(lines, "", a.ink.text.on(a.keyIn("approve", InList)+" approves and "+a.keyIn("reject", InList)+" rejects a segment in the list: "+a.escIn(InJournal)+" goes there"))
}

// entryLines draws an entry and the segments that it changed.
func (a *App) entryLines(w, height int) []string {
	v := a.journal.entry
	r := &v.row
	title := fmt.Sprintf(" %s  %s  %s", a.day(r.At), clean.Line(head(r.Curator)), a.done(&r.Logged))
	lines := []string{a.ink.name.on(fit(title, w-logState, a.g.more))}
	if r.Undone {
		lines[0] += a.ink.warn.on("undone")
	}
	p := &v.changes
	if len(p.rows) == 0 {
		if p.failed == nil {
			return append(lines, "", " "+a.ink.muted.on("loading"))
		}
		return append(lines, a.centred(w, height-len(lines), a.failedText(w, "What it changed could not be read.", p.failed))...)
	}
	number := len(grouped(r.Count)) + 3
	done := (w - number - 11) * 45 / 100
	about := w - number - 11 - done
	lines = append(lines, a.ink.muted.on(fit("", number, "")+fit("id", 10, "")+fit("what", done, "")+fit("segment", about, "")))
	for i := range p.visible() {
		c := &p.rows[p.top+i]
		k, mark := &a.ink, " "
		if p.top+i == p.cur {
			k, mark = &a.sel, a.sel.key.on(a.g.mark)
		}
		name := clean.Line(head(c.Topic))
		if name == "" {
			name = "(gone)"
		}
		lines = append(lines, mark+k.muted.on(right(grouped(c.N), number-2)+" "+fit(review.Short(c.Segment), 9, "")+" ")+
			k.text.on(fit(a.changed(&c.Change), done-1, a.g.more)+" "+fit(name, about, a.g.more)+" "))
	}
	return lines
}

// journalTold says how many segments the open entry changed.
func (a *App) journalTold() []string {
	if v := a.journal.entry; v != nil {
		return []string{plural(v.row.Count, "segment")}
	}
	if p := &a.journal.entries; p.ready && p.atTop && p.atEnd && len(p.rows) > 0 {
		n := plural(len(p.rows), "entry")
		if len(p.rows) != 1 {
			n = grouped(len(p.rows)) + " entries"
		}
		if ansi.StringWidth(n) < a.w/3 {
			return []string{n}
		}
	}
	return nil
}

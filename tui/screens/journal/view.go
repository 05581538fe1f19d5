package journal

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/list"
)

const (
	topicWidth = 24 // of a topic within a sentence
	logDay     = 13 // "31 Dec 23:59", or with a year, and a space
	logWho     = 11 // cells of a name, with a space
	logNumber  = 8  // of an entry: a million and a space
	logState   = 7  // "undone" and a space
	wideLog    = 100
	entryTitle = 2 // above the changes of an entry: what it is, the heads of the columns
)

// Header says what is listed.
func (j *Screen) Header(int) []draw.Part {
	parts := []draw.Part{{Text: j.Ink.Text.On("journal"), Worth: 8}}
	if j.mine {
		parts = append(parts, draw.Part{Text: j.Ink.Key.On("only mine"), Worth: 7})
	}
	if j.segment != "" {
		parts = append(parts, draw.Part{Text: j.Ink.Key.On("only " + clean.Line(draw.Head(j.named))), Worth: 6})
	}
	if j.entry != nil {
		parts = append(parts, draw.Part{Text: j.Ink.Text.On("entry " + strconv.FormatInt(j.entry.row.ID, 10)), Worth: 7})
	}
	return parts
}

// Lines draws the level that is open.
func (j *Screen) Lines(w, height int) []string {
	if j.entry != nil {
		return j.Filled(j.entryLines(w, height), w, height)
	}
	return j.Filled(j.logLines(w, height), w, height)
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

func (j *Screen) logLines(w, height int) []string {
	p := &j.entries
	if len(p.Rows) == 0 {
		return j.Centred(w, height, j.noLogText(w, p))
	}
	c := logColumnsFor(w)
	head := "  " + draw.Fit("when", logDay, "") + draw.Fit("who", c.who, "") + draw.Fit("what", c.done, "") + draw.Fit("", logState, "") + draw.Fit("segments", c.about, "")
	if c.number > 0 {
		head = "  " + draw.Fit("entry", c.number, "") + head[2:]
	}
	lines := []string{j.Ink.Muted.On(head)}
	for i, r := range p.Visible() {
		k, mark := j.Row(p.Top+i == p.Cur)
		lines = append(lines, mark+j.logRow(k, c, &r))
	}
	return lines
}

// logRow draws an entry. What does not count any more is told by a word and is
// muted.
func (j *Screen) logRow(k *draw.Inks, c logColumns, r *logRow) string {
	text, state := k.Text, ""
	switch {
	case r.Undone:
		text, state = k.Muted, "undone"
	case r.Target != 0 || r.Curator == "":
		text = k.Muted
	}
	who := cmp.Or(clean.Line(draw.Head(r.Curator)), "import")
	var b strings.Builder
	b.WriteString(k.Text.On(" "))
	if c.number > 0 {
		b.WriteString(k.Muted.On(draw.Fit(strconv.FormatInt(r.ID, 10), c.number-1, "") + " "))
	}
	b.WriteString(k.Muted.On(draw.Fit(j.Day(r.At), logDay-1, "") + " "))
	b.WriteString(text.On(draw.Fit(who, c.who-1, j.G.More) + " " + draw.Fit(j.done(&r.Logged), c.done-1, j.G.More) + " "))
	b.WriteString(k.Warn.On(draw.Fit(state, logState, "")))
	b.WriteString(text.On(draw.Fit(r.about(), c.about, j.G.More)))
	return b.String()
}

func (j *Screen) noLogText(w int, p *list.Paged[logRow, int64]) []string {
	all := func(name string) string { return j.Ink.Text.On(j.Key(name) + " shows all") }
	switch {
	case p.Failed() != nil:
		return j.Unread(w, "The journal could not be read.", p.Failed())
	case !p.Ready():
		return []string{j.Ink.Muted.On("loading")}
	case j.segment != "":
		return []string{j.Ink.Name.On("Nothing was done to " + clean.Line(draw.Head(j.named)) + " yet."), "", all("of-segment")}
	case j.mine:
		return []string{j.Ink.Name.On("You have done nothing yet."), "", all("mine")}
	}
	lines := []string{j.Ink.Name.On("Nothing was done yet."), ""}
	lines = append(lines, j.Wrap(j.Ink.Text, "Everybody's verdicts, notes, tags and cuts are listed here, with what was undone.", w)...)
	return append(lines, "", j.Ink.Text.On(j.KeyOfList("approve")+" approves and "+j.KeyOfList("reject")+" rejects a segment in the list: "+j.WayBack()+" goes there"))
}

// entryLines draws an entry and the segments that it changed.
func (j *Screen) entryLines(w, height int) []string {
	v := j.entry
	r := &v.row
	title := fmt.Sprintf(" %s  %s  %s", j.Day(r.At), clean.Line(draw.Head(r.Curator)), j.done(&r.Logged))
	lines := []string{j.Ink.Name.On(draw.Fit(title, w-logState, j.G.More))}
	if r.Undone {
		lines[0] += j.Ink.Warn.On("undone")
	}
	p := &v.changes
	if len(p.Rows) == 0 {
		if p.Failed() == nil {
			return append(lines, "", " "+j.Ink.Muted.On("loading"))
		}
		return append(lines, j.Centred(w, height-len(lines), j.Unread(w, "What it changed could not be read.", p.Failed()))...)
	}
	number := len(draw.Grouped(r.Count)) + 3
	done := (w - number - 11) * 45 / 100
	about := w - number - 11 - done
	lines = append(lines, j.Ink.Muted.On(draw.Fit("", number, "")+draw.Fit("id", 10, "")+draw.Fit("what", done, "")+draw.Fit("segment", about, "")))
	for i := range p.Visible() {
		c := &p.Rows[p.Top+i]
		k, mark := j.Row(p.Top+i == p.Cur)
		name := cmp.Or(clean.Line(draw.Head(c.Topic)), "(gone)")
		lines = append(lines, mark+k.Muted.On(draw.Right(draw.Grouped(c.N), number-2)+" "+draw.Fit(review.Short(idOf(c)), 9, "")+" ")+
			k.Text.On(draw.Fit(j.numbered(c), done-1, j.G.More)+" "+draw.Fit(name, about, j.G.More)+" "))
	}
	return lines
}

// idOf is the id of what a change is about: a segment, a memory or a run.
func idOf(c *review.NumberedChange) string {
	switch {
	case c.Memory != nil:
		return c.Memory.ID
	case c.Promotion != nil:
		return fmt.Sprint(c.Promotion.Run)
	}
	return c.Segment
}

// Footer says how many segments the open entry changed.
func (j *Screen) Footer() []string {
	if v := j.entry; v != nil {
		if len(v.row.Memories) > 0 {
			return []string{draw.OneOrMany(v.row.Count, "memory", "memories")}
		}
		if len(v.row.Promotions) > 0 {
			return []string{draw.Plural(v.row.Count, "run")}
		}
		return []string{draw.Plural(v.row.Count, "segment")}
	}
	if p := &j.entries; p.Ready() && p.AtTop && p.AtEnd && len(p.Rows) > 0 {
		n := draw.Plural(len(p.Rows), "entry")
		if len(p.Rows) != 1 {
			n = draw.Grouped(len(p.Rows)) + " entries"
		}
		if ansi.StringWidth(n) < j.width/3 {
			return []string{n}
		}
	}
	return nil
}

// Copied is the id of what the entry under the cursor is about.
func (j *Screen) Copied() (text, what string) {
	r := j.entries.Selected()
	var id string
	switch {
	case j.entry != nil || r == nil:
		return "", ""
	case len(r.Changes) > 0:
		id = r.Changes[0].Segment
	case len(r.Proposals) > 0:
		id = r.Proposals[0].Segment
	default:
		return "", ""
	}
	return id, fmt.Sprintf("the id of the first segment of entry %d", r.ID)
}

// Click selects an entry; a second click looks into it.
func (j *Screen) Click(_, y int) {
	if j.entry == nil && j.entries.Click(y-1) { // less the heads of the columns
		j.Act("look")
	}
}

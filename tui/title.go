package tui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
)

// titlePart is a piece of the title line. It is drawn whole, or cut to no less
// than least cells.
type titlePart struct {
	text  string
	ink   ink
	least int // 0: never cut
	wish  int // cells it gets before those worth less get any
	worth int // those with less are left out first
	cells int // it got; 0: left out
}

// titleLine says what is read: the verdict and who gave it, the score, the
// topic, the note, the length and the file.
func (a *App) titleLine(w int) string {
	if a.visiting() {
		return a.visitTitle(w)
	}
	s := a.list.selected()
	if s == nil {
		return strings.Repeat(" ", w)
	}
	mark, topicInk := " ", a.ink.muted
	if a.focus == onReader {
		mark, topicInk = a.ink.key.on(a.g.mark), a.ink.name
	}
	topic := clean.Line(head(s.Topic))
	if topic == "" {
		topic = a.title(s)
	}
	parts := []titlePart{
		{text: a.g.of(s) + " " + a.state(s), ink: a.ink.verdict(s), least: 20, wish: 44, worth: 9},
		{text: topic, ink: topicInk, least: 20, wish: 36, worth: 8},
		{text: plural(s.Messages, "message"), ink: a.ink.muted, worth: 3},
		{text: fileTitle(s), ink: a.ink.muted, worth: 2},
	}
	if s.Note != "" {
		note := titlePart{text: a.g.note + " " + clean.Line(head(s.Note)), ink: a.ink.warn, least: 16, wish: 48, worth: 7}
		parts = slices.Insert(parts, 2, note)
	}
	if len(s.Tags) > 0 {
		tags := titlePart{text: tagsText(s.Tags), ink: a.ink.key, least: 8, wish: 30, worth: 6}
		parts = slices.Insert(parts, len(parts)-2, tags)
	}
	if by := a.readBy(s); by != "" {
		parts = slices.Insert(parts, 1, titlePart{text: a.g.reader + " " + by, ink: a.ink.warn, least: 14, wish: 32, worth: 10})
	}
	if s.Score != nil {
		parts = slices.Insert(parts, 1, titlePart{text: scoreText(&a.ink, a.g, s.Score), worth: 5})
	}
	return mark + fit(a.joinTitle(parts, w-2), w-1, "")
}

// joinTitle joins the pieces that have room in w cells. First all that matter
// get their least width, then their wish, then come the others.
func (a *App) joinTitle(parts []titlePart, w int) string {
	dot := " " + a.g.dot + " "
	room := w + len(" . ") // the first one has none before it
	byWorth := make([]*titlePart, len(parts))
	for i := range parts {
		byWorth[i] = &parts[i]
	}
	slices.SortStableFunc(byWorth, func(p, q *titlePart) int { return cmp.Compare(q.worth, p.worth) })
	take := func(p *titlePart, n int) {
		if n+len(" . ") <= room {
			p.cells = n
			room -= n + len(" . ")
		}
	}
	grow := func(p *titlePart, to int) {
		if n := min(room, min(to, ansi.StringWidth(p.text))-p.cells); p.cells > 0 && n > 0 {
			p.cells += n
			room -= n
		}
	}
	for _, p := range byWorth {
		if p.least > 0 {
			take(p, min(p.least, ansi.StringWidth(p.text)))
		}
	}
	for _, p := range byWorth {
		grow(p, p.wish)
	}
	for _, p := range byWorth {
		if p.least == 0 {
			take(p, ansi.StringWidth(p.text))
		}
	}
	var drawn []string
	for i := range parts {
		if p := &parts[i]; p.cells > 0 {
			grow(p, 1<<20)
			drawn = append(drawn, p.ink.on(fit(p.text, p.cells, a.g.more)))
		}
	}
	return strings.Join(drawn, a.ink.muted.on(dot))
}

// state says in words what was decided on a segment.
func (a *App) state(s *review.Segment) string {
	switch {
	case s.Stale && s.Was != "":
		return "stale, " + a.was(s)
	case s.Stale:
		return "stale"
	case s.Verdict.Judged() && s.Reviewer != "":
		return string(s.Verdict) + " by " + clean.Line(head(s.Reviewer))
	case s.Verdict == "":
		return string(review.Pending)
	}
	return string(s.Verdict)
}

// was says what a stale segment's verdict was before its content changed.
func (a *App) was(s *review.Segment) string {
	text := "was " + string(s.Was)
	if s.WasBy != "" {
		text += " by " + clean.Line(head(s.WasBy))
	}
	if s.WasAt.IsZero() {
		return text
	}
	at := s.WasAt.In(a.zone)
	if at.Year() != a.now().In(a.zone).Year() {
		return text + at.Format(" on 2 Jan 2006")
	}
	return text + at.Format(" on 2 Jan")
}

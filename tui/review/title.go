package review

import (
	"cmp"
	"context"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// TitleLine says what is read: the verdict and who gave it, the topic, the note and
// the file; the score and the length, too, where no row of the list has them.
func (r *Room) TitleLine(w int) string {
	if r.Visiting() {
		return r.visitTitle(w)
	}
	s := r.List.Selected()
	if s == nil {
		return strings.Repeat(" ", w)
	}
	mark, topicInk := " ", r.Ink.Muted
	if r.Focus == OnReader {
		mark, topicInk = r.Ink.Key.On(r.G.Mark), r.Ink.Name
	}
	parts := []draw.TitlePart{{Text: r.G.State(s) + " " + r.State(s), Ink: r.Ink.Verdict(s), Least: 20, Wish: 44, Worth: 9}}
	if s.Score != nil && !r.Wide() { // else its row has it
		parts = append(parts, draw.TitlePart{Text: draw.Score(&r.Ink, r.G, s.Score), Worth: 5})
	}
	if by := r.readBy(s); by != "" {
		parts = append(parts, draw.TitlePart{Text: r.G.Reader + " " + by, Ink: r.Ink.Warn, Least: 14, Wish: 32, Worth: 10})
	}
	topic := cmp.Or(clean.Line(draw.Head(s.Topic)), r.Title(s))
	parts = append(parts, draw.TitlePart{Text: topic, Ink: topicInk, Least: 20, Wish: 36, Worth: 8})
	if s.Note != "" {
		parts = append(parts, draw.TitlePart{Text: r.G.Note + " " + clean.Line(draw.Head(s.Note)), Ink: r.Ink.Warn, Least: 16, Wish: 48, Worth: 7})
	}
	if len(s.Tags) > 0 {
		parts = append(parts, draw.TitlePart{Text: rows.TagsText(s.Tags), Ink: r.Ink.Key, Least: 8, Wish: 30, Worth: 6})
	}
	switch {
	case r.Sights != nil: // how much is left
		parts = append(parts, draw.TitlePart{Text: r.Sights.Text(s), Ink: r.Ink.Muted, Worth: 5})
	case !r.Wide():
		parts = append(parts, draw.TitlePart{Text: draw.Plural(s.Messages, "message"), Ink: r.Ink.Muted, Worth: 3})
	}
	parts = append(parts, draw.TitlePart{Text: rows.FileTitle(s), Ink: r.Ink.Muted, Worth: 2})
	return mark + draw.Fit(r.JoinTitle(parts, w-2), w-1, "")
}

// State says in words what was decided on a segment.
func (r *Room) State(s *review.Segment) string {
	switch {
	case s.Stale && s.Was != "":
		return "stale, " + r.was(s)
	case s.Stale:
		return "stale"
	case s.Verdict.Judged() && s.Reviewer != "":
		return string(s.Verdict) + " by " + clean.Line(draw.Head(s.Reviewer))
	}
	return string(cmp.Or(s.Verdict, review.Pending))
}

// was says what a stale segment's verdict was before its content changed.
func (r *Room) was(s *review.Segment) string {
	text := "was " + string(s.Was)
	if s.WasBy != "" {
		text += " by " + clean.Line(draw.Head(s.WasBy))
	}
	if s.WasAt.IsZero() {
		return text
	}
	at := s.WasAt.In(r.zone)
	if at.Year() != r.now().In(r.zone).Year() {
		return text + at.Format(" on 2 Jan 2006")
	}
	return text + at.Format(" on 2 Jan")
}

// loadTotals reads the counts of the header. If a verdict was given meanwhile, the
// next poll asks again, also if they were read after the write.
func (r *Room) loadTotals() tea.Cmd {
	epoch := r.writes.Epoch()
	return r.askNow(func(ctx context.Context, lib rows.Library) work.Show {
		t, err := lib.Totals(ctx)
		t.ByVerdict = maps.Clone(t.ByVerdict) // ours to change
		return Showing(func() {
			switch {
			case err != nil:
				r.Fail("counting", err)
			case epoch == r.writes.Epoch() && !r.writes.Writing():
				r.Totals = t
			default:
				r.app.Reread()
			}
		})
	})
}

// Title names a segment that has no topic: by its session's title, else by
// its file; a later part of a session by where it begins, too.
func (r *Room) Title(s *review.Segment) string {
	title := r.sessions.Title(s)
	if title == "" {
		title = rows.FileTitle(s)
	}
	if s.Start > 1 {
		title += " " + r.G.Dot + " from " + draw.Grouped(s.Start)
	}
	return title
}

const (
	// nameWidth is how much of a topic names its segment in a message.
	nameWidth = 24
	// nameBytes is more than those cells need.
	nameBytes = 40 * nameWidth
)

// NameOf names a segment as one sees it in the list: by the first words of its
// topic, and by its id, too, where another row begins with the same words.
func (r *Room) NameOf(s *review.Segment) string {
	words := r.firstWords(s)
	name := r.G.Quote + words + r.G.Unquote
	for i := range r.List.Rows {
		if o := &r.List.Rows[i]; o.ID != s.ID && r.firstWords(o) == words {
			return name + " " + s.Short()
		}
	}
	return name
}

func (r *Room) firstWords(s *review.Segment) string {
	text := clean.Line(s.Topic[:min(len(s.Topic), nameBytes)])
	if text == "" {
		text = r.Title(s)
	}
	return draw.CutWords(text, nameWidth, r.G.More)
}

// Remarks are who else reads or judged a segment, its earlier verdict, if it is
// stale, and its note.
func (r *Room) Remarks() []string {
	s := r.List.Selected()
	if s == nil {
		return nil
	}
	var parts []string
	if by := r.readBy(s); by != "" {
		parts = append(parts, by)
	}
	if r.judgedByOther(s) {
		parts = append(parts, r.State(s))
	}
	if s.Stale && s.Was != "" {
		parts = append(parts, r.was(s)+r.changeCounts(s))
	}
	if len(s.Tags) > 0 {
		parts = append(parts, draw.Cut(rows.TagsText(s.Tags), r.W/4, r.G.More))
	}
	if s.Note != "" {
		parts = append(parts, draw.Cut(clean.Line(draw.Head(s.Note)), r.W/3, r.G.More))
	}
	return parts
}

// Why tells in short what a segment's score is made of, in as many cells as
// there are. Beside the list the reader tells the score itself.
func (r *Room) Why(s *review.Segment, room int) string {
	if s == nil || s.Analysis == "" {
		return ""
	}
	text := "why:"
	if !r.Wide() {
		text = r.ScoreAndTask(s, r.List.Brief.Evidence) + " " + r.G.Dot + " " + text
	}
	for i, part := range r.List.Brief.Metrics {
		if i > 0 {
			part = r.G.Dot + " " + part
		}
		if ansi.StringWidth(text)+1+ansi.StringWidth(part) > room {
			if i == 0 {
				return ""
			}
			break
		}
		text += " " + part
	}
	return text
}

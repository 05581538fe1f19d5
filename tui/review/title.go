package review

import (
	"cmp"
	"strings"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
)

// TitleLine says what is read: the verdict and who gave it, the score, the
// topic, the note, the length and the file.
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
	if s.Score != nil {
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
	parts = append(parts,
		draw.TitlePart{Text: draw.Plural(s.Messages, "message"), Ink: r.Ink.Muted, Worth: 3},
		draw.TitlePart{Text: rows.FileTitle(s), Ink: r.Ink.Muted, Worth: 2})
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

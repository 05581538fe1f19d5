package review

import (
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
)

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
		parts = append(parts, ansi.Truncate(rows.TagsText(s.Tags), r.W/4, r.G.More))
	}
	if s.Note != "" {
		parts = append(parts, ansi.Truncate(clean.Line(draw.Head(s.Note)), r.W/3, r.G.More))
	}
	return parts
}

// Why tells in short what a segment's score is made of, in as many cells as
// there are.
func (r *Room) Why(s *review.Segment, room int) string {
	if s == nil || s.Analysis == "" {
		return ""
	}
	text := r.ScoreAndTask(s) + " why:"
	for i, part := range r.List.Brief.Metrics {
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

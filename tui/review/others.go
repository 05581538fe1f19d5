package review

import (
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/rows"
)

// judgedByOther reports whether somebody else gave a segment its verdict.
func (r *Room) judgedByOther(s *review.Segment) bool {
	return s.Verdict.Judged() && !s.Stale && s.Reviewer != "" && s.Reviewer != r.curator
}

// tells is what a row says after its topic where there is room, the longest
// text first: who else reads it, what it was, who else judged it.
func (r *Room) tells(s *review.Segment) ([]string, rows.Telling) {
	if o, ok := r.heldBy(s.ID); ok {
		return []string{r.readBy(s), ansi.Truncate(clean.Line(draw.Head(o.Curator)), reviewerWidth, r.G.More)}, rows.TellsReader
	}
	if r.judgedByOther(s) {
		name := ansi.Truncate(clean.Line(draw.Head(s.Reviewer)), reviewerWidth, r.G.More)
		return []string{string(s.Verdict) + " by " + name, "by " + name}, rows.TellsJudge
	}
	return r.wasTexts(s), rows.TellsWas
}

// tellJudged says that somebody else judged what is read, or took its verdict
// back.
func (r *Room) tellJudged(before *review.Segment) {
	s := r.List.Selected()
	if s == nil || s.ID != before.ID || r.Message.Failed {
		return
	}
	news := ""
	switch changed := s.Verdict != before.Verdict || !s.ReviewedAt.Equal(before.ReviewedAt); {
	case !changed || s.Stale != before.Stale:
		return
	case r.judgedByOther(s):
		news = clean.Line(draw.Head(s.Reviewer)) + " just said " + string(s.Verdict) + " on " + r.NameOf(s)
	case s.Verdict == review.Pending && before.Verdict.Judged():
		news = r.NameOf(s) + " was set back to pending"
	default:
		return // by this curator, in another window
	}
	r.Say(news)
}

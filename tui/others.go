package tui

import (
	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
)

// judgedByOther reports whether somebody else gave a segment its verdict.
func (a *App) judgedByOther(s *review.Segment) bool {
	return s.Verdict.Judged() && !s.Stale && s.Reviewer != "" && s.Reviewer != a.curator
}

// tells is what a row says behind its topic where there is room, the longest
// text first: who else reads it, what it was, who else judged it.
func (a *App) tells(s *review.Segment) ([]string, telling) {
	if o, ok := a.heldBy(s.ID); ok {
		return []string{a.readBy(s), ansi.Truncate(clean.Line(draw.Head(o.Curator)), reviewerWidth, a.G.More)}, tellsReader
	}
	if a.judgedByOther(s) {
		name := ansi.Truncate(clean.Line(draw.Head(s.Reviewer)), reviewerWidth, a.G.More)
		return []string{string(s.Verdict) + " by " + name, "by " + name}, tellsJudge
	}
	return a.wasTexts(s), tellsWas
}

// tellJudged says that somebody else judged what is read, or took its verdict
// back.
func (a *App) tellJudged(before *review.Segment) {
	s := a.list.Selected()
	if s == nil || s.ID != before.ID || a.message.failed {
		return
	}
	news := ""
	switch changed := s.Verdict != before.Verdict || !s.ReviewedAt.Equal(before.ReviewedAt); {
	case !changed || s.Stale != before.Stale:
		return
	case a.judgedByOther(s):
		news = clean.Line(draw.Head(s.Reviewer)) + " just said " + string(s.Verdict) + " on " + a.nameOf(s)
	case s.Verdict == review.Pending && before.Verdict.Judged():
		news = a.nameOf(s) + " was set back to pending"
	default:
		return // by this curator, in another window
	}
	a.say(news)
}

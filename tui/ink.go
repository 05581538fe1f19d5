package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/review"
	"winnow/themes"
)

// ink is a style taken apart into what stands before and behind a text. A
// frame colours some four hundred short texts: joining strings takes a tenth
// of what rendering each through lipgloss does.
type ink struct{ open, shut string }

func inkOf(s lipgloss.Style) ink {
	open, shut, _ := strings.Cut(s.Render("x"), "x")
	return ink{open, shut}
}

// on returns text in this ink; the text must hold no newline.
func (k ink) on(text string) string {
	if text == "" {
		return ""
	}
	return k.open + text + k.shut
}

// inks are the roles of a theme as far as list, header and footer use them.
type inks struct {
	text, muted, border, name, key    ink
	fail, warn, match                 ink
	approved, rejected, unsure, stale ink
	scoreLow, scoreMid, scoreHigh     ink
	assistant, system, tool           ink
}

func inksOf(s themes.Styles) inks {
	return inks{
		text: inkOf(s.Text), muted: inkOf(s.Muted), border: inkOf(s.Border),
		name: inkOf(s.Text.Bold(true)), key: inkOf(s.User),
		fail: inkOf(s.Error), warn: inkOf(s.Warning), match: inkOf(s.Match),
		approved: inkOf(s.Approved), rejected: inkOf(s.Rejected), unsure: inkOf(s.Unsure), stale: inkOf(s.Stale),
		scoreLow: inkOf(s.ScoreLow), scoreMid: inkOf(s.ScoreMid), scoreHigh: inkOf(s.ScoreHigh),
		assistant: inkOf(s.Assistant), system: inkOf(s.System), tool: inkOf(s.Tool),
	}
}

// selectedInksOf returns the inks of the selected row: the same colours on
// the background of the selection, its text in the selection's own.
func selectedInksOf(s themes.Styles) inks {
	reverse := s.Selection.GetReverse()
	bg := s.Selection.GetBackground()
	for _, role := range []*lipgloss.Style{
		&s.Muted, &s.Border, &s.User, &s.Error, &s.Warning, &s.Approved, &s.Rejected, &s.Unsure, &s.Stale,
		&s.ScoreLow, &s.ScoreMid, &s.ScoreHigh, &s.Assistant, &s.System, &s.Tool,
	} {
		if reverse { // which would make the roles' colours backgrounds
			*role = s.Selection
			continue
		}
		*role = role.Background(bg)
	}
	s.Text = s.Selection
	return inksOf(s)
}

// verdict returns the ink of a segment's state.
func (k *inks) verdict(s *review.Segment) ink {
	switch {
	case s.Stale:
		return k.stale
	case s.Verdict == review.Approved:
		return k.approved
	case s.Verdict == review.Rejected:
		return k.rejected
	case s.Verdict == review.Unsure:
		return k.unsure
	}
	return k.muted
}

// Scores below scoreMid are weak, those from scoreHigh on excellent: the bands
// of the statistics.
const (
	scoreMid  = 0.7
	scoreHigh = 0.85
)

func (k *inks) score(v float64) ink {
	switch {
	case v >= scoreHigh:
		return k.scoreHigh
	case v >= scoreMid:
		return k.scoreMid
	}
	return k.scoreLow
}

// fit cuts or fills text, which may hold styles, to exactly w cells.
func fit(text string, w int, more string) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(text)
	if n > w {
		text = ansi.Truncate(text, w, more)
		n = ansi.StringWidth(text)
	}
	return text + strings.Repeat(" ", max(0, w-n))
}

// right is fit with the text at the right end.
func right(text string, w int) string {
	n := ansi.StringWidth(text)
	if n > w {
		return fit(text, w, "")
	}
	return strings.Repeat(" ", w-n) + text
}

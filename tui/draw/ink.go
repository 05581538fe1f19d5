package draw

import (
	"strings"

	"charm.land/lipgloss/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/train"
	"winnow/themes"
)

// Ink is a style taken apart into what stands before and after a text. A
// frame colours some four hundred short texts: joining strings takes a tenth
// of what rendering each through lipgloss does.
type Ink struct{ open, shut string }

// InkOf takes a style apart.
func InkOf(s lipgloss.Style) Ink {
	open, shut, _ := strings.Cut(s.Render("x"), "x")
	return Ink{open, shut}
}

// On returns text in this ink; the text must hold no newline.
func (k Ink) On(text string) string {
	if text == "" {
		return ""
	}
	return k.open + text + k.shut
}

// Inks are the roles of a theme as far as list, header and footer use them.
type Inks struct {
	Text, Muted, Border, Name, Key    Ink
	Fail, Warn, Match                 Ink
	Approved, Rejected, Unsure, Stale Ink
	ScoreLow, ScoreMid, ScoreHigh     Ink
	Assistant, System, Tool           Ink
}

// InksOf returns the inks of a theme.
func InksOf(s themes.Styles) Inks { return inksOf(&s, s.Text, InkOf) }

// selectedInksOf returns the inks of the selected row: the same colours on
// the background of the selection, its text in the selection's own.
func selectedInksOf(s themes.Styles) Inks {
	return inksOf(&s, s.Selection, func(role lipgloss.Style) Ink {
		if s.Selection.GetReverse() { // which would make the roles' colours backgrounds
			return InkOf(s.Selection)
		}
		return InkOf(role.Background(s.Selection.GetBackground()))
	})
}

func inksOf(s *themes.Styles, text lipgloss.Style, of func(lipgloss.Style) Ink) Inks {
	return Inks{
		Text: InkOf(text), Name: InkOf(text.Bold(true)), Match: InkOf(s.Match),
		Muted: of(s.Muted), Border: of(s.Border), Key: of(s.User), Fail: of(s.Error), Warn: of(s.Warning),
		Approved: of(s.Approved), Rejected: of(s.Rejected), Unsure: of(s.Unsure), Stale: of(s.Stale),
		ScoreLow: of(s.ScoreLow), ScoreMid: of(s.ScoreMid), ScoreHigh: of(s.ScoreHigh),
		Assistant: of(s.Assistant), System: of(s.System), Tool: of(s.Tool),
	}
}

// TextInk and MutedInk are inks to be chosen when something is drawn.
func TextInk(k *Inks) Ink { return k.Text }

// MutedInk is TextInk for what matters less.
func MutedInk(k *Inks) Ink { return k.Muted }

// Verdict returns the ink of a segment's state.
func (k *Inks) Verdict(s *review.Segment) Ink {
	switch {
	case s.Stale:
		return k.Stale
	case s.Verdict == review.Approved:
		return k.Approved
	case s.Verdict == review.Rejected:
		return k.Rejected
	case s.Verdict == review.Unsure:
		return k.Unsure
	}
	return k.Muted
}

// Compression returns the ink of what became of a compression.
func (k *Inks) Compression(c review.Compression) Ink {
	switch c {
	case review.CompressionAccepted:
		return k.Approved
	case review.CompressionRejected:
		return k.Rejected
	case review.CompressionFailed:
		return k.Fail
	case review.CompressionOutdated:
		return k.Stale
	}
	return k.Key
}

// RunInk chooses the ink of what became of the run of a trainer.
func RunInk(s train.Status) func(*Inks) Ink {
	return func(k *Inks) Ink {
		switch s {
		case train.Failed, train.Lost:
			return k.Warn
		case train.Succeeded:
			return k.Approved
		case train.Cancelled:
			return k.Muted
		}
		return k.Key
	}
}

// Scores below ScoreMid are weak, those from ScoreHigh on excellent: the bands
// of the statistics.
const (
	ScoreMid  = 0.7
	ScoreHigh = 0.85
)

// Score returns the ink of a score.
func (k *Inks) Score(v float64) Ink {
	switch {
	case v >= ScoreHigh:
		return k.ScoreHigh
	case v >= ScoreMid:
		return k.ScoreMid
	}
	return k.ScoreLow
}

// Role returns the ink of a role.
func (k *Inks) Role(r chat.Role) Ink {
	switch r {
	case chat.User:
		return k.Key
	case chat.Assistant:
		return k.Assistant
	case chat.System:
		return k.System
	}
	return k.Tool
}

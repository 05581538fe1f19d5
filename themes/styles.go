package themes

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Styles are the roles of a theme, ready to render with. Every style has the
// foreground of its role; Selection and Match have a background too.
type Styles struct {
	// Name of the theme; Dark says whether it is made for dark backgrounds.
	Name string
	Dark bool
	// Own says that a file of the user made it, or changed it.
	Own bool
	// Background is what it was drawn for, nil for any.
	Background color.Color

	Text, Muted, Border, Selection    lipgloss.Style
	User, Assistant, System, Tool     lipgloss.Style
	Thinking, Code, Match             lipgloss.Style
	Error, Warning                    lipgloss.Style
	Approved, Rejected, Unsure, Stale lipgloss.Style
	ScoreLow, ScoreMid, ScoreHigh     lipgloss.Style

	sixteen *Styles // on a terminal with sixteen colours
}

// For says which terminals the theme is made for: "dark", "light" or "any".
func (s *Styles) For() string {
	switch {
	case s.Text.GetForeground() == lipgloss.NoColor{}:
		return "any"
	case s.Dark:
		return "dark"
	}
	return "light"
}

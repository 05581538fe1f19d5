package themes

import "charm.land/lipgloss/v2"

// Styles are the roles of a theme, ready to render with. Every style has the
// foreground of its role; Selection and Match have a background too.
type Styles struct {
	// Name of the theme; Dark says whether it is made for dark backgrounds.
	Name string
	Dark bool

	Text, Muted, Border, Selection    lipgloss.Style
	User, Assistant, System, Tool     lipgloss.Style
	Thinking, Code, Match             lipgloss.Style
	Error, Warning                    lipgloss.Style
	Approved, Rejected, Unsure, Stale lipgloss.Style
	ScoreLow, ScoreMid, ScoreHigh     lipgloss.Style
}

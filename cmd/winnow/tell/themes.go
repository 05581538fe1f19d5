package tell

import (
	"charm.land/lipgloss/v2"

	"winnow/themes"
)

// Theme is one line of "themes --json".
type Theme struct {
	Name   string `json:"name"`
	Dark   bool   `json:"dark"`   // made for dark backgrounds
	For    string `json:"for"`    // "dark", "light" or "any"
	Own    bool   `json:"own"`    // made or changed by a file of the user
	Chosen bool   `json:"chosen"` // by flag or configuration
}

// Cells returns what a table has of it.
func (r Theme) Cells() []string {
	cells := []string{r.Name, r.For + " terminals", "built-in", ""}
	if r.Own {
		cells[2] = "your file"
	}
	if r.Chosen {
		cells[3] = "chosen"
	}
	return cells
}

// ThemeSample is a line of words in the roles that they name.
func ThemeSample(s *themes.Styles) string {
	words := []struct {
		style lipgloss.Style
		text  string
	}{
		{s.User, "user"}, {s.Assistant, "assistant"}, {s.Tool, "tool"}, {s.Thinking, "thinking"}, {s.Code, "code"},
		{s.Approved, "✓"}, {s.Rejected, "✗"}, {s.Unsure, "◐"}, {s.Stale, "~"}, {s.Error, "error"}, {s.Muted, "muted"},
		{s.Selection, " selected "}, {s.Match, "match"},
	}
	space := s.Text.Background(s.Background)
	text := space.Render(" ")
	for _, word := range words {
		if _, none := word.style.GetBackground().(lipgloss.NoColor); none && s.Background != nil {
			word.style = word.style.Background(s.Background)
		}
		text += word.style.Render(word.text) + space.Render(" ")
	}
	return text
}

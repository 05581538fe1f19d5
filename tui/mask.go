package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
)

// toggleTrained switches the message under the cursor off for training, or on
// again.
func (a *App) toggleTrained() tea.Cmd {
	s, st := a.list.Selected(), a.reader.Status()
	place := []int{st.Number - s.Start + 1}
	j := review.Judgement{Curator: a.curator, IDs: []string{s.ID}, Seen: map[string]chat.Digest{s.ID: s.Digest}}
	name := "message " + draw.Grouped(st.Number)
	if s.Masks(st.Number) {
		j.MaskOn = place
		a.message = message{text: name + " is trained", undo: a.keyIn("undo", keys.InList) + " undo", short: name + ": on"}
	} else {
		j.MaskOff = place
		a.message = message{text: name + " is not trained", undo: a.keyIn("undo", keys.InList) + " undo", short: name + ": off"}
	}
	return a.apply(*s, j)
}

// noTraining says why the message under the cursor cannot be switched.
func (a *App) noTraining() string {
	if reason := a.noVerdict(); reason != "" {
		return reason
	}
	s, st := a.list.Selected(), a.reader.Status()
	switch {
	case a.opened.ID != s.ID || st.Number < s.Start || st.Number > s.End || st.Role == "":
		return "not loaded yet"
	case st.Role != chat.Assistant:
		return "not an assistant's"
	}
	return ""
}

// remark brings the training marks that the reader shows in line with the row.
func (a *App) remark(s *review.Segment) {
	if !slices.Equal(a.opened.Masked, s.Masked) {
		a.opened.Masked = s.Masked
		a.reader.SetMasked(s.Masked)
	}
}

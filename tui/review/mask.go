package review

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
func (r *Room) toggleTrained() tea.Cmd {
	s, st := r.List.Selected(), r.Reader.Status()
	place := []int{st.Number - s.Start + 1}
	j := review.Judgement{Curator: r.curator, IDs: []string{s.ID}, Seen: map[string]chat.Digest{s.ID: s.Digest}}
	is := "is not trained"
	if s.Masks(st.Number) {
		j.MaskOn, is = place, "is trained"
	} else {
		j.MaskOff = place
	}
	r.SayUndo("message "+draw.Grouped(st.Number)+" "+is, r.keys.Key("undo", keys.InList)+" undo")
	return r.apply(*s, j)
}

// noTraining says why it cannot be chosen whether the message under the cursor is
// trained, "" if it can.
func (r *Room) noTraining() string {
	if reason := r.NoVerdict(); reason != "" {
		return reason
	}
	s, st := r.List.Selected(), r.Reader.Status()
	switch {
	case r.Opened.ID != s.ID || st.Number < s.Start || st.Number > s.End:
		return "not loaded yet"
	}
	return st.NoTraining()
}

// remark brings the training marks that the reader shows in line with the row.
func (r *Room) remark(s *review.Segment) {
	if !slices.Equal(r.Opened.Masked, s.Masked) {
		r.Opened.Masked = s.Masked
		r.Reader.SetMasked(s.Masked)
	}
}

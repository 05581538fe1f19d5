package review

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/rows"
)

// AskFirst asks for the first rows: those where the curator left, or the top of
// the list.
func (r *Room) AskFirst() tea.Cmd {
	at := r.Resume
	if at.ID == "" || r.Filter.Finds {
		return r.Ask(rows.Request{Want: rows.WantStart})
	}
	return r.Ask(rows.Request{Want: rows.WantNear, Near: at, Resume: true, Keep: at.ID})
}

// resumed selects where the curator left: the segment, or what stands at its
// place.
func (r *Room) resumed(m *rows.Loaded) {
	w := &r.List
	if i := w.Index(m.Near.ID); i >= 0 {
		w.Pick(i)
	} else if len(m.Pages) == 2 {
		w.Pick(len(m.Pages[0].Segments))
	}
}

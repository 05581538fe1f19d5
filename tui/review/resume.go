package review

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// AskFirst asks for the first rows: those where the curator left, or the top of
// the list.
func (r *Room) AskFirst() tea.Cmd {
	at := r.Resume
	if at.ID == "" || r.Sieve.finds {
		return r.Ask(PageRequest{Want: WantStart})
	}
	return r.Ask(PageRequest{Want: wantNear, near: at, resume: true, keep: at.ID})
}

// resumed selects where the curator left: the segment, or what stands at its
// place.
func (r *Room) resumed(m *PagesLoaded) {
	w := &r.List
	if i := w.index(m.near.ID); i >= 0 {
		w.Pick(i)
	} else if len(m.Pages) == 2 {
		w.Pick(len(m.Pages[0].Segments))
	}
}

// whereLeft finds the place in the list where the curator left; ok is false if
// only its order by file could tell, and it is in another one.
func (m *PagesLoaded) whereLeft(ctx context.Context, lib Library) (ok bool) {
	if s, err := lib.Segment(ctx, m.near.ID); err == nil && s.ID == m.near.ID {
		m.near = review.CursorOf(m.query.Order, &s)
		return true
	}
	return m.query.Order == review.Natural
}

package review

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/work"
)

// RestAfter is how long the selection must stay until the reader opens what it
// passes over a list for: longer than a held key takes from one row to the next,
// and too short to be noticed.
const RestAfter = 50 * time.Millisecond

// resting is a selection that moves faster than one can read: what it passes
// over is neither fetched nor drawn.
type resting struct {
	id     string    // that was selected last
	moved  time.Time // when it was
	due    bool      // the timer runs
	rested string    // the selection when it was set
	off    bool      // what is selected is to be opened at once
}

// passes reports whether the selection only passes a segment that the reader
// does not show yet. A move after a rest, and what is no move, opens at once.
func (r *Room) passes(s *review.Segment) (bool, tea.Cmd) {
	p := &r.resting
	b := r.keys.Find(r.Key, r.app.Context())
	moved := s.ID != p.id
	fast := r.now().Sub(p.moved) < RestAfter
	if moved {
		p.id, p.moved = s.ID, r.now()
	}
	if p.off || !fast || r.Focus != OnList || r.landing.segment == s.ID || b == nil || !b.Moves() || r.Opened.ID == "" || r.Opened.ID == s.ID {
		p.off = false
		return false, nil
	}
	if p.due {
		return true, nil
	}
	p.due, p.rested = true, s.ID
	return true, r.after(RestAfter, work.Then(func() tea.Cmd {
		p.due, p.off = false, p.rested == r.readsNow() // else it gets its time anew
		return nil
	}))
}

// rest opens what is selected now: a key that is no move is meant for it.
func (r *Room) rest() tea.Cmd {
	if r.resting.id == r.Opened.ID || r.resting.id != r.readsNow() {
		return nil
	}
	r.resting.off = true
	cmd := r.openSelected()
	r.resting.off = false
	return cmd
}

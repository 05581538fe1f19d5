package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// restAfter is how long the selection must stay until the reader opens what it
// passes over a list for: longer than a held key takes from one row to the next,
// and too short to be noticed.
const restAfter = 50 * time.Millisecond

// resting is a selection that moves faster than one can read: what it passes
// over is neither fetched nor drawn.
type resting struct {
	id     string    // that was selected last
	moved  time.Time // when it was
	due    bool      // the timer runs
	rested string    // the selection when it was set
	off    bool      // what is selected is to be opened at once
}

// restDue says that the selection may have come to rest.
type restDue struct{}

// passes reports whether the selection only passes a segment that the reader
// does not show yet. A move after a rest, and what is no move, opens at once.
func (a *App) passes(s *review.Segment) (bool, tea.Cmd) {
	p := &a.resting
	b := a.keys.Find(a.key, a.context())
	moved := s.ID != p.id
	fast := a.now().Sub(p.moved) < restAfter
	if moved {
		p.id, p.moved = s.ID, a.now()
	}
	if p.off || !fast || a.focus != onList || a.landing.segment == s.ID || b == nil || !b.Moves() || a.opened.ID == "" || a.opened.ID == s.ID {
		p.off = false
		return false, nil
	}
	if p.due {
		return true, nil
	}
	p.due, p.rested = true, s.ID
	return true, a.after(restAfter, restDue{})
}

// tookRest has the selection opened, if it did not move meanwhile: else it gets
// its time anew.
func (a *App) tookRest() tea.Cmd {
	p := &a.resting
	p.due = false
	p.off = p.rested == a.readsNow()
	return nil
}

// rest opens what is selected now: a key that is no move is meant for it.
func (a *App) rest() tea.Cmd {
	if a.resting.id == a.opened.ID || a.resting.id != a.readsNow() {
		return nil
	}
	a.resting.off = true
	cmd := a.openSelected()
	a.resting.off = false
	return cmd
}

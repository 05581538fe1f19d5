package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
)

// pollEvery is how often the database is asked whether it changed: what a
// colleague does appears within a second, and an idle screen costs nothing
// that can be measured.
const pollEvery = 700 * time.Millisecond

// pollTick says that it is time to ask; polled answers.
type pollTick struct{}

type polled struct {
	version int64
	err     error
}

func poll(ctx context.Context, lib rows.Library) tea.Cmd {
	return func() tea.Msg {
		v, err := lib.Version(ctx)
		return polled{v, err}
	}
}

// handleVersion reads again what is shown if the database changed. The first
// version is read before the first rows, so that no change falls in between.
func (a *App) handleVersion(m polled) tea.Cmd {
	next := tea.Batch(a.work.Leisure(), a.Expected())
	if !a.polling {
		a.polling = true
		next = tea.Batch(next, a.opt.After(pollEvery, pollTick{}))
	}
	a.Stalled = false
	if a.List.Loose { // what it takes to collapse clusters may be read by now
		a.Reload = true
	}
	switch {
	case errors.Is(m.err, review.ErrGone):
		a.Message = screen.Message{Text: m.err.Error(), Failed: true}
		return next
	case m.err != nil:
		a.Fail("the database does not answer", m.err)
		if !a.Ready && !a.Asking {
			return tea.Batch(next, a.Nowhere())
		}
		return next
	case !a.Begun:
		a.Begun = true
		a.work.Changed()
		next = tea.Batch(next, a.AskFirst())
	case m.version == a.version:
		return next
	default:
		a.Reload = true
		a.ForgetTitles()
	}
	a.version = m.version
	a.Counts.Want = true
	a.work.Changed()
	return tea.Batch(next, a.LoadTotals(), a.Changed(), a.RenewVisits())
}

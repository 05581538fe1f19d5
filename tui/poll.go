package tui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// pollEvery is how often the database is asked whether it changed: what a
// colleague does appears within a second, and an idle screen costs nothing
// that can be measured.
const pollEvery = 700 * time.Millisecond

// pollTick says that it is time to ask.
type pollTick struct{}

// poll asks whether the database changed.
func (a *App) poll() tea.Cmd {
	ctx, lib := a.ctx, a.lib
	return func() tea.Msg {
		version, err := lib.Version(ctx)
		return work.Then(func() tea.Cmd { return a.handleVersion(version, err) })
	}
}

// handleVersion reads again what is shown if the database changed. The first
// version is read before the first rows, so that no change falls in between.
func (a *App) handleVersion(version int64, err error) tea.Cmd {
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
	case errors.Is(err, review.ErrGone):
		a.Message = screen.Message{Text: err.Error(), Failed: true}
		return next
	case err != nil:
		a.Fail("the database does not answer", err)
		if !a.Ready && !a.Asking {
			return tea.Batch(next, a.Nowhere())
		}
		return next
	case !a.Begun:
		a.Begun = true
		a.work.Changed()
		next = tea.Batch(next, a.AskFirst())
	case version == a.version:
		return next
	default:
		a.Reload = true
		a.ForgetTitles()
	}
	a.version = version
	a.Counts.Want = true
	a.work.Changed()
	a.Changed()
	return tea.Batch(next, a.LoadTotals(), a.RenewVisits())
}

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
	ctx, lib := a.Ctx, a.Lib
	return func() tea.Msg {
		version, err := lib.Version(ctx)
		return work.Then(func() tea.Cmd { return a.handleVersion(version, err) })
	}
}

// handleVersion reads again what is shown if the database changed. The first
// version is read before the first rows, so that no change falls in between.
func (a *App) handleVersion(version int64, err error) tea.Cmd {
	next := tea.Batch(a.work.Leisure(), a.TryAgain())
	if !a.polling {
		a.polling = true
		next = tea.Batch(next, a.opt.After(pollEvery, pollTick{}))
	}
	switch {
	case errors.Is(err, review.ErrGone):
		a.Message = screen.Message{Text: err.Error(), Failed: true}
		return next
	case err != nil:
		a.Fail("the database does not answer", err)
		return tea.Batch(next, a.NoAnswer())
	case version == a.version:
		return next
	}
	a.version = version
	a.work.Changed()
	a.Changed()
	return tea.Batch(next, a.Renew())
}

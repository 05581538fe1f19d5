package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/screen"
)

// move moves in whatever has the keys.
func (a *App) move(m keys.Motion) tea.Cmd {
	if s := a.top(); s != nil {
		s.Move(m)
		return nil
	}
	return a.MoveHere(m)
}

// back closes the innermost thing that is open.
func (a *App) back() tea.Cmd {
	if s := a.top(); s != nil {
		s.Back()
		return nil
	}
	if a.leadsToMemories() {
		a.Enter(keys.InMemories)
		return nil
	}
	if a.leadsToPipeline() {
		return a.backToPipeline()
	}
	return a.CloseInnermost()
}

// redraw reads everything again, for a screen that something else wrote on.
func (a *App) redraw() tea.Cmd {
	a.version = -1
	each(a, screen.Reloader.Reload)
	return tea.Batch(tea.ClearScreen, a.poll(), a.Forget())
}

// closeOrQuit is q where nothing is left to close but a find.
func (a *App) closeOrQuit() tea.Cmd {
	if a.NothingToClose() == "" {
		return a.back()
	}
	if cmd := a.EndRecheck(); cmd != nil {
		return cmd
	}
	return a.quit()
}

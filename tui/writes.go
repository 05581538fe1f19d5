package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/work"
)

// handleWrite takes what became of a write. If it failed, the screen stays to
// show it.
func (a *App) handleWrite(m work.Done) tea.Cmd {
	show, failed := a.writes.Take(m)
	if failed {
		a.leaving = false
	}
	if show == nil {
		return nil
	}
	return show()
}

package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/work"
)

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmd := tea.Batch(a.poll(), a.pollArrivals(), a.work.Begin(), a.Room.Init(), tea.RequestBackgroundColor)
	if a.opt.Offer && a.opt.Finder != nil {
		a.Enter(keys.InOffer)
	}
	return cmd
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	a.work.Look()
	cmd := a.handle(msg)
	if a.leaving && !a.writes.Open() && !a.Awaits() {
		return a, tea.Quit
	}
	cmd = tea.Batch(cmd, a.Seated(), a.Follow())
	also := a.also
	a.also = nil
	return a, tea.Batch(append(also, cmd)...)
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		return a.SetSize(m.Width, m.Height)
	case tea.BackgroundColorMsg:
		a.handleBackground(m)
	case tea.ColorProfileMsg:
		a.profile = m.Profile // the colours that the terminal has, or that may be shown
		a.setTheme(a.theme)
		a.followTerminal()
	case tea.KeyPressMsg:
		return a.TakeKey(m)
	case tea.MouseMsg:
		return a.pointed(m)
	case tea.PasteMsg:
		if a.field != nil {
			return a.field.Update(m)
		}
	case tea.ResumeMsg:
		a.ReadAgain()
		return tea.Batch(tea.ClearScreen, a.poll())
	case line.Found:
		m.Offer(a.field)
	case pollTick:
		a.polling = false
		return tea.Batch(a.poll(), a.PollClaims(), a.pollArrivals(), a.keepState())
	case work.Done:
		show, failed := a.writes.Take(m)
		if failed {
			a.leaving = false // the screen stays to show it
		}
		if show != nil {
			return show()
		}
	case work.Then:
		return m()
	default:
		if a.field != nil {
			return tea.Batch(a.field.Update(msg), a.Reader.Update(msg))
		}
		return a.Reader.Update(msg)
	}
	return nil
}

// Follow brings what depends on the state in line with it: the sizes, the
// rows needed next, their titles, and what the reader shows.
func (a *App) Follow() tea.Cmd {
	body := a.bodyHeight()
	if a.field != nil {
		a.field.Follow(body)
	}
	cmd := a.Room.Follow(body)
	a.followQuoted()
	a.followSeated()
	return tea.Batch(cmd, a.followSeen())
}

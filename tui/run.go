package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"winnow/tui/work"
)

// Run shows the screen until the curator leaves it or ctx ends. Verdicts that
// were given are written, and the job has ended, when it returns. It returns
// ErrSamples if the curator asked for the sample sessions.
func Run(ctx context.Context, o Options, opts ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := New(o)
	a.Ctx = ctx
	// Signals end ctx. Bubble Tea's own handler may wait for a program that has
	// ended already.
	opts = append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithFilter(a.filter), tea.WithoutSignalHandler()}, opts...)
	if o.NoColour {
		opts = append(opts, tea.WithColorProfile(colorprofile.ASCII))
	}
	_, err := tea.NewProgram(a, opts...).Run()
	outside := ctx.Err()
	cancel()
	lost := a.flush()
	a.leaveSeen()
	a.Release()
	a.leaveState()
	a.Reader.Close()
	a.work.Wait()
	switch {
	case lost != nil:
		return lost
	case outside != nil:
		return outside
	case err == nil && a.samples:
		return ErrSamples
	}
	return err
}

// filter keeps the program from ending with verdicts unwritten, whoever asks
// it to end.
func (a *App) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok && a.writes.Open() && !a.leaving {
		return work.Then(a.quit)
	}
	return msg
}

// quit leaves, at once or when the writes are done; asked again, at once.
func (a *App) quit() tea.Cmd {
	if a.leaving {
		a.writes.Drop()
		return tea.Quit
	}
	if !a.writes.Open() {
		return tea.Quit
	}
	a.leaving = true
	a.Say("saving; press again to leave at once, unsaved")
	return nil
}

// flush does the writes that are left when the screen has gone, and tells what
// could not be saved.
func (a *App) flush() error {
	ctx := context.WithoutCancel(a.Ctx)
	for ok := true; ok; {
		_, ok = a.writes.Do(ctx)
	}
	return a.writes.Lost()
}

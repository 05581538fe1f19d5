package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/themes"
)

// leave asks to quit; the writes under way are finished first.
type leave struct{}

// Run shows the screen until the curator leaves it or ctx ends. Verdicts that
// were given are written, and the job has ended, when it returns.
func Run(ctx context.Context, o Options, opts ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := New(o)
	a.ctx = ctx
	opts = append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithFilter(a.filter)}, opts...)
	_, err := tea.NewProgram(a, opts...).Run()
	outside := ctx.Err()
	cancel()
	a.flush()
	a.job.wait()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return nil // a way out like any other
	case outside != nil:
		return outside
	}
	return err
}

// filter keeps the program from ending with verdicts unwritten, whoever asks
// it to end.
func (a *App) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok && len(a.queue) > 0 && !a.leaving {
		return leave{}
	}
	return msg
}

// quit leaves, at once or when the writes are done; asked again, at once.
func (a *App) quit() tea.Cmd {
	if len(a.queue) == 0 || a.leaving {
		return tea.Quit
	}
	a.leaving = true
	a.say("saving; once more leaves at once")
	return nil
}

// flush finishes the writes after the screen was closed from outside.
func (a *App) flush() {
	a.inFlight.Wait()
	if a.leaving {
		return // left without waiting, as asked
	}
	for len(a.queue) > 1 { // the first one is done
		a.queue = a.queue[1:]
		a.queue[0].run(context.WithoutCancel(a.ctx), a.lib)
	}
}

// styles returns the theme in use.
func (a *App) styles() themes.Styles {
	if a.theme < len(a.themes) {
		return a.themes[a.theme]
	}
	return themes.Styles{}
}

// setTheme uses a theme by its index.
func (a *App) setTheme(i int) {
	a.theme = i
	s := a.styles()
	a.ink, a.sel = inksOf(s), selectedInksOf(s)
	a.reader.SetStyles(s)
	if a.field != nil {
		a.field.style(s)
	}
}

// setBackground picks the theme made for the background, unless one was
// asked for.
func (a *App) setBackground(dark bool) {
	if a.chosen {
		return
	}
	for i := range a.themes {
		if a.themes[i].Name == themes.ForBackground(dark) {
			a.setTheme(i)
		}
	}
}

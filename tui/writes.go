package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/work"
)

// enqueue appends a write and returns the command that does the next one. run
// does it and returns what is to be shown of it, whether it was done or not; id
// is the segment it changes, "" if that is not known.
func (r *Room) enqueue(id string, run func(context.Context, Library) (show work.Show, err error)) tea.Cmd {
	lib := r.lib
	return r.writes.Put(r.ctx, work.Write{ID: id, Run: func(ctx context.Context) (work.Show, error) { return run(ctx, lib) }})
}

// askAfter asks a question when all writes before it are done.
func (r *Room) askAfter(ask func(context.Context, Library) work.Show) tea.Cmd {
	lib := r.lib
	return r.writes.Ask(r.ctx, func(ctx context.Context) work.Show { return ask(ctx, lib) })
}

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

// showing is what is to be shown of a write that asks for nothing more.
func showing(show func()) work.Show {
	return func() tea.Cmd { show(); return nil }
}

// unlessNothing is the error of a write, if it is one: that there was nothing to
// be done is none.
func unlessNothing(err error) error {
	if errors.Is(err, review.ErrNothing) {
		return nil
	}
	return err
}

package review

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/work"
)

// Enqueue appends a write and returns the command that does the next one. run
// does it and returns what is to be shown of it, whether it was done or not; id
// is the segment it changes, "" if that is not known.
func (r *Room) Enqueue(id string, run func(context.Context, rows.Library) (show work.Show, err error)) tea.Cmd {
	lib := r.Lib
	return r.writes.Put(r.Ctx, work.Write{ID: id, Run: func(ctx context.Context) (work.Show, error) { return run(ctx, lib) }})
}

// askNow asks a question of the database; what it returns is done when the answer is
// there.
func (r *Room) askNow(ask func(context.Context, rows.Library) work.Show) tea.Cmd {
	ctx, lib := r.Ctx, r.Lib
	return func() tea.Msg { return work.Then(ask(ctx, lib)) }
}

// askAfter is askNow when all writes before it are done.
func (r *Room) askAfter(ask func(context.Context, rows.Library) work.Show) tea.Cmd {
	lib := r.Lib
	return r.writes.Ask(r.Ctx, func(ctx context.Context) work.Show { return ask(ctx, lib) })
}

// Showing is what is to be shown of a write or a question that asks for nothing more.
func Showing(show func()) work.Show {
	return func() tea.Cmd { show(); return nil }
}

// UnlessNothing is the error of a write, if it is one: that there was nothing to
// be done is none.
func UnlessNothing(err error) error {
	if errors.Is(err, review.ErrNothing) {
		return nil
	}
	return err
}

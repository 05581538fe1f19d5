package review

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// entryUndone answers the undo of an entry.
type entryUndone struct {
	id       int64
	segments []review.Segment // as they are now
	err      error
}

// UndoNumbered takes the entry of a number back.
func (r *Room) UndoNumbered(id int64) tea.Cmd {
	journal, curator := r.journal, r.Curator
	return r.Enqueue("", func(ctx context.Context, lib rows.Library) (work.Show, error) {
		entry, err := journal.UndoEntry(ctx, curator, id)
		m := entryUndone{id: id, err: err}
		for _, id := range entry.Touched(maxStepped) {
			if s, err := lib.Segment(ctx, id); err == nil {
				m.segments = append(m.segments, s)
			}
		}
		return func() tea.Cmd { return tea.Batch(r.handleEntryUndone(m), r.app.Changed()) }, err
	})
}

// handleEntryUndone shows what became of an undo.
func (r *Room) handleEntryUndone(m entryUndone) tea.Cmd {
	r.Reload = true
	switch {
	case errors.Is(m.err, review.ErrConflict):
		r.Message = screen.Message{Text: "not undone: " + m.err.Error(), Failed: true}
		return nil
	case m.err != nil:
		r.Fail("undo", m.err)
		return nil
	}
	for _, s := range m.segments {
		r.keepRow(s.ID)
		r.show(s)
	}
	r.SayUndo(fmt.Sprintf("entry %d undone", m.id), r.keyFor("redo")+" redo")
	return nil
}

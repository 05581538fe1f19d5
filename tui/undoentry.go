package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/work"
)

// entryUndone answers the undo of an entry.
type entryUndone struct {
	id       int64
	segments []review.Segment // as they are now
	err      error
}

// undoNumbered takes the entry of a number back.
func (a *App) undoNumbered(id int64) tea.Cmd {
	journal, curator := a.journalLib, a.curator
	return a.enqueue("", func(ctx context.Context, lib Library) (work.Show, error) {
		entry, err := journal.UndoEntry(ctx, curator, id)
		m := entryUndone{id: id, err: err}
		for _, id := range steppedOver(&entry) {
			if s, err := lib.Segment(ctx, id); err == nil {
				m.segments = append(m.segments, s)
			}
		}
		return func() tea.Cmd { return tea.Batch(a.handleEntryUndone(m), a.changedSeated()) }, err
	})
}

// handleEntryUndone shows what became of an undo.
func (a *App) handleEntryUndone(m entryUndone) tea.Cmd {
	a.reload = true
	switch {
	case errors.Is(m.err, review.ErrConflict):
		a.message = message{text: "not undone: " + m.err.Error(), failed: true}
		return nil
	case m.err != nil:
		a.fail("undo", m.err)
		return nil
	}
	for _, s := range m.segments {
		a.keepRow(s.ID)
		a.show(s)
	}
	a.sayUndo(fmt.Sprintf("entry %d undone", m.id), a.keyFor("redo")+" redo")
	return nil
}

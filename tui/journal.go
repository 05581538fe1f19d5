package tui

import (
	"context"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screens/journal"
)

// Journal tells what was done, and takes it back. Every method may take long and
// is called from commands only.
type Journal interface {
	journal.Library
	// UndoEntry takes an action of a curator back; review.ErrConflict, with the
	// reason, if it can't be.
	UndoEntry(ctx context.Context, curator string, entry int64) (review.Entry, error)
}

// forJournal is the program as the journal needs it.
type forJournal struct{ app *App }

func (p forJournal) Curator() string { return p.app.curator }

func (p forJournal) Selected() (id, name string) {
	if s := p.app.list.Selected(); s != nil {
		return s.ID, p.app.nameOf(s)
	}
	return "", ""
}

func (p forJournal) GoToSegment(id string) { p.app.also = append(p.app.also, p.app.gotoSegment(id, 0)) }

func (p forJournal) UndoEntry(id int64) { p.app.also = append(p.app.also, p.app.undoNumbered(id)) }

func (p forJournal) Redo() { p.app.also = append(p.app.also, p.app.step(true)()) }

func (p forJournal) KeyOfList(action string) string { return p.app.keyIn(action, keys.InList) }

func (p forJournal) WayBack() string { return p.app.keys.Esc(keys.InJournal) }

package tui

import (
	room "winnow/tui/review"
	"winnow/tui/screens/journal"
)

// Journal tells what was done, and takes it back.
type Journal interface {
	journal.Library
	room.Undoing
}

// forJournal is the program as the journal needs it.
type forJournal struct{ app *App }

func (p forJournal) Curator() string { return p.app.opt.Curator }

func (p forJournal) Selected() (id, name string) {
	if s := p.app.List.Selected(); s != nil {
		return s.ID, p.app.NameOf(s)
	}
	return "", ""
}

func (p forJournal) UndoEntry(id int64) { p.app.also = append(p.app.also, p.app.UndoNumbered(id)) }

func (p forJournal) Redo() { p.app.also = append(p.app.also, p.app.Step(true)) }

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
type forJournal struct{ *App }

func (p forJournal) Curator() string { return p.opt.Curator }

func (p forJournal) Selected() (id, name string) {
	if s := p.List.Selected(); s != nil {
		return s.ID, p.NameOf(s)
	}
	return "", ""
}

func (p forJournal) UndoEntry(id int64) { p.also = append(p.also, p.UndoNumbered(id)) }

func (p forJournal) Redo() { p.also = append(p.also, p.Step(true)) }

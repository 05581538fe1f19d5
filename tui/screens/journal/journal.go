package journal

import (
	"cmp"
	"context"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/list"
	"winnow/tui/screen"
)

// Library is what the journal needs of the database. Every method may take long and is
// called from commands only.
type Library interface {
	// JournalPage returns a page of what was done, the newest first.
	JournalPage(ctx context.Context, q review.JournalQuery) (review.JournalPage, error)
	// Changes returns a page of what an entry changed.
	Changes(ctx context.Context, q review.ChangeQuery) (review.ChangePage, error)
}

// Program is what the journal needs of the program.
type Program interface {
	// Curator is who works.
	Curator() string
	// Selected is the segment that is selected in the list, and how it is called;
	// "" for none.
	Selected() (id, name string)
	// UndoEntry takes an entry back, Redo does what was undone last. Both wait for
	// the writes that are under way.
	UndoEntry(id int64)
	Redo()
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
}

// Screen shows what was done, the newest first. It has two levels: the
// entries, and one of them with all that it changed.
type Screen struct {
	screen.Seat
	program       Program
	lib           Library
	width, height int // of the screen, in cells

	mine    bool   // only the curator's own
	segment string // only of this one, "" for all
	named   string // how it is called
	entries list.Paged[logRow, int64]
	entry   *entryView
}

// logRow is an entry with the names of its first segments.
type logRow struct {
	review.Logged
	names map[string]string // by id
}

// entryView is an entry that was opened.
type entryView struct {
	row     logRow
	changes list.Paged[review.NumberedChange, int]
}

// New opens the journal from its newest entry on.
func New(seat screen.Seat, program Program, lib Library) *Screen {
	j := &Screen{Seat: seat, program: program, lib: lib, entries: list.New(func(r *logRow) int64 { return r.ID })}
	j.entries.Sticks = true
	return j
}

// Rows returns the keys of the journal.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "go to the segment; if there are several, list all that the entry changed", "look", (*Screen).look, (*Screen).nothingLogged),
		screen.Key("u", "undo", "undo the entry, if it is yours and nothing newer depends on it", "undo", (*Screen).undo, (*Screen).noUndo),
		screen.Key("U", "redo", "redo what was undone last", "redo", (*Screen).redo, (*Screen).noRedo),
		screen.Key("m", "mine", "show only what you did, or what everybody did", "mine", (*Screen).toggleMine, (*Screen).noEntries),
		screen.Key("s", "of-segment", "show only what was done to the segment selected in the list, or to all", "segment", (*Screen).toggleOfSegment, (*Screen).noEntries),
		screen.Key("H", "list", "go back to the list from anywhere in the journal", "", (*Screen).Leave, nil),
		screen.Key("q esc", keys.Back, "go back: from an entry to all entries, then to the list", "back", (*Screen).Back, nil),
	}
}

// Back closes the innermost level.
func (j *Screen) Back() {
	if j.entry == nil {
		j.Leave()
		return
	}
	j.entry.changes.GiveUp()
	j.entry = nil
}

// look goes to the segment under the cursor, or shows all that an
// entry changed.
func (j *Screen) look() {
	if v := j.entry; v != nil {
		j.goTo(v.changes.Selected().Segment)
		return
	}
	row := *j.entries.Selected()
	if row.Count <= 1 {
		j.goTo(row.segment())
		return
	}
	j.entry = &entryView{row: row, changes: list.New(func(c *review.NumberedChange) int { return c.N })}
}

// goTo leaves the journal for a segment of the list.
func (j *Screen) goTo(id string) {
	if id == "" {
		j.Say("the entry names no segment")
		return
	}
	j.Leave()
	j.GoTo(id)
}

// segment is the id of the segment that an entry is about, "" for none.
func (r *logRow) segment() string {
	switch {
	case r.Recut != nil && len(r.Recut.After) > 0:
		return r.Recut.After[0].ID
	case len(r.Changes) > 0:
		return r.Changes[0].Segment
	case len(r.Proposals) > 0:
		return r.Proposals[0].Segment
	}
	return ""
}

func (j *Screen) toggleMine() {
	j.mine = !j.mine
	j.entries.Restart()
}

func (j *Screen) toggleOfSegment() {
	if j.segment != "" {
		j.segment = ""
	} else if id, name := j.program.Selected(); id != "" {
		j.segment, j.named = id, name
	} else {
		j.Say("no segment is selected in the list")
		return
	}
	j.entries.Restart()
}

// Move moves the cursor of the level that is open.
func (j *Screen) Move(m keys.Motion) {
	if v := j.entry; v != nil {
		v.changes.Move(m)
	} else {
		j.entries.Move(m)
	}
}

// undo takes the entry under the cursor back. It waits for its turn after the
// verdicts that are being written.
func (j *Screen) undo() {
	row := j.entries.Selected()
	if j.entry != nil {
		row = &j.entry.row
	}
	j.program.UndoEntry(row.ID)
}

func (j *Screen) redo() { j.program.Redo() }

// Why keys of the journal do nothing.

// noEntries says why all entries are not what the keys are for.
func (j *Screen) noEntries() string {
	if j.entry != nil {
		return "this is one entry: " + j.Key(keys.Back) + " goes back to all"
	}
	return ""
}

func (j *Screen) noUndo() string { return cmp.Or(j.program.NoChange(), j.nothingLogged()) }

func (j *Screen) noRedo() string { return j.program.NoChange() }

func (j *Screen) nothingLogged() string {
	switch {
	case j.entry != nil && j.entry.changes.Selected() == nil, !j.entries.Ready():
		return "loading"
	case j.entry == nil && j.entries.Selected() == nil:
		return "nothing was done yet"
	}
	return ""
}

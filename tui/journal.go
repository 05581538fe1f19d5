package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/list"
)

// Journal is what the journal screen needs. Every method may take long and is
// called from commands only.
type Journal interface {
	// JournalPage returns a page of what was done, the newest first.
	JournalPage(ctx context.Context, q review.JournalQuery) (review.JournalPage, error)
	// Changes returns a page of what an entry changed.
	Changes(ctx context.Context, q review.ChangeQuery) (review.ChangePage, error)
	// UndoEntry takes an action of a curator back; review.ErrConflict, with the
	// reason, if it can't be.
	UndoEntry(ctx context.Context, curator string, entry int64) (review.Entry, error)
}

// journalScreen shows what was done, the newest first. It has two levels: the
// entries, and one of them with all that it changed.
type journalScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc

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
	ctx     context.Context
	stop    context.CancelFunc
	changes list.Paged[review.NumberedChange, int]
}

func journalKeys() []keyRow {
	return []keyRow{
		keys.Key("H", "journal", "the journal: what was done, by whom and when; any of your own can be undone", "", keys.InSegment, (*App).openJournal, (*App).noJournal),
		keys.Key("enter", "look", "go to the segment; of several, all that the entry changed", "look", keys.InJournal, (*App).lookInJournal, (*App).nothingLogged),
		keys.Key("u", "undo", "undo the entry, if it is yours and nothing newer stands on it", "undo", keys.InJournal, (*App).undoEntry, (*App).nothingLogged),
		keys.Key("U", "redo", "redo what was undone last", "redo", keys.InJournal, with((*App).step, true), nil),
		keys.Key("m", "mine", "only what you did, or what anybody did", "mine", keys.InJournal, (*App).toggleMine, (*App).noEntries),
		keys.Key("s", "of-segment", "only what was done to the segment that is selected in the list, or to any", "segment", keys.InJournal, (*App).toggleOfSegment, (*App).noEntries),
		keys.Key("H", "list", "back to the list, from anywhere in the journal", "", keys.InJournal, (*App).leaveJournal, nil),
		keys.Key("q esc", keys.Back, "back: from an entry to all, to the list", "back", keys.InJournal, (*App).back, nil),
	}
}

// openJournal shows the journal from its newest entry on.
func (a *App) openJournal() tea.Cmd {
	j := &journalScreen{entries: list.New(func(r *logRow) int64 { return r.ID })}
	j.ctx, j.stop = context.WithCancel(a.ctx)
	a.journal = j
	return a.askEntries(list.Ask[int64]{Want: list.Start})
}

func (a *App) leaveJournal() tea.Cmd {
	a.journal.stop()
	a.journal = nil
	return nil
}

// backInJournal closes the innermost level.
func (a *App) backInJournal() {
	j := a.journal
	if j.entry == nil {
		a.leaveJournal()
		return
	}
	j.entry.stop()
	j.entry = nil
}

// lookInJournal goes to the segment under the cursor, or shows all that an
// entry changed.
func (a *App) lookInJournal() tea.Cmd {
	j := a.journal
	if v := j.entry; v != nil {
		return a.gotoLogged(v.changes.Selected().Segment)
	}
	row := *j.entries.Selected()
	if row.Count <= 1 {
		return a.gotoLogged(row.segment())
	}
	v := &entryView{row: row, changes: list.New(func(c *review.NumberedChange) int { return c.N })}
	v.ctx, v.stop = context.WithCancel(j.ctx)
	j.entry = v
	return a.askChangesOf(list.Ask[int]{Want: list.Start})
}

// gotoLogged leaves the journal for a segment of the list.
func (a *App) gotoLogged(id string) tea.Cmd {
	if id == "" {
		a.say("the entry is about no segment")
		return nil
	}
	a.leaveJournal()
	return a.gotoSegment(id, 0)
}

// segment is the id of the segment that an entry is about, "" for none.
func (r *logRow) segment() string {
	switch {
	case r.Recut != nil && len(r.Recut.After) > 0:
		return r.Recut.After[0].ID
	case len(r.Changes) > 0:
		return r.Changes[0].Segment
	}
	return ""
}

func (a *App) toggleMine() tea.Cmd {
	a.journal.mine = !a.journal.mine
	return a.askEntries(list.Ask[int64]{Want: list.Start})
}

func (a *App) toggleOfSegment() tea.Cmd {
	j := a.journal
	if j.segment != "" {
		j.segment = ""
	} else if s := a.list.Selected(); s != nil {
		j.segment, j.named = s.ID, a.nameOf(s)
	} else {
		a.say("no segment is selected in the list")
		return nil
	}
	return a.askEntries(list.Ask[int64]{Want: list.Start})
}

func (a *App) moveJournal(m keys.Motion) tea.Cmd {
	j := a.journal
	if v := j.entry; v != nil {
		if want, ok := v.changes.Move(m); !ok {
			return a.askChangesOf(list.Ask[int]{Want: want})
		}
		return nil
	}
	if want, ok := j.entries.Move(m); !ok {
		return a.askEntries(list.Ask[int64]{Want: want})
	}
	return nil
}

// entryUndone answers the undo of an entry.
type entryUndone struct {
	id       int64
	segments []review.Segment // as they are now
	err      error
}

func (m entryUndone) failure() error { return m.err }

// undoEntry takes the entry under the cursor back. It waits for its turn behind
// the verdicts that are being written.
func (a *App) undoEntry() tea.Cmd {
	j := a.journal
	row := j.entries.Selected()
	if j.entry != nil {
		row = &j.entry.row
	}
	return a.undoNumbered(row.ID)
}

// undoNumbered takes the entry of a number back.
func (a *App) undoNumbered(id int64) tea.Cmd {
	journal, curator := a.journalLib, a.curator
	return a.enqueue("", func(ctx context.Context, lib Library) outcome {
		entry, err := journal.UndoEntry(ctx, curator, id)
		m := entryUndone{id: id, err: err}
		for _, id := range steppedOver(&entry) {
			if s, err := lib.Segment(ctx, id); err == nil {
				m.segments = append(m.segments, s)
			}
		}
		return m
	})
}

// tookEntryUndone shows what became of an undo.
func (a *App) tookEntryUndone(m entryUndone) tea.Cmd {
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

// Why keys of the journal do nothing.

func (a *App) noJournal() string {
	if a.journalLib == nil {
		return "there is no journal here"
	}
	return ""
}

// noEntries says why all entries are not what the keys are for.
func (a *App) noEntries() string {
	if a.journal.entry != nil {
		return "this is one entry: " + a.keyFor(keys.Back) + " goes back to all"
	}
	return ""
}

func (a *App) nothingLogged() string {
	switch j := a.journal; {
	case j.entry != nil && j.entry.changes.Selected() == nil, !j.entries.Ready:
		return "loading"
	case j.entry == nil && j.entries.Selected() == nil:
		return "nothing was done yet"
	}
	return ""
}

package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
)

// openField begins to edit text.
func (a *App) openField(f line.Field, text string) tea.Cmd {
	for _, name := range []string{"keep", "drop"} {
		if key := a.keyIn(name, keys.InField); key != "" {
			f.Hint += "  " + key + " " + name
		}
	}
	f.Hint += " "
	a.field = &f
	return f.Open(text, a.w, a.styles())
}

// keepField ends the editing and uses the text.
func (a *App) keepField() tea.Cmd {
	f := a.field
	a.field = nil
	f.Away("")
	return f.Keep(f.Input.Value())
}

// dropField ends the editing; the text was not meant.
func (a *App) dropField() tea.Cmd {
	a.field.Away("")
	a.field = nil
	return nil
}

// putAway closes the field; what was typed is there again the next time.
func (a *App) putAway() tea.Cmd {
	f := a.field
	a.field = nil
	f.Away(f.Input.Value())
	return nil
}

// editNote opens the note of the selected segment.
func (a *App) editNote() tea.Cmd {
	s := a.list.Selected()
	if s == nil {
		return nil
	}
	row, name := *s, a.nameOf(s)
	away := func(text string) {
		before := clean.Line(row.Note)
		if text == "" {
			before = "" // nothing is no draft
		}
		if a.notes.Put(a.heirOf(row.ID), text, before) {
			a.say("note put away: " + a.keyIn("note", keys.InList) + " goes on with it")
		}
	}
	text, drafted := a.notes[row.ID]
	if !drafted {
		text = row.Note
	}
	return a.openField(line.Field{Label: "note " + name, Away: away, Keep: func(text string) tea.Cmd { return a.keepNote(row, name, text) }}, text)
}

// keepNote writes a note that differs from the one it was.
func (a *App) keepNote(row review.Segment, name, text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == clean.Line(row.Note) {
		a.say("note unchanged")
		return nil
	}
	if i := a.list.index(a.heirOf(row.ID)); i >= 0 {
		row = a.list.Rows[i] // others may have changed it while it was typed
	}
	if text == "" {
		a.sayUndo("note removed from "+name, a.keyIn("undo", keys.InList)+" undo")
	} else {
		a.sayUndo("note kept on "+name, a.keyIn("undo", keys.InList)+" undo")
	}
	return a.apply(row, review.Judgement{Curator: a.curator, IDs: []string{row.ID}, Note: &text})
}

// editFind opens the search of the reader. What was looked for last stands
// there until something is typed.
func (a *App) editFind() tea.Cmd {
	find := func(text string) tea.Cmd {
		if text == "" {
			text = a.lastFind
		}
		a.lastFind = text
		return a.find(func(s searched) tea.Cmd { return s.Find(text) })
	}
	away := func(text string) {
		if text != "" {
			a.lastFind = text
		}
	}
	cmd := a.openField(line.Field{Label: "find", Keep: find, Away: away}, "")
	a.field.Input.Placeholder = clean.Line(draw.Head(a.lastFind))
	return cmd
}

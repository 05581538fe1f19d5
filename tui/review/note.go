package review

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/review"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// editNote opens the note of the selected segment.
func (r *Room) editNote() tea.Cmd {
	s := r.List.Selected()
	if s == nil {
		return nil
	}
	row, name := *s, r.NameOf(s)
	away := func(text string) {
		before := clean.Line(row.Note)
		if text == "" {
			before = "" // nothing is no draft
		}
		if r.notes.Put(r.heirOf(row.ID), text, before) {
			r.Say("note put away: " + r.keys.Key("note", keys.InList) + " brings it back")
		}
	}
	text, drafted := r.notes[row.ID]
	if !drafted {
		text = row.Note
	}
	keep := func(text string) tea.Cmd { return r.keepNote(row, name, text) }
	return r.app.Type(screen.Line{Label: "note " + name, Text: text, Away: away}, keep)
}

// keepNote writes a note that differs from the one it was.
func (r *Room) keepNote(row review.Segment, name, text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == clean.Line(row.Note) {
		r.Say("note unchanged")
		return nil
	}
	if i := r.List.Index(r.heirOf(row.ID)); i >= 0 {
		row = r.List.Rows[i] // others may have changed it while it was typed
	}
	done := "note kept on "
	if text == "" {
		done = "note removed from "
	}
	r.SayUndo(done+name, r.keys.Key("undo", keys.InList)+" undo")
	return r.apply(row, review.Judgement{Curator: r.curator, IDs: []string{row.ID}, Note: &text})
}

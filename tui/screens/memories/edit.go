package memories

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
)

// edit has the words changed in the editor.
func (s *Screen) edit() {
	m := *s.rows.Selected()
	words := m.Words()
	drafts, begins := s.drafts, words.Sheet()
	s.opening.Ask(&s.Seat, func(context.Context) (o opened, err error) {
		if o.path, err = drafts.Write("memory.md", begins); err == nil {
			if o.cmd, err = drafts.Open(o.path); err != nil {
				drafts.Remove(o.path)
			}
		}
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			s.Fail("not changed", err)
			return
		}
		s.program.Exec(o.cmd, func(err error) func() {
			text, readErr := drafts.Read(o.path)
			if err == nil {
				err = readErr
			}
			return func() { s.wasEdited(m, o.path, begins, text, err) }
		})
	})
}

// wasEdited takes what an editor left. The file stays until it is kept.
func (s *Screen) wasEdited(m memory.Memory, path, begins, text string, err error) {
	drafts := s.drafts
	if err == nil && strings.TrimSpace(text) == strings.TrimSpace(begins) {
		s.Run(func() tea.Msg { drafts.Remove(path); return nil })
		s.Say("nothing changed: the text is as it was")
		return
	}
	var w memory.Words
	if err == nil {
		w, err = memory.ParseSheet(text)
	}
	if err != nil {
		s.Fail("not changed, the text is in "+s.ShortPath(path), err)
		return
	}
	s.writing = true
	ended := s.ended(false)
	s.program.Rewrite(m, w, func(err error) {
		if err == nil {
			drafts.Remove(path)
		}
		ended(err)
	})
}

package tui

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
)

// heirsKept bounds the segments whose heirs are remembered: those that were
// selected when they left.
const heirsKept = 256

// left is the selected segment, for the case that it leaves, and the message of
// it that is read.
type left struct {
	review.Segment
	at   int
	line int // of the screen
}

func (a *App) selection() left {
	s := a.list.Selected()
	if s == nil {
		return left{}
	}
	l := left{Segment: *s, at: s.Start, line: a.list.Cur - a.list.Top}
	if n := a.reader.Status().Number; a.opened.ID == s.ID && !a.visiting() && s.Start <= n && n <= s.End {
		l.at = n
	}
	return l
}

// heirFound brings the segment that holds a message of one that left.
type heirFound struct {
	of      string // id of the one that left
	instead string // id of the row that was selected in its place
	heir    review.Segment
}

// inherit selects the segment that holds the message that was read, if the
// segment it was read in has left.
func (a *App) inherit(l left) tea.Cmd {
	w := &a.list
	if l.ID == "" || w.index(l.ID) >= 0 {
		return nil
	}
	for i := range w.Rows {
		if s := &w.Rows[i]; holds(s, &l) {
			w.Cur, w.Top = i, max(0, i-l.line)
			w.Scroll()
			a.inherited(l.ID, s.ID)
			return nil
		}
	}
	s := w.Selected()
	if a.editor == nil || s == nil {
		return nil
	}
	m, at := heirFound{of: l.ID, instead: s.ID}, l.at
	ctx, editor, session := a.ctx, a.editor, l.SessionID
	return func() tea.Msg {
		m.heir = segmentWith(ctx, editor, session, at)
		return m
	}
}

func holds(s *review.Segment, l *left) bool {
	return s.SessionID == l.SessionID && s.Start <= l.at && l.at <= s.End
}

// tookHeir goes to a segment that stands far away in the list, unless the
// curator has gone on.
func (a *App) tookHeir(m heirFound) tea.Cmd {
	if m.heir.ID == "" {
		return nil
	}
	a.inherited(m.of, m.heir.ID)
	if s := a.list.Selected(); s == nil || s.ID != m.instead || a.wait.finding {
		return nil
	}
	if a.wait.instead == m.instead {
		a.wait.instead = m.heir.ID
	}
	return a.goTo(&m.heir, "")
}

// goToHeir goes to the segment that took the place of one that an entry changed
// and that was cut anew before it could be read; to the next one if that is not
// known. Keys wait for it.
func (a *App) goToHeir(e *review.Entry) tea.Cmd {
	for _, c := range e.Changes {
		i := a.list.index(a.heirOf(c.Segment))
		if i < 0 || a.editor == nil {
			continue
		}
		ctx, editor, s := a.ctx, a.editor, a.list.Rows[i]
		return func() tea.Msg {
			return segmentFound{id: s.ID, segment: segmentWith(ctx, editor, s.SessionID, s.Start)}
		}
	}
	return a.goOn(false)
}

// inherited hands on what was typed and opened in a segment that left.
func (a *App) inherited(from, to string) {
	if len(a.heirs) >= heirsKept || a.heirs == nil {
		a.heirs = map[string]string{}
	}
	a.heirs[from] = to
	a.notes.Inherit(from, to)
	a.tagDrafts.Inherit(from, to)
	if a.visitFrom == from {
		a.visitFrom = to
	}
}

// heirOf returns the id of the segment that took the place of another one, or
// that one's.
func (a *App) heirOf(id string) string {
	for range heirsKept {
		next, ok := a.heirs[id]
		if !ok {
			break
		}
		id = next
	}
	return id
}

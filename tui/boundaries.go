package tui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	room "winnow/tui/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/boundaries"
	"winnow/tui/work"
)

// boundaryLibrary is the database as the boundaries need it.
type boundaryLibrary struct {
	rows.Library
	room.Editor
	g *draw.Glyphs
}

// Title implements boundaries.Library.
func (l boundaryLibrary) Title(ctx context.Context, session string) (string, error) {
	s, err := l.Session(ctx, session)
	return rows.TitleOf(l.g, &s), err
}

// openBoundaries shows the boundaries of the session that is looked at, from
// the message on that is read.
func (a *App) openBoundaries(seat screen.Seat) *boundaries.Screen {
	s := a.List.Selected()
	session, at := s.SessionID, s.Start
	if a.Focus == room.OnReader {
		if a.Visiting() {
			session, at = a.Opened.SessionID, 1
		}
		if n := a.Reader.Status().Number; n > 0 {
			at = n
		}
	}
	return boundaries.New(seat, forBoundaries{a}, boundaryLibrary{a.Lib, a.opt.Editor, a.G}, session, at)
}

func (a *App) noBoundaries() string {
	return cmp.Or(keys.Reason(a.opt.Editor == nil, "segments cannot be cut here"), a.NoSegment())
}

// forBoundaries is the program as the boundaries need it.
type forBoundaries struct{ app *App }

func (p forBoundaries) KeyOfList(action string) string { return p.app.keyIn(action, keys.InList) }

func (p forBoundaries) WayBack() string { return p.app.keys.Esc(keys.InBoundaries) }

func (p forBoundaries) Presses() int { return p.app.Presses }

func (p forBoundaries) FileTitle(s *review.Segment) string { return rows.FileTitle(s) }

func (p forBoundaries) State(s *review.Segment) string { return p.app.State(s) }

// recut answers a draft that was to be kept.
type recut struct {
	boundaries.Cut
	of      *seated // the screen that it came from
	effects string
	segment review.Segment // the one that holds the message under the cursor now
	err     error
}

// Keep has a cut written. The keys that follow are meant for the segment that
// holds the message under the cursor.
func (p forBoundaries) Keep(c boundaries.Cut, effects string) {
	a := p.app
	editor, m := a.opt.Editor, recut{Cut: c, of: a.in(keys.InBoundaries), effects: effects}
	r := room.Recut{Session: c.Session, Known: c.Known, Pieces: c.Pieces, Curator: a.opt.Curator, Action: c.Action}
	a.Await()
	a.also = append(a.also, a.Enqueue("", func(ctx context.Context, _ rows.Library) (work.Show, error) {
		if _, m.err = editor.Recut(ctx, r); m.err == nil {
			m.segment = room.SegmentWith(ctx, editor, r.Session, m.At)
		}
		return func() tea.Cmd { return a.handleRecut(m) }, room.UnlessNothing(m.err)
	}))
}

// recutWords say what was done.
var recutWords = map[review.Action]string{
	review.ActSplit: "split", review.ActMerge: "merge", review.ActMove: "boundary moved",
	review.ActTopic: "topic", review.ActCut: "cut",
}

// handleRecut goes back to the list, to the segment that holds the message that
// was under the cursor, and has the new segments scored: a filter by scores
// leaves out what has none. If somebody else was faster, the draft stays.
func (a *App) handleRecut(m recut) tea.Cmd {
	if a.in(keys.InBoundaries) != m.of {
		return a.Arrived()
	}
	refused := func(conflict bool) tea.Cmd {
		m.of.Layer.(*boundaries.Screen).Refused(conflict)
		return a.Nowhere()
	}
	switch {
	case errors.Is(m.err, review.ErrConflict):
		a.Message = screen.Message{Text: "not kept: the session changed", Failed: true}
		return refused(true)
	case errors.Is(m.err, review.ErrNothing):
		m.of.Leave()
		a.Say("no boundary was changed")
		return a.Arrived()
	case m.err != nil:
		a.Fail("not kept", m.err)
		return refused(false)
	}
	m.of.Leave()
	a.ReadAgain()
	text := recutWords[m.Action] + " kept"
	if m.effects != "" {
		text += ": " + m.effects
	}
	a.SayUndo(text, a.keyIn("undo", keys.InList)+" undo")
	if m.segment.ID == "" {
		return tea.Batch(a.Nowhere(), a.work.Score())
	}
	a.LandAt(m.segment.ID, m.At)
	return tea.Batch(a.GoTo(&m.segment, ""), a.work.Score())
}

package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/screens/boundaries"
	"winnow/tui/work"
)

// Editor changes where the segments of a session begin and end. Every method
// may take long and is called from commands only.
type Editor interface {
	// SegmentsOf returns all segments of a session in order.
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
	// Recut gives a session other segments, as one entry of the journal.
	Recut(ctx context.Context, r Recut) (review.Entry, error)
	// Propose returns where a machine would cut a session. Nothing is
	// written, and nothing leaves this computer.
	Propose(ctx context.Context, session string) ([]segment.Cut, error)
}

// Recut is a new cut of a session by a curator's hands.
type Recut struct {
	Session string           // id
	Known   []review.Segment // the segments it was made of: if they changed since, it is a review.ErrConflict
	Pieces  []segment.Piece  // all segments as they are to be
	Curator string
	Action  review.Action
}

// boundaryLibrary is the database as the boundaries need it.
type boundaryLibrary struct {
	Library
	Editor
	g *draw.Glyphs
}

// Title implements boundaries.Library.
func (l boundaryLibrary) Title(ctx context.Context, session string) (string, error) {
	s, err := l.Session(ctx, session)
	return titleOf(l.g, &s), err
}

// openBoundaries shows the boundaries of the session that is looked at, from
// the message on that is read.
func (a *App) openBoundaries(seat screen.Seat) *boundaries.Screen {
	s := a.list.Selected()
	session, at := s.SessionID, s.Start
	if a.focus == onReader {
		if a.visiting() {
			session, at = a.visits[len(a.visits)-1].seg.SessionID, 1
		}
		if n := a.reader.Status().Number; n > 0 {
			at = n
		}
	}
	return boundaries.New(seat, forBoundaries{a}, boundaryLibrary{a.lib, a.editor, a.G}, session, at)
}

func (a *App) noBoundaries() string {
	if a.editor == nil {
		return "nothing can be cut here"
	}
	return a.noSegment()
}

// forBoundaries is the program as the boundaries need it.
type forBoundaries struct{ app *App }

func (p forBoundaries) KeyOfList(action string) string { return p.app.keyIn(action, keys.InList) }

func (p forBoundaries) WayBack() string { return p.app.keys.Esc(keys.InBoundaries) }

func (p forBoundaries) Presses() int { return p.app.presses }

func (p forBoundaries) FileTitle(s *review.Segment) string { return fileTitle(s) }

func (p forBoundaries) State(s *review.Segment) string { return p.app.state(s) }

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
	editor, m := a.editor, recut{Cut: c, of: a.in(keys.InBoundaries), effects: effects}
	r := Recut{c.Session, c.Known, c.Pieces, a.curator, c.Action}
	a.wait.finding = true
	a.also = append(a.also, a.enqueue("", func(ctx context.Context, _ Library) (work.Show, error) {
		if _, m.err = editor.Recut(ctx, r); m.err == nil {
			m.segment = segmentWith(ctx, editor, r.Session, m.At)
		}
		return func() tea.Cmd { return a.handleRecut(m) }, unlessNothing(m.err)
	}))
}

// segmentWith returns the segment that holds a message, zero if it is not
// there: what was kept stays kept whether it can be shown or not.
func segmentWith(ctx context.Context, editor Editor, session string, at int) review.Segment {
	rows, err := editor.SegmentsOf(ctx, session)
	i := slices.IndexFunc(rows, func(s review.Segment) bool { return s.Start <= at && at <= s.End })
	if err != nil || i < 0 {
		return review.Segment{}
	}
	return rows[i]
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
		return a.arrived()
	}
	refused := func(conflict bool) tea.Cmd {
		return tea.Batch(a.nowhere(), m.of.asked(m.of.Update(boundaries.Refused{Changed: conflict})))
	}
	switch {
	case errors.Is(m.err, review.ErrConflict):
		a.Message = screen.Message{Text: "not kept: the session changed", Failed: true}
		return refused(true)
	case errors.Is(m.err, review.ErrNothing):
		m.of.Leave()
		a.Say("no boundary was changed")
		return a.arrived()
	case m.err != nil:
		a.Fail("not kept", m.err)
		return refused(false)
	}
	m.of.Leave()
	a.reload = true
	text := recutWords[m.Action] + " kept"
	if m.effects != "" {
		text += ": " + m.effects
	}
	a.SayUndo(text, a.keyIn("undo", keys.InList)+" undo")
	if m.segment.ID == "" {
		return tea.Batch(a.nowhere(), a.work.Score())
	}
	a.landing = landing{m.segment.ID, m.At}
	return tea.Batch(a.goTo(&m.segment, ""), a.work.Score())
}

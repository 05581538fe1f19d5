package tui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/reader"
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
	g        *draw.Glyphs
	recorded reader.Edits
}

// RecordedMessages implements boundaries.Recorder.
func (l boundaryLibrary) RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error) {
	if l.recorded == nil {
		return nil, nil
	}
	return l.recorded.RecordedMessages(ctx, body, from, to)
}

// Name implements boundaries.Library.
func (l boundaryLibrary) Name(ctx context.Context, session string) (title, folder string, err error) {
	s, err := l.Session(ctx, session)
	return rows.TitleOf(l.g, &s), s.Dir, err
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
	return boundaries.New(seat, forBoundaries{a}, boundaryLibrary{a.Lib, a.opt.Editor, a.G, a.opt.Edited}, session, at)
}

func (a *App) noBoundaries() string {
	return cmp.Or(keys.Reason(a.opt.Editor == nil, "segments cannot be cut here"), a.NoSegment())
}

// forBoundaries is the program as the boundaries need it.
type forBoundaries struct{ *App }

func (p forBoundaries) Presses() int { return p.App.Presses }

func (p forBoundaries) FileTitle(s *review.Segment) string { return rows.FileTitle(s) }

// Keep has a cut written. The keys that follow are meant for the segment that
// holds the message under the cursor.
func (p forBoundaries) Keep(c boundaries.Cut, effects string) {
	a := p.App
	editor, of := a.opt.Editor, a.in(keys.InBoundaries)
	r := room.Recut{Session: c.Session, Known: c.Known, Pieces: c.Pieces, Curator: a.opt.Curator, Action: c.Action}
	a.Await()
	a.also = append(a.also, a.Enqueue("", func(ctx context.Context, _ rows.Library) (work.Show, error) {
		if _, err := editor.Recut(ctx, r); err != nil {
			return func() tea.Cmd { return a.notRecut(of, err) }, room.UnlessNothing(err)
		}
		segment := room.SegmentWith(ctx, editor, r.Session, c.At)
		return func() tea.Cmd { return a.recut(of, c, effects, segment) }, nil
	}))
}

// recutWords say what was done.
var recutWords = map[review.Action]string{
	review.ActSplit: "split", review.ActMerge: "merge", review.ActMove: "boundary moved",
	review.ActTopic: "topic", review.ActCut: "cut",
}

// notRecut says why a draft was not kept. If somebody else was faster, it stays on
// its screen.
func (a *App) notRecut(of *seated, err error) tea.Cmd {
	conflict := errors.Is(err, review.ErrConflict)
	switch {
	case !of.open():
		return a.Arrived()
	case errors.Is(err, review.ErrNothing):
		of.Leave()
		a.Say("no boundary was changed")
		return a.Arrived()
	case conflict:
		a.Message = screen.Message{Text: "not kept: the session changed", Failed: true}
	default:
		a.Fail("not kept", err)
	}
	of.Layer.(*boundaries.Screen).Refused(conflict)
	return a.Nowhere()
}

// recut goes back to the list, to the segment that holds the message that was under
// the cursor, and has the new segments scored: a filter by scores leaves out what has
// none.
func (a *App) recut(of *seated, c boundaries.Cut, effects string, segment review.Segment) tea.Cmd {
	if !of.open() {
		return a.Arrived()
	}
	of.Leave()
	a.ReadAgain()
	text := recutWords[c.Action] + " kept"
	if effects != "" {
		text += ": " + effects
	}
	a.SayUndo(text, a.keyIn("undo", keys.InList)+" undo")
	if segment.ID == "" {
		return tea.Batch(a.Nowhere(), a.work.Score())
	}
	a.LandAt(segment.ID, c.At)
	return tea.Batch(a.GoTo(&segment, ""), a.work.Score())
}

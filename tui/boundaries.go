package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/keys"
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

// boundaryScreen shows a whole session, one line for each message, and where
// its segments begin. What a curator changes stays in a draft until it is kept.
type boundaryScreen struct {
	ctx  context.Context // ends with the screen
	stop context.CancelFunc
	seq  int // number of the last question

	session string
	title   string
	rows    []review.Segment // as they are stored: what the draft was made of
	asked   int              // number of the question for rows under way, 0 for none
	failed  error            // why they could not be read

	draft   *segment.Draft
	edits   []edit        // of the draft, in order
	bands   []segment.Row // the segments as they would be, in order
	effects string        // what the draft does to what was decided
	// harmless says that this is nothing.
	harmless bool
	topics   map[int]string // put away half-typed, by the message
	sure     int            // the key with which throwing the changes away was asked for
	keeping  bool           // the draft is being written
	refused  bool           // it was not: the session had changed
	// lost says that the stored segments are not those of the draft any
	// more, and that its changes do not fit them.
	lost bool

	cur    int // message under the cursor
	top    int // first line on the screen, see lineOf
	height int // lines of messages on the screen
	width  int
	placed bool // the first rows have been brought on the screen

	texts   lineTexts
	machine machineCut
}

// messages is the number of messages of the session.
func (b *boundaryScreen) messages() int {
	if len(b.bands) == 0 {
		return 0
	}
	return b.bands[len(b.bands)-1].End
}

// openBoundaries shows the boundaries of the session that is looked at, from
// the message on that is read.
func (a *App) openBoundaries() tea.Cmd {
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
	b := &boundaryScreen{session: session, cur: at}
	b.ctx, b.stop = context.WithCancel(a.ctx)
	a.boundaries = b
	return a.askBoundaries()
}

func (a *App) closeBoundaries() {
	a.boundaries.stop()
	a.boundaries = nil
}

// backFromBoundaries goes back to list or reader. Changes are thrown away by
// the second key only.
func (a *App) backFromBoundaries() {
	b := a.boundaries
	if b.draft == nil || !b.draft.Changed() || b.sure == a.presses-1 {
		a.closeBoundaries()
		return
	}
	b.sure = a.presses
	a.say(a.keys.Esc(keys.InBoundaries) + " again throws the changes away")
}

// moveBoundaries moves the cursor.
func (a *App) moveBoundaries(m keys.Motion) {
	b := a.boundaries
	page := max(1, b.height-2) // the header on top, and one line stays in sight
	switch m {
	case keys.ToStart:
		b.cur = 1
	case keys.ToEnd:
		b.cur = b.messages()
	default:
		b.cur += map[keys.Motion]int{
			keys.LineDown: 1, keys.LineUp: -1, keys.HalfDown: max(1, page/2), keys.HalfUp: -max(1, page/2), keys.PageDown: page, keys.PageUp: -page,
		}[m]
	}
	b.scroll()
}

// nextBoundary goes to the beginning of the segment below, or above. While the
// machine's cut is shown, to one of its boundaries, too.
func (a *App) nextBoundary(by int) func() tea.Cmd {
	return func() tea.Cmd {
		b := a.boundaries
		to := b.startFrom(by)
		if m := b.machine.startFrom(b.cur, by); m > 0 && (to == 0 || (m-to)*by < 0) {
			to = m
		}
		switch {
		case to > 0:
			b.cur = to
			b.scroll()
		case by > 0:
			a.say("no further boundary")
		default:
			a.say("the session begins here")
		}
		return nil
	}
}

// startFrom returns where the next segment begins, below or above the cursor;
// 0 for nowhere.
func (b *boundaryScreen) startFrom(by int) int {
	i := b.bandAt(b.cur)
	switch {
	case by > 0:
		i++
	case b.bands[i].Start == b.cur:
		i--
	}
	if i < 0 || i >= len(b.bands) {
		return 0
	}
	return b.bands[i].Start
}

// failBoundaries says what could not be done. What was given up is no failure.
func (a *App) failBoundaries(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		a.fail(what, err)
	}
}

// Why keys of the boundaries do nothing.

func (a *App) noBoundaries() string {
	if a.editor == nil {
		return "nothing can be cut here"
	}
	return a.noSegment()
}

// noDraft says why nothing can be changed, or looked at, now.
func (a *App) noDraft() string {
	switch b := a.boundaries; {
	case b.failed != nil:
		return "the segments could not be read: " + a.keyFor(keys.Reload) + " tries again"
	case len(b.bands) == 0:
		return "loading"
	}
	return ""
}

// noEdit says why the draft can't be changed.
func (a *App) noEdit() string {
	if reason := a.noDraft(); reason != "" {
		return reason
	}
	if a.boundaries.lost {
		return "the session was cut otherwise meanwhile: " + a.keyFor(keys.Reload) + " shows it, without your changes"
	}
	return ""
}

func (a *App) noDraftUndo() string {
	if reason := a.noDraft(); reason != "" {
		return reason
	}
	if len(a.boundaries.edits) == 0 {
		return "nothing is changed yet; in the list, " + a.keyIn("undo", keys.InList) + " undoes what was kept"
	}
	return ""
}

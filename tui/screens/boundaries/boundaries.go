package boundaries

import (
	"cmp"
	"context"

	"winnow/core/chat"
	"winnow/core/review"
	"winnow/core/segment"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library is what the boundaries need of the database. Every method may take long
// and is called from commands only.
type Library interface {
	// SegmentsOf returns all segments of a session in order.
	SegmentsOf(ctx context.Context, session string) ([]review.Segment, error)
	// Propose returns where a machine would cut a session. Nothing is
	// written, and nothing leaves this computer.
	Propose(ctx context.Context, session string) ([]segment.Cut, error)
	// Name is what a session is called, safe to be shown, and the folder that it
	// worked in, "" if that is not known.
	Name(ctx context.Context, session string) (title, folder string, err error)
	// Heads and Messages return messages of a body by their numbers.
	Heads(ctx context.Context, body int64, from, to int) ([]review.Head, error)
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
}

// Program is what the boundaries need of the program.
type Program interface {
	// Presses counts the keys that were pressed.
	Presses() int
	// FileTitle names a segment by its file, State says what was decided on it.
	FileTitle(*review.Segment) string
	State(*review.Segment) string
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
	// Keep has a cut written, and goes to the segment that holds the message under
	// the cursor. effects are told besides. If it can't be written, the screen gets
	// Refused.
	Keep(c Cut, effects string)
}

// Cut is a new cut of a session.
type Cut struct {
	Session string           // id
	Known   []review.Segment // the segments it was made of: if they changed since, it is refused
	Pieces  []segment.Piece  // all segments as they are to be
	Action  review.Action
	At      int // message under the cursor
}

// Screen shows a whole session, one line for each message, and where its segments
// begin. What a curator changes stays in a draft until it is kept.
type Screen struct {
	screen.Seat
	program Program
	lib     Library

	session string
	rows    []review.Segment // as they were stored: what the draft was made of
	now     screen.Question[stored]

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
	body   int // lines of the screen
	width  int
	strip  []string // below the messages
	placed bool     // the first rows have been brought on the screen

	texts   lineTexts
	machine machineCut
	prompt  screen.Question[int] // the message of the next one; 0: there is none
}

// stored is a session as it is stored now.
type stored struct {
	title  string
	folder string
	rows   []review.Segment
	same   bool // as those that are shown
}

// messages is the number of messages of the session.
func (b *Screen) messages() int {
	if len(b.bands) == 0 {
		return 0
	}
	return b.bands[len(b.bands)-1].End
}

// New shows the boundaries of a session from a message on.
func New(seat screen.Seat, program Program, lib Library, session string, at int) *Screen {
	return &Screen{Seat: seat, program: program, lib: lib, session: session, cur: at, topics: map[int]string{}}
}

// Rows returns the keys of the boundaries.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("s", "split", "split above the cursor: a segment begins here", "split", (*Screen).splitHere, (*Screen).noEdit),
		screen.Key("M", "merge", "merge the segment with the one above", "merge", (*Screen).mergeAbove, (*Screen).noEdit),
		screen.Key("J", "boundary-down", "move the nearest boundary down by a message", "move", func(b *Screen) { b.moveNearest(+1) }, (*Screen).noEdit),
		screen.Key("K", "boundary-up", "move the nearest boundary up by a message", "", func(b *Screen) { b.moveNearest(-1) }, (*Screen).noEdit),
		screen.Key("t", "topic", "edit the topic of the segment; left empty, it comes from the text", "topic", (*Screen).editTopic, (*Screen).noEdit),
		screen.Key("u", "undo", "undo the last change", "undo", (*Screen).undoEdit, (*Screen).noDraftUndo),
		screen.Key("c", "machine", "show or hide the machine's cut beside it", "machine", (*Screen).toggleMachine, (*Screen).noDraft),
		screen.Key("}", "next-boundary", "go to the next boundary, of the machine's cut too while it shows", "", func(b *Screen) { b.nextBoundary(+1) }, (*Screen).noDraft),
		screen.Key("{", "previous-boundary", "go to the boundary above", "", func(b *Screen) { b.nextBoundary(-1) }, (*Screen).noDraft),
		screen.Key("n", "prompt-below", "go to the next prompt of the user", "", func(b *Screen) { b.seekPrompt(+1) }, (*Screen).noDraft),
		screen.Key("p", "prompt-above", "go to the prompt above", "", func(b *Screen) { b.seekPrompt(-1) }, (*Screen).noDraft),
		screen.Key("enter", "keep-cut", "keep the cut and go back; the list can undo it", "keep", (*Screen).keepDraft, (*Screen).noEdit),
		screen.Key("q esc", keys.Back, "go back; with changes, press twice to drop them", "back", (*Screen).Back, nil),
	}
}

// Back goes back to list or reader. Changes are thrown away by the second key only.
func (b *Screen) Back() {
	if b.draft == nil || !b.draft.Changed() || b.sure == b.program.Presses()-1 {
		b.Leave()
		return
	}
	b.sure = b.program.Presses()
	b.Say(b.WayBack() + " again drops the changes")
}

// Move moves the cursor.
func (b *Screen) Move(m keys.Motion) {
	page := max(1, b.height-2) // the header is on top, and one line stays in sight
	if m == keys.PageDown || m == keys.PageUp {
		page++
	}
	b.cur += m.Step(page)
	b.scroll()
}

// nextBoundary goes to the beginning of the segment below, or above. While the
// machine's cut is shown, to one of its boundaries, too.
func (b *Screen) nextBoundary(by int) {
	to := b.startFrom(by)
	if m := b.machine.startFrom(b.cur, by); m > 0 && (to == 0 || (m-to)*by < 0) {
		to = m
	}
	switch {
	case to > 0:
		b.cur = to
		b.scroll()
	case by > 0:
		b.Say("no boundary further down")
	default:
		b.Say("the session begins here")
	}
}

// startFrom returns where the next segment begins, below or above the cursor;
// 0 for nowhere.
func (b *Screen) startFrom(by int) int {
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

// Why keys of the boundaries do nothing.

// noDraft says why nothing can be changed, or looked at, now.
func (b *Screen) noDraft() string {
	switch {
	case b.now.Err != nil && len(b.bands) == 0:
		return "the segments could not be read: " + b.Key(keys.Reload) + " tries again"
	case len(b.bands) == 0:
		return "loading"
	}
	return ""
}

// noEdit says why the draft can't be changed.
func (b *Screen) noEdit() string {
	if reason := cmp.Or(b.program.NoChange(), b.noDraft()); reason != "" {
		return reason
	}
	if b.lost {
		return "the session was cut differently meanwhile: " + b.Key(keys.Reload) + " shows it, without your changes"
	}
	return ""
}

func (b *Screen) noDraftUndo() string {
	if reason := b.noDraft(); reason != "" {
		return reason
	}
	if len(b.edits) == 0 {
		return "nothing is changed yet; in the list, " + b.KeyOfList("undo") + " undoes what was kept"
	}
	return ""
}

// Package review is where segments are reviewed: the list and, beside it, the
// reader, with all that acts on what is selected in them: filter, verdicts, claims,
// marks, clusters, visits, notes and tags. They are one room on purpose, as they
// share the selection.
//
// It imports what screens are made of (tui/draw, keys, line, list, screen, work),
// the reader and core; neither the program nor a screen. What it needs of the program
// is the interface Program, what it needs of a database rows.Library; what the program
// does with it is in door.go. Its keys wait for rows that are still being read
// (held.go): it is their only owner.
//
// Its tests are those of tui, which look at the whole screen.
package review

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/marks"
	"winnow/tui/reader"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/sights"
	"winnow/tui/work"
)

// focus is the pane that has the keys.
type focus int

const (
	OnList   focus = iota // the list
	OnReader              // the reader
)

// Program is what the room needs of the program.
type Program interface {
	// Context is the place whose keys work. Place is likewise, without the line
	// that is typed.
	Context() keys.Place
	Place() keys.Place
	// Layer is the screen or box that has the keys, nil for none. IsOpen reports
	// whether one is.
	Layer() screen.Layer
	IsOpen(screen.Layer) bool
	// Covered reports whether a screen stands in place of the list.
	Covered() bool
	// Enter opens a screen or a box. Lacks says why it cannot be opened now, "" if
	// it can.
	Enter(keys.Place)
	Lacks(keys.Place) string
	// Press does what a key is bound to, also one that waited for its segment.
	// Follow brings in line before it what depends on the keys before.
	Press(tea.KeyPressMsg) tea.Cmd
	Follow() tea.Cmd
	// OpenLine has a line typed that begins with a text, Type a plain one. Typing
	// reports whether a line is typed whose keys work in a place, Types whether it
	// is this one.
	OpenLine(l *line.Line, text string) tea.Cmd
	Type(l screen.Line, keep func(text string) tea.Cmd) tea.Cmd
	Typing(keys.Place) bool
	Types(*line.Line) bool
	// Copy hands a text to the terminal's clipboard, and says what it is.
	Copy(text, what string) tea.Cmd
	// Changed tells the open screens that the database changed. Reread has
	// everything read again with the next poll.
	Changed()
	Reread()
	// Edited has segments scored again whose messages were changed.
	Edited() tea.Cmd
	// EndRecheck tells how a recheck came out, once all answers are kept.
	EndRecheck() tea.Cmd
	// AsksFirst asks whether a segment is to get a verdict, and reports whether it does.
	AsksFirst(*review.Segment, review.Verdict) bool
}

// Room is where segments are reviewed: the list and, beside it, the reader.
type Room struct {
	app     Program
	Ctx     context.Context // of all commands
	Lib     rows.Library
	curator string
	now     func() time.Time
	after   func(time.Duration, tea.Msg) tea.Cmd
	zone    *time.Location
	keys    *keys.Table
	writes  *work.Queue
	*draw.Pen
	*screen.Notice

	W, H    int // of the terminal
	body    int // lines that list and reader have
	Focus   focus
	full    bool // the reader has the whole screen
	wider   int  // cells the list is wider than by default
	resizes bool // the wall between the panes is being moved

	// The list.
	List       rows.Window
	Filter     rows.Filter // the filter in force
	former     rows.Filter // the one before it
	counts     counts      // what it lets through
	Kept       []string    // rows that stay although they left the filter, by id
	Order      review.Order
	seed       uint64 // of a random order
	Totals     review.Totals
	sessions   rows.Sessions
	widest     rows.Widest
	ready      bool // the first rows have come
	stay       bool // verdicts do not go on to the next segment
	asked      int  // number of the last question for rows
	asking     bool
	stopAsking context.CancelFunc
	reload     bool  // rows are to be read again
	stalled    bool  // reading rows failed; tried again with the next poll
	unread     error // why they could not be read the last time
	wait       holding
	savedLib   Saved
	readOnly   bool          // nothing can be changed
	begun      bool          // the first version of the database is known
	resume     review.Cursor // where the list begins; zero: at its top
	Key        string        // that was pressed
	Presses    int           // keys that were pressed
	rechecks   bool          // verdicts are hidden
	saved      []SavedFilter

	filters   line.Memory
	notes     line.Drafts // that were put away half-typed, by segment
	tagDrafts line.Drafts // likewise

	editor  Editor
	journal Undoing
	imports *work.Kind

	claims   claiming
	clusters clustering
	orders   orderings
	marks    marks.Set
	Sights   *sights.Sights    // nil: nobody looks what is seen
	bulk     *bulk             // a verdict on many that is asked about
	last     lastVerdict       // what a reason may be given for
	why      *tagged           // what one is being chosen for, nil for nothing
	heirs    map[string]string // of segments that left, by id
	changes  changes           // since stale segments were judged

	Reader    Pane
	Opened    review.Segment // what the reader shows, zero for nothing
	landing   landing        // where it begins to read next
	resting   resting
	visits    []visit // sessions opened from another, the innermost last
	visitFrom string  // the row selected meanwhile
	marked    string  // key of the filter whose texts the reader marks
	reading   bool    // the last key was one of the reader's
}

// Parts are what a room is made of.
type Parts struct {
	Context context.Context // of all commands
	Library rows.Library
	Curator string
	Now     func() time.Time
	After   func(time.Duration, tea.Msg) tea.Cmd
	Zone    *time.Location
	Keys    *keys.Table
	Writes  *work.Queue
	Pen     *draw.Pen
	Notice  *screen.Notice
	Reader  Pane
	Order   review.Order // "": natural
	// Import is the job that brings sessions. Of the others each may be nil: the
	// room is without what it is for.
	Import   *work.Kind
	Saved    Saved
	Editor   Editor
	Journal  Undoing
	Claims   Claims
	Sights   *sights.Sights
	Clusters Clusters
	Doubts   rows.Doubts
	Quotas   review.Quotas
	ReadOnly bool // nothing can be changed
}

// NewRoom returns a room that shows nothing yet.
func NewRoom(p Program, o *Parts) *Room {
	return &Room{
		filters: line.Memory{Hides: o.Pen.G.Secret}, app: p, Ctx: o.Context, Lib: o.Library, curator: o.Curator, now: o.Now, after: o.After, zone: o.Zone, keys: o.Keys, writes: o.Writes, Pen: o.Pen, Notice: o.Notice,
		notes: line.Drafts{}, tagDrafts: line.Drafts{}, Order: cmp.Or(o.Order, review.Natural), stopAsking: func() {}, Reader: o.Reader,
		savedLib: o.Saved, editor: o.Editor, journal: o.Journal, imports: o.Import, claims: claiming{lib: o.Claims}, Sights: o.Sights, clusters: clustering{lib: o.Clusters}, orders: orderings{lib: o.Doubts, quotas: o.Quotas}, readOnly: o.ReadOnly,
	}
}

// keyFor returns the first key of an action in the place that has the keys, where a
// message names it; ":name" for one that only the command line reaches.
func (r *Room) keyFor(name string) string { return r.keys.Key(name, r.app.Place()) }

// roomRow is a key of list and reader.
type roomRow = keys.Row[*Room]

// enters opens a screen, shut says why it cannot be opened now.
func enters(in keys.Place) func(*Room) tea.Cmd {
	return keys.Do(func(r *Room) { r.app.Enter(in) })
}

func shut(in keys.Place) func(*Room) string {
	return func(r *Room) string { return r.app.Lacks(in) }
}

// withRoom gives an action of the room its argument.
func withRoom[T any](f func(*Room, T) tea.Cmd, x T) func(*Room) tea.Cmd {
	return func(r *Room) tea.Cmd { return f(r, x) }
}

// Pane is what the room needs of the reader.
type Pane interface {
	Open(review.Segment) tea.Cmd
	Prefetch(review.Segment) tea.Cmd
	Close()
	Update(tea.Msg) tea.Cmd
	View(w, h int) string
	SetStyles(themes.Styles)
	SetFocus(bool)
	SetMasked(places []int)
	Resize(w, h int) tea.Cmd
	CanFold() bool
	Folds() reader.Folds
	SetFolds(reader.Folds)
	Status() reader.Status
	Shown() review.Spans
	reader.Views
	Scroll(lines int) tea.Cmd
	Move(keys.Motion) tea.Cmd
	NextMessage() tea.Cmd
	PrevMessage() tea.Cmd
	NextPrompt() tea.Cmd
	PrevPrompt() tea.Cmd
	NextFailure() tea.Cmd
	ToggleFold() tea.Cmd
	ToggleDigest() tea.Cmd
	ToggleStep() (cmd tea.Cmd, ok bool)
	ToggleAllFolds() tea.Cmd
	ToggleThinking() tea.Cmd
	ToggleDetail() tea.Cmd
	Find(query string) tea.Cmd
	NextHit() tea.Cmd
	PrevHit() tea.Cmd
	ClearFind() tea.Cmd
	Mark([]filter.Text) tea.Cmd
	Link() (reader.Link, bool)
	Press(row int) (reader.Link, bool, tea.Cmd)
	FollowLink() (reader.Link, bool)
	Show(n int) tea.Cmd
}

package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/reader"
	"winnow/tui/screen"
	"winnow/tui/work"
)

// focus is the pane that has the keys.
type focus int

const (
	onList focus = iota
	onReader
)

// Program is what the room needs of the program.
type Program interface {
	// Context is the place whose keys work. Place is likewise, without the line
	// that is typed.
	Context() keys.Place
	Place() keys.Place
	// Covered reports whether a screen stands in place of the list.
	Covered() bool
	// Enter opens a screen or a box. Lacks says why it cannot be opened now, "" if
	// it can.
	Enter(keys.Place) tea.Cmd
	Lacks(keys.Place) string
	// Press does what a key is bound to, also one that waited for its segment.
	// Follow brings in line before it what depends on the keys before.
	Press(tea.KeyPressMsg) tea.Cmd
	Follow() tea.Cmd
	// OpenLine has a line typed that begins with a text, Type a plain one. Typing
	// reports whether a line is typed whose keys work in a place, Types whether it
	// is this one.
	OpenLine(l *line.Line, text string) tea.Cmd
	Type(screen.Line) tea.Cmd
	Typing(keys.Place) bool
	Types(*line.Line) bool
	// Copy hands a text to the terminal's clipboard, and says what it is.
	Copy(text, what string) tea.Cmd
	// Changed tells the open screens that the database changed. Reread has
	// everything read again with the next poll.
	Changed() tea.Cmd
	Reread()
	// EndRecheck tells how a recheck came out, once all answers are kept.
	EndRecheck() tea.Cmd
}

// Room is where segments are reviewed: the list and, beside it, the reader.
type Room struct {
	app     Program
	ctx     context.Context // of all commands
	lib     Library
	curator string
	now     func() time.Time
	after   func(time.Duration, tea.Msg) tea.Cmd
	zone    *time.Location
	keys    *keys.Table
	writes  *work.Queue
	*draw.Pen
	*screen.Notice

	w, h    int // of the terminal
	body    int // lines that list and reader have
	focus   focus
	full    bool // the reader has the whole screen
	wider   int  // cells the list is wider than by default
	resizes bool // the wall between the panes is being moved

	// The list.
	list       window
	sieve      sieve    // the filter in force
	former     sieve    // the one before it
	tally      tally    // what it lets through
	kept       []string // rows that stay although they left the filter, by id
	order      review.Order
	seed       uint64 // of a random order
	totals     review.Totals
	titles     map[string]string // of sessions, by id
	ready      bool              // the first rows have come
	stay       bool              // verdicts do not go on to the next segment
	asked      int               // number of the last question for rows
	asking     bool
	stopAsking context.CancelFunc
	reload     bool  // rows are to be read again
	stalled    bool  // reading rows failed; tried again with the next poll
	unread     error // why they could not be read the last time
	wait       holding
	savedLib   Saved
	begun      bool          // the first version of the database is known
	resume     review.Cursor // where the list begins; zero: at its top
	key        string        // that was pressed
	presses    int           // keys that were pressed
	rechecks   bool          // verdicts are hidden
	saved      []SavedFilter

	filters   line.Memory
	notes     line.Drafts // that were put away half-typed, by segment
	tagDrafts line.Drafts // likewise

	editor  Editor
	journal Journal
	imports *work.Kind

	claims   claiming
	clusters clustering
	orders   orderings
	marks    marks
	bulk     *bulk             // a verdict on many that is asked about
	heirs    map[string]string // of segments that left, by id
	changes  changes           // since stale segments were judged

	reader    pane
	opened    review.Segment // what the reader shows, zero for nothing
	landing   landing        // where it begins to read next
	resting   resting
	visits    []visit // sessions opened from another, the innermost last
	visitFrom string  // the row selected meanwhile
	lastFind  string
	marked    string // key of the filter whose texts the reader marks
	reading   bool   // the last key was one of the reader's
}

func newRoom(a *App, o *Options, p pane) *Room {
	r := &Room{
		app: a, ctx: a.ctx, lib: a.lib, curator: o.Curator, now: a.now, after: a.after, zone: a.zone, keys: a.keys, writes: a.writes, Pen: a.Pen, Notice: a.Notice,
		notes: line.Drafts{}, tagDrafts: line.Drafts{}, order: o.Order, titles: map[string]string{}, stopAsking: func() {}, reader: p,
		savedLib: o.Saved, editor: o.Editor, journal: o.Journal, imports: a.work.Import, claims: claiming{lib: o.Claims}, clusters: clustering{lib: o.Clusters}, orders: orderings{lib: o.Doubts, quotas: o.Quotas},
	}
	if r.order == "" {
		r.order = review.Natural
	}
	return r
}

// keyFor returns the first key of an action in the place that has the keys, where a
// message names it; ":name" for one that only the command line reaches.
func (r *Room) keyFor(name string) string { return r.keys.Key(name, r.app.Place()) }

// roomRow is a key of list and reader.
type roomRow = keys.Row[*Room]

// enters opens a screen, shut says why it cannot be opened now.
func enters(in keys.Place) func(*Room) tea.Cmd {
	return func(r *Room) tea.Cmd { return r.app.Enter(in) }
}

func shut(in keys.Place) func(*Room) string {
	return func(r *Room) string { return r.app.Lacks(in) }
}

// withRoom gives an action of the room its argument.
func withRoom[T any](f func(*Room, T) func() tea.Cmd, x T) func(*Room) tea.Cmd {
	return func(r *Room) tea.Cmd { return f(r, x)() }
}

// pane is what the screen needs of the reader.
type pane interface {
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

	Scroll(lines int) tea.Cmd
	Move(keys.Motion) tea.Cmd
	NextMessage() tea.Cmd
	PrevMessage() tea.Cmd
	NextPrompt() tea.Cmd
	PrevPrompt() tea.Cmd
	NextFailure() tea.Cmd
	ToggleFold() tea.Cmd
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

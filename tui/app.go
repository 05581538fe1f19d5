package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/line"
	"winnow/tui/reader"
	"winnow/tui/screens/ledger"
	"winnow/tui/screens/reasons"
	"winnow/tui/work"
)

// focus is the pane that has the keys.
type focus int

const (
	onList focus = iota
	onReader
)

// App is the program: the one tea.Model. Its parts are plain structs; their
// work on the database is done by commands that close over values and bring
// their request back with the answer.
type App struct {
	ctx     context.Context // of all commands
	lib     Library
	curator string
	place   string
	now     func() time.Time
	after   func(time.Duration, tea.Msg) tea.Cmd
	zone    *time.Location

	*draw.Pen
	dress
	hand   hand
	keys   *keys.Table
	layers []layer   // see allLayers
	seated []*seated // what is open, see rooms
	also   []tea.Cmd // what layers had the program do, next to what they return

	w, h     int
	focus    focus
	full     bool // the reader has the whole screen
	wider    int  // cells the list is wider than by default
	field    *line.Field
	line     *filterLine // is being typed in the field
	typings  int         // what was typed in it, counted
	filters  line.Memory
	command  *commandLine // is being typed in the field
	commands line.Memory
	reasons  reasons.Cursor // what is chosen in their box, or was
	savedLib Saved
	saved    []SavedFilter
	key      string // that was pressed
	message  message

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

	// What stands in place of list and reader while it is open.
	journalLib    Journal
	ledgerLib     ledger.Library
	shortPath     func(string) string
	statisticsLib Statistics
	thresholds    metric.Thresholds // of Options
	exports       exports
	importing     importing

	records    records
	segmenting Segmenting
	scoring    Scoring
	editor     Editor
	landing    landing // where the reader begins to read next
	presses    int     // keys that were pressed

	writes  work.Queue
	leaving bool // quit when the writes are done

	claims    claiming
	keeping   stateKeeping
	recheck   *rechecking // nil: none
	version   int64       // of the database, when it was read last
	begun     bool        // the first version is known
	polling   bool        // the next poll is on its way
	job       work.Job
	cuts      cutting
	clusters  clustering
	orders    orderings
	texts     texts
	alikes    texts
	scores    scoring
	question  *question // that is asked, or waits to be
	marks     marks
	bulk      *bulk // a verdict on many that is asked about
	tags      *tagLine
	reader    pane
	opened    review.Segment // what the reader shows, zero for nothing
	resting   resting
	visits    []visit // sessions opened from another, the innermost last
	visitFrom string  // the row selected meanwhile
	lastFind  string
	marked    string            // key of the filter whose texts the reader marks
	reading   bool              // the last key was one of the reader's
	notes     line.Drafts       // that were put away half-typed, by segment
	tagDrafts line.Drafts       // likewise
	heirs     map[string]string // of segments that left, by id
	changes   changesCame       // since stale segments were judged
	comparing bool              // more of them are under way
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
	PageDown() tea.Cmd
	PageUp() tea.Cmd
	HalfDown() tea.Cmd
	HalfUp() tea.Cmd
	Top() tea.Cmd
	Bottom() tea.Cmd
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

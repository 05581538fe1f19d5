package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/reader"
)

// Options say what a screen shows and for whom.
type Options struct {
	Library Library
	// Curator signs the verdicts.
	Curator string
	// Place is where the segments come from, as the header shows it.
	Place string
	// Themes are what T walks through, at least one. Theme is the name of
	// the first one; empty: the one for the terminal's background.
	Themes []themes.Styles
	Theme  string
	// ASCII draws without the characters that East Asian terminals draw wide.
	ASCII bool
	// Filter and Order are the filter, an expression, and the sorting to begin
	// with.
	Filter string
	Order  review.Order
	// Saved keeps filters under numbers and names, nil for a screen that saves
	// none.
	Saved Saved
	// Job runs behind the screen, nil for none. JobName says what it does
	// ("import").
	Job     Job
	JobName string
	// Ledger tells what became of the imported files, nil for a screen
	// without a ledger.
	Ledger Ledger
	// Statistics describes segments, nil for a screen without statistics.
	// Thresholds are what they qualify at.
	Statistics Statistics
	Thresholds metric.Thresholds
	// Editor changes boundaries of segments, nil for a screen that cuts
	// nothing.
	Editor Editor
	// Segmenting cuts sessions behind the screen, nil for a screen that cuts
	// none by itself.
	Segmenting Segmenting
	// Indexing makes messages searchable behind the screen, nil for a screen
	// that leaves the text index as it is.
	Indexing Indexing
	// Scoring scores segments behind the screen, nil for a screen that scores
	// none by itself.
	Scoring Scoring
	// ShortPath writes a path as people know it ("~/sessions"), nil: as it is.
	ShortPath func(path string) string
	// Finder looks where sessions may be imported from, nil for a screen
	// that imports nothing. Offer begins with what it finds.
	Finder Finder
	Offer  bool
	// Zone is where the times that are shown are told; nil is UTC.
	Zone *time.Location
	// Now tells the time; After sends a message later. nil is the real clock.
	Now   func() time.Time
	After func(time.Duration, tea.Msg) tea.Cmd
}

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

	g        *glyphs
	themes   []themes.Styles
	theme    int
	chosen   bool // the theme was asked for by name
	ink, sel inks
	keys     []Binding

	w, h    int
	focus   focus
	full    bool // the reader has the whole screen
	wider   int  // cells the list is wider than by default
	help    *help
	field   *field
	line    *filterLine // is being typed in the field
	typings int         // what was typed in it, counted
	typed   []string    // filters that were kept, the last one at the end
	draft   string      // a filter that was put away half-typed
	sorting *sortMenu
	reasons *reasonsBox
	// reasonsLeft is where they were closed, whyOf what the footer says of them.
	reasonsLeft reasonsPlace
	whyOf       whyMemo
	savedLib    Saved
	saved       []SavedFilter
	key         string // that was pressed
	message     message

	// The list.
	list       window
	sieve      sieve    // the filter in force
	former     sieve    // the one before it
	tally      tally    // what it lets through
	kept       []string // rows that stay although they left the filter, by id
	awaited    bool     // keys wait for the rows of a filter
	order      review.Order
	seed       uint64 // of a random order
	totals     review.Totals
	titles     map[string]string // of sessions, by id
	ready      bool              // the first rows have come
	stay       bool              // verdicts do not go on to the next segment
	asked      int               // number of the last question for rows
	asking     bool
	stopAsking context.CancelFunc
	reload     bool              // rows are to be read again
	stalled    bool              // reading rows failed; tried again with the next poll
	finding    bool              // the next pending segment is being looked for
	held       []tea.KeyPressMsg // keys that wait for it

	// What stands in place of list and reader while it is open.
	ledgerLib Ledger
	ledger    *ledgerScreen
	shortPath func(string) string
	// Those of Options.
	statisticsLib Statistics
	thresholds    metric.Thresholds
	statistics    *statisticsScreen
	finder        Finder
	offer         *offerScreen
	first         bool // the program begins with the offer
	samples       bool // the program is left for the sample sessions

	segmenting Segmenting
	scoring    Scoring
	editor     Editor
	boundaries *boundaryScreen
	landing    landing // where the reader begins to read next
	presses    int     // keys that were pressed

	// Writes. epoch counts their beginnings and ends: rows that were read
	// under another epoch may be older than what the screen shows.
	writes  *writes
	queue   []write // those not answered yet
	written int
	epoch   int
	leaving bool // quit when the writes are done

	version   int64 // of the database, when it was read last
	begun     bool  // the first version is known
	polling   bool  // the next poll is on its way
	job       job
	cuts      cutting
	texts     texts
	indexing  Indexing
	scores    scoring
	question  *question // that is asked, or waits to be
	reader    pane
	opened    review.Segment // what the reader shows, zero for nothing
	visits    []visit        // sessions opened from another, the innermost last
	visitFrom string         // the row selected meanwhile
	lastFind  string
	marked    string            // key of the filter whose texts the reader marks
	reading   bool              // the last key was one of the reader's
	drafts    map[string]string // notes that were put away half-typed, by segment
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
	Resize(w, h int) tea.Cmd
	CanFold() bool
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
	FollowLink() (reader.Link, bool)
	Show(n int) tea.Cmd
}

// New returns the program of a screen; Run runs it.
func New(o Options) *App {
	return newApp(o, reader.New(reader.Options{Fetch: o.Library, ASCII: o.ASCII, Zone: o.Zone}))
}

func newApp(o Options, r pane) *App {
	a := &App{
		ctx: context.Background(), lib: o.Library, curator: o.Curator, place: o.Place, zone: o.Zone, now: o.Now, after: o.After,
		g: glyphsFor(o.ASCII), themes: o.Themes, order: o.Order, savedLib: o.Saved,
		titles: map[string]string{}, drafts: map[string]string{}, stopAsking: func() {},
		job: newJob(o.Job, o.JobName), reader: r, writes: &writes{},
		ledgerLib: o.Ledger, statisticsLib: o.Statistics, thresholds: o.Thresholds, editor: o.Editor, segmenting: o.Segmenting, indexing: o.Indexing, scoring: o.Scoring, scores: scoring{seen: -1}, shortPath: o.ShortPath, finder: o.Finder, first: o.Offer && o.Finder != nil,
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.after == nil {
		a.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		}
	}
	if a.zone == nil {
		a.zone = time.UTC
	}
	if a.order == "" {
		a.order = review.Natural
	}
	a.setBackground(true) // until the terminal tells; many never do
	for i := range a.themes {
		if a.themes[i].Name == o.Theme {
			a.theme, a.chosen = i, true
		}
	}
	a.setTheme(a.theme)
	a.keys = a.bindings()
	if s, err := a.sieveOf(o.Filter); err != nil {
		a.fail("filter", err)
	} else {
		a.sieve = s
	}
	return a
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{poll(a.ctx, a.lib), a.startJob(), a.readSaved(nil)}
	if a.first {
		cmds = append(cmds, a.openOffer())
	}
	if a.job.run == nil {
		cmds = append(cmds, a.lookForCuts())
	}
	if !a.chosen {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := a.handle(msg)
	return a, tea.Batch(cmd, a.follow())
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = m.Width, m.Height
	case tea.BackgroundColorMsg:
		a.setBackground(m.IsDark())
	case tea.KeyPressMsg:
		if a.holds(m) {
			return nil
		}
		return a.press(m)
	case tea.PasteMsg:
		if a.field != nil {
			return a.typeIn(m)
		}
	case tea.ResumeMsg:
		a.reload = true
		return tea.Batch(tea.ClearScreen, poll(a.ctx, a.lib))
	case leave:
		return a.quit()
	case pagesLoaded:
		return a.tookPages(m)
	case totalsLoaded:
		return a.tookTotals(m)
	case countsLoaded:
		return a.tookCounts(m)
	case lineTyped:
		return a.tookTyped(m)
	case valuesLoaded:
		a.tookValues(m)
	case savedRead:
		return a.tookSaved(m)
	case filterSaved:
		a.tookFilterSaved(m)
	case titlesLoaded:
		a.tookTitles(m)
	case polled:
		return a.tookVersion(m)
	case pollTick:
		a.polling = false
		return poll(a.ctx, a.lib)
	case wrote:
		return a.tookWrite(m)
	case visitLoaded:
		return a.tookVisit(m)
	case visitsRenewed:
		return a.tookVisits(m)
	case jobTick:
		return a.tickJob(m)
	case jobDone:
		return a.endJob(m)
	case cutsPlanned:
		return a.tookPlan(m)
	case unindexedCame:
		return a.tookUnindexed(m)
	case cutDelay:
		return a.tookDelay(m)
	case scoresPlanned:
		return a.tookScorePlan(m)
	case scoreDelay:
		return a.tookScoreDelay(m)
	case questionDue:
		return a.tookDue(m)
	case changesCame:
		a.tookChanges(m)
	case heirFound:
		return a.tookHeir(m)
	case ledgerMsg:
		return a.tookLedger(m)
	case statisticsCame:
		a.tookStatistics(m)
	case boundaryMsg:
		return a.tookBoundaryMsg(m)
	case placesFound:
		return a.tookPlaces(m)
	case placeMeasured:
		return a.tookMeasure(m)
	default:
		if a.field != nil {
			return tea.Batch(a.typeIn(msg), a.reader.Update(msg))
		}
		return a.reader.Update(msg)
	}
	return nil
}

// follow brings what depends on the state in line with it: the sizes, the
// rows needed next, their titles, and what the reader shows.
func (a *App) follow() tea.Cmd {
	a.list.resize(a.listHeight())
	a.reader.SetFocus(a.focus == onReader)
	return tea.Batch(a.markTexts(), a.askNeeded(), a.askCounts(), a.askTitles(), a.askChanges(), a.openSelected(), a.resizeReader(), a.followLedger(), a.askStatistics(), a.followBoundaries())
}

// resizeReader tells the reader the size of its next view, which also lets it
// ask for what the last one lacked.
func (a *App) resizeReader() tea.Cmd {
	if !a.readerShows() {
		return nil
	}
	return a.reader.Resize(a.readerWidth(), a.bodyHeight()-1)
}

// openSelected shows the selected segment in the reader, if it can be seen.
func (a *App) openSelected() tea.Cmd {
	s := a.list.selected()
	if s == nil || s.ID != a.visitFrom {
		a.visits = nil
	}
	if !a.readerShows() {
		return nil
	}
	if s == nil {
		if a.opened.ID != "" {
			a.opened = review.Segment{}
			a.reader.Close()
		}
		return nil
	}
	if a.visiting() {
		return nil
	}
	o := &a.opened
	if o.ID == s.ID && o.Body == s.Body && o.Start == s.Start && o.End == s.End && o.Digest == s.Digest && o.Stale == s.Stale && o.Analysis == s.Analysis {
		return nil
	}
	a.opened = *s
	cmd := a.reader.Open(*s)
	if l := a.landing; l.segment == s.ID {
		a.landing = landing{}
		cmd = tea.Batch(cmd, a.reader.Show(l.at))
	}
	return tea.Batch(cmd, a.prefetch())
}

// prefetch brings what a verdict would show next, so that it is there at once.
func (a *App) prefetch() tea.Cmd {
	if i := a.list.nextPending(a.list.cur + 1); i >= 0 {
		return a.reader.Prefetch(a.list.rows[i])
	}
	return nil
}

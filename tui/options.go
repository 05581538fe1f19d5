package tui

import (
	"cmp"
	"context"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/learn"
	"winnow/core/metric"
	"winnow/core/review"
	"winnow/themes"
	"winnow/tui/reader"
	room "winnow/tui/review"
	"winnow/tui/rows"
	"winnow/tui/screen"
	"winnow/tui/screens/edit"
	"winnow/tui/screens/ledger"
	"winnow/tui/screens/places"
	"winnow/tui/screens/recheck"
	"winnow/tui/screens/record"
	"winnow/tui/screens/training"
	"winnow/tui/work"
)

// What the program needs of the rest of the world for list and reader.
type (
	Library     = rows.Library
	Saved       = room.Saved
	SavedFilter = room.SavedFilter
	Editor      = room.Editor
	Recut       = room.Recut
	Claims      = room.Claims
	Doubts      = rows.Doubts
)

// Likely tells what was learned from verdicts. Its methods may take long and are
// called from commands only.
type Likely interface {
	// Learned returns what was learned last.
	Learned(context.Context) (learn.Learned, error)
	// WhyLikely says why a segment is as likely to be approved as it is; ok is false
	// if nothing is known.
	WhyLikely(ctx context.Context, id string) (why learn.Reasons, ok bool, err error)
}

// Options say what a screen shows and for whom.
type Options struct {
	Library rows.Library
	// Curator signs the verdicts.
	Curator string
	// Place is where the segments come from, as the header shows it.
	Place string
	// Themes are what T chooses from, at least one. Theme is the name of the
	// first one; empty: the one for the terminal.
	Themes []themes.Styles
	Theme  string
	// Reading is how the curator wants messages shown.
	Reading reader.Preferences
	// ASCII draws without the characters that East Asian terminals draw wide.
	ASCII bool
	// Mouse listens to the mouse. Without it the terminal has it, to select text.
	Mouse bool
	// Digest is how many messages a segment has that the reader opens as a digest;
	// 0 is none.
	Digest int
	// NoColour draws without colours; attributes as bold stay.
	NoColour bool
	// Filter and Order are the filter, an expression, and the sorting to begin
	// with.
	Filter string
	Order  review.Order
	// Saved keeps filters under numbers and names, nil for a screen that saves
	// none.
	Saved room.Saved
	// Job runs in the background, nil for none. JobName says what it does
	// ("import").
	Job     Job
	JobName string
	// Ledger tells what became of the imported files, nil for a screen
	// without a ledger.
	Ledger ledger.Library
	// Journal tells what was done, nil for a screen without a journal.
	Journal Journal
	// Statistics describes segments, nil for a screen without statistics.
	// Thresholds are what they qualify at.
	Statistics Statistics
	Thresholds metric.Thresholds
	// Likely tells how likely segments would be approved, nil for a screen that
	// does not.
	Likely Likely
	// Exporting writes training data, nil for a screen that exports nothing.
	Exporting Exporting
	// Previewing makes the training record that a segment becomes, nil for a
	// screen that shows none. PreviewFormat is the format to begin with, "" the
	// default of exports.
	Previewing    record.Library
	PreviewFormat string
	// Sources leads back to what messages were read from, nil for a screen
	// that does not.
	Sources record.Sources
	// Editor changes boundaries of segments, nil for a screen that cuts
	// nothing.
	Editor room.Editor
	// Edits change messages, nil for a screen that changes none; Drafts are the
	// files for their texts. Exec gives the terminal to a command, nil is
	// tea.ExecProcess.
	// Edited tells which are, nil: none.
	Edits  Edits
	Edited reader.Edits
	Drafts edit.Drafts
	// Versions tell what sessions were, and bring them back, nil for a screen that
	// does not.
	Versions Versions
	// Compressions make and keep proposals to compress segments, nil for a screen
	// that shows none.
	Compressions Compressions
	// Memories have what was learned, nil for a screen without.
	Memories Memories
	Exec     func(*exec.Cmd, tea.ExecCallback) tea.Cmd
	// Pipeline tells what other programs bring and do, nil for a screen that does not.
	Pipeline Pipeline
	// Training tells of runs that trained a model, nil for a screen that does not;
	// Trainer begins and ends them, nil where only commands do.
	Training training.Library
	Trainer  training.Trainer
	// Work is where the work that is done in the background comes from.
	Work work.Sources
	// Claims tell who else reads what, nil for a screen that works alone.
	Claims room.Claims
	// Sights keep what the curator has seen, nil for a screen that does not. AskBelow
	// is the share of a segment that must have been seen for it to be approved without
	// a question, 0 for no question.
	Sights   Sights
	AskBelow float64
	// ReadOnly says that nothing can be changed: verdicts are off.
	ReadOnly bool
	// Recheck shows decided segments without their verdicts, nil for a screen
	// that shows everything.
	Recheck *recheck.Sample
	// Blind hides which models wrote what.
	Blind bool
	// State keeps how the screen looks, nil for a screen that is forgotten.
	// Looked is how it looked when the curator left it, nil: never. Filter,
	// Order and Theme go before it.
	State  State
	Looked *Screen
	// Clusters tell which segments are nearly the same, nil for a screen that
	// shows each as a row.
	Clusters room.Clusters
	// Doubts tells where scores are uncertain, nil: around 0.7. Quotas are the
	// shares of types of task that the list is balanced by.
	Doubts rows.Doubts
	Quotas review.Quotas
	// ShortPath writes a path as people know it ("~/sessions"), nil: as it is.
	ShortPath func(path string) string
	// Finder looks where sessions may be imported from, nil for a screen
	// that imports nothing. Import is the job that imports paths. Offer begins
	// with what is found.
	Finder places.Finder
	Import func(paths []string) Job
	Offer  bool
	// Keys are other keys for actions, by their names: those of a name, or
	// with a place before it ("reader.fold") those that work there. CheckKeys
	// says what is wrong with them.
	Keys map[string][]string
	// Whys are the reasons that a verdict may get by a key, nil for review.Whys.
	Whys []review.Why
	// Zone is where the times that are shown are told; nil is UTC.
	Zone *time.Location
	// Now tells the time; After sends a message later. nil is the real clock.
	Now   func() time.Time
	After func(time.Duration, tea.Msg) tea.Cmd
}

// New returns the program of a screen; Run runs it.
func New(o Options) *App {
	if o.Blind {
		o.hideNames()
	}
	return newApp(o, reader.New(reader.Options{Fetch: o.Library, Edits: o.Edited, Preferences: o.Reading, ASCII: o.ASCII, Zone: o.Zone, Digest: o.Digest}))
}

func newApp(o Options, r room.Pane) *App {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		}
	}
	if o.Exec == nil {
		o.Exec = tea.ExecProcess
	}
	o.Zone = cmp.Or(o.Zone, time.UTC)
	a := &App{
		opt: o, version: -1, came: arrivals{since: -1},
		Pen: penOf(&o), dress: dress{themes: o.Themes}, keys: bindingsWith(o.Whys), rooms: rooms(), writes: &work.Queue{},
		format: record.Format{Default: o.PreviewFormat},
	}
	a.Notice = screen.NewNotice(a.Pen)
	a.work = work.NewPlanner(forWork{a}, a.G, o.Work, work.New(o.Job, o.JobName), a.endExport)
	a.work.Summary.Tells(a.endSummary)
	a.Room = room.NewRoom(a, &room.Parts{
		Context: context.Background(), Library: o.Library, Curator: o.Curator, Now: o.Now, After: o.After, Zone: o.Zone, Keys: a.keys, Writes: a.writes, Pen: a.Pen, Notice: a.Notice,
		Reader: r, Order: o.Order, Import: a.work.Import, Saved: o.Saved, Editor: o.Editor, Journal: o.Journal, Claims: o.Claims, Sights: looksAt(o.Sights), Clusters: o.Clusters, Doubts: o.Doubts, Quotas: o.Quotas, ReadOnly: o.ReadOnly,
	})
	a.hand.on = o.Mouse
	a.setTheme(0)
	a.wear(a.themeNamed(o.Theme))
	if err := a.keys.Rebind(o.Keys); err != nil {
		a.Fail("keys", err)
	}
	if s, err := a.ParseFilter(o.Filter); err != nil {
		a.Fail("filter", err)
	} else {
		a.Filter = s
	}
	a.restore(o.Looked, &o)
	a.beginRecheck(o.Recheck)
	if o.Blind {
		a.withoutNames()
	}
	return a
}

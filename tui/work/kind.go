package work

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Plan says what there is to do of a kind of work.
type Plan struct {
	Here   int    // is done on this machine and sends nothing anywhere
	Sent   int    // is done by a model
	Tokens int    // of what is sent, estimated
	Host   string // where it is sent
	Model  string
	// Wait is how long it is to wait, of what is done at leisure: what comes
	// meanwhile is done with it.
	Wait time.Duration
	// Allow remembers for this database that its sessions may be sent to the host;
	// nil: they may already.
	Allow func(context.Context) error
}

// Source has work of one kind to do. Its methods may take long and are called from
// commands only.
type Source interface {
	// Plan tells what there is to do.
	Plan(context.Context) (Plan, error)
	// Do does it: on this machine, or by the model of the plan. It fails if that
	// would send something to a host that is not allowed.
	Do(ctx context.Context, send bool, report func(Progress)) error
}

// Sources are where the work comes from. nil is a program that leaves it as it is.
type Sources struct {
	Cuts   Source // cuts sessions, by rules or by a model instead
	Scores Source // measures segments, and then has a model judge them
	Texts  Source // makes messages searchable
	Alikes Source // finds segments that are alike
	Learns Source // learns from verdicts
}

// Kind is work of one kind.
type Kind struct {
	Job // that runs, or ran last

	words
	source  Source
	next    *Kind               // is looked for when there is nothing to do
	ended   func(error) tea.Cmd // tells how the job ended
	leisure bool                // is done when nothing else is; not shown unless it tells how far it is
	off     bool                // nothing is done in this run of the program
	local   bool                // the curator wants nothing to be sent in this run
	asked   bool                // the plan is under way
	waits   bool                // it is done when a while is over
	again   bool                // there may be more since it was asked for
	here    bool                // what there was to do here is done: only the model may have to
	sends   bool                // a model does it, as the last plan said
	sending bool                // the job is done by a model
	sentAt  int                 // messages of the import when a model was asked last; -1: none was
	delays  int                 // number of the last delay
}

// Tells has a function tell how the job ended.
func (k *Kind) Tells(ended func(error) tea.Cmd) { k.ended = ended }

// words are what is said of a kind.
type words struct {
	name    string
	model   string // what a model does after what is done here, "" if that is instead of it
	counts  string // "session"
	to, was string // "cut", "cut"
	instead string // what is done if nothing is sent
}

// Host is the program as a Planner needs it.
type Host interface {
	// Context is that of all commands.
	Context() context.Context
	Now() time.Time
	// After sends a message after a while.
	After(time.Duration, tea.Msg) tea.Cmd
	// Poll looks at once whether the database changed.
	Poll() tea.Cmd
	// Unfilled reports whether the list has room for rows that come.
	Unfilled() bool
	// Pressed counts the keys that were pressed. idle reports whether the next one
	// is for list or reader.
	Pressed() (n int, idle bool)
	// Said tells what the footer says, Say replaces it, Add puts a text after it.
	Said() Said
	Say(text string, as Said)
	Add(text string)
	// Fail shows what could not be done ("" if the error says it), and why.
	Fail(what string, err error)
}

// Said tells what the footer says.
type Said int

// What the footer says.
const (
	Other   Said = iota // something that is not talked over
	Nothing             // so that there is room
	News                // what came while nobody pressed a key, counted
	Brought             // what an import brought
)

// Then is a message that brings what is done next. The program's Update calls it.
type Then func() tea.Cmd

// Package cycle does what there is to do with a database without a person: one step
// after the other, each until nothing is left. A step that fails does not keep the next
// from being done. What fails for reasons of its own is tried again later and later; what
// cannot be done because a model is not there waits, and counts as no failure.
//
// The package knows the steps as Tasks only, and no commands.
package cycle

import (
	"context"
	"slices"
	"time"
)

// Status is what became of a step.
type Status string

// The statuses of steps.
const (
	Running Status = "running"
	Done    Status = "done"    // nothing is left, or there was nothing to do
	Partly  Status = "partly"  // some things failed: they are tried again
	Waiting Status = "waiting" // for a model, a budget or a permission
	Failed  Status = "failed"
	Skipped Status = "skipped" // another program does it
)

// Step is what a cycle did of one kind. Todo counts what there was to do when it began.
type Step struct {
	Name                string
	Status              Status
	Began, Ended        time.Time // Ended is zero while it runs
	Todo, Done, Failed  int
	TokensIn, TokensOut int
	Cost                float64 // by the configured prices, 0 unknown
	Note                string

	spent bool // it waits as a budget is used up, which is as it was asked for
}

// Idle reports whether a step did nothing, and nothing is wrong.
func (s *Step) Idle() bool {
	return s.Done+s.Failed == 0 && (s.Status == Done || s.Status == Skipped || s.spent)
}

// Word is what became of a step as people read it.
func (s *Step) Word() string {
	if s.Status == Done && s.Todo+s.Done == 0 {
		return "nothing to do"
	}
	return string(s.Status)
}

// Wrong reports whether a step failed, or waits for something that a person has to see
// to.
func (s *Step) Wrong() bool { return s.Status == Failed || s.Status == Waiting && !s.spent }

// Cycle is one round over all steps.
type Cycle struct {
	ID           int64
	Began, Ended time.Time
	Holder       string // as people read it: "winnow run, pid 4121"
	Steps        []Step
	Lost         bool // its program ended without a word, as Settle finds out
}

// Idle reports whether nothing was done, and nothing is wrong.
func (c *Cycle) Idle() bool {
	return !slices.ContainsFunc(c.Steps, func(s Step) bool { return !s.Idle() })
}

// Attempt is something that failed, and when it is tried again.
type Attempt struct {
	Kind  string // the step
	Key   string // id of the session or segment
	Input string // tells content, model and prompt
	Tries int
	Next  time.Time // zero: not before something changes, or somebody asks for it
	Error string
}

// Store keeps what cycles did.
type Store interface {
	// BeginCycle keeps a new cycle and sets its ID. Cycles whose program ended without
	// a word are ended.
	BeginCycle(ctx context.Context, c *Cycle) error
	// PutStep keeps a step of a cycle as it is now.
	PutStep(ctx context.Context, cycle int64, s *Step) error
	EndCycle(ctx context.Context, id int64, ended time.Time) error
	// Cycles returns the newest cycles with their steps, the newest first.
	Cycles(ctx context.Context, limit int) ([]Cycle, error)
	// CostSince is what the steps cost that began at a time or later.
	CostSince(ctx context.Context, t time.Time) (float64, error)

	// Attempts returns what failed of a kind, "" for all, by kind and key.
	Attempts(ctx context.Context, kind string) ([]Attempt, error)
	// Tried forgets what failed of a kind and was done now, and keeps attempts in the
	// place of those of the same kind and key: all of it, or nothing.
	Tried(ctx context.Context, kind string, done []string, failed []Attempt) error
	// Retry forgets what failed of a kind, all of it if key is "", and returns how many
	// that were.
	Retry(ctx context.Context, kind, key string) (n int, err error)
}

// LeaseName is the name of the lease that a cycle has as long as its program is alive.
const LeaseName = "cycle:"

// Task is one step.
type Task interface {
	Name() string
	// Do does what there is to do. An error is why nothing more could be done; what the
	// step says counts in any case. A step without a status is Done, or Partly if
	// something failed.
	Do(ctx context.Context, o *Order) (Step, error)
}

// Package pipeline is the screen that tells what comes in and what is done with it
// while nobody looks: uploads as they come, the steps of the newest cycle and who is at
// it, what waits and why. What waits can be tried again, and jobs of the program stopped.
//
// A section is a function that makes its rows of what was read: see sections. What is
// trained is one of them; a run has a screen of its own, in package training.
package pipeline

import (
	"cmp"
	"context"
	"time"

	"winnow/core/cycle"
	"winnow/core/filter"
	"winnow/core/inbox"
	"winnow/core/lease"
	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/table"
)

// Library is what the screen needs of the database. Every method may take long and is
// called from commands only.
type Library interface {
	// Pipeline returns what there is to be shown.
	Pipeline(ctx context.Context) (State, error)
	// DueText says whether a run is due, "" where nothing says when. A run may be planned
	// for it, which takes seconds where there is much to train on.
	DueText(ctx context.Context) (string, error)
	// Retry has what failed of a kind tried again at once, all of it if key is "", and
	// returns how many that are; with no kind, whatever failed.
	Retry(ctx context.Context, kind, key string) (int, error)
}

// State is what there is to be shown.
type State struct {
	Cycles   []cycle.Cycle     // the newest first, settled
	Leases   []lease.Lease     // in force
	Attempts []cycle.Attempt   // that wait
	Names    map[string]string // of what these are about, by their keys
	Agents   []inbox.Agent
	Uploads  []inbox.Arrival       // the newest first
	Runs     []train.Run           // that trained a model, the newest first
	Losses   map[int64]train.Point // the last loss of these, by their numbers
}

// Program is what the screen needs of the program.
type Program interface {
	// Jobs are those that run in it, Stop stops one.
	Jobs() []Job
	Stop(name string)
	// Narrow shows in the list what passes a filter; the way back leads to a screen.
	Narrow(n filter.Node, from *Screen)
	// Run opens the screen of a run, Plan that of the next one; NoPlan says why it
	// cannot, "" if it can.
	Run(id int64)
	Plan()
	NoPlan() string
	// Seen says that the curator sees what came.
	Seen()
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
}

// Job is work in the background.
type Job struct{ Name, Facts string }

// Screen shows what comes in and what is done with it.
type Screen struct {
	screen.Seat
	program Program
	lib     Library

	state   screen.Question[State]
	retried screen.Question[int]
	due     screen.Question[string]
	dueNext time.Time // when it is asked again

	page table.Page
}

// every is how often it is read again: nothing tells that an upload came or a step moved.
const every = time.Second

// What is due is asked again after dueEvery, and after dueRest times as long as that took:
// it may cost seconds of work, and others change the database all the time.
const dueEvery, dueRest = 5 * time.Second, 10

// New opens the screen; as it was left if there is an old one.
func New(seat screen.Seat, p Program, lib Library, old *Screen) *Screen {
	s := &Screen{Seat: seat, program: p, lib: lib, page: table.Page{Pen: seat.Pen}}
	if old != nil {
		s.page, s.dueNext = old.page, old.dueNext
		s.state.Got, s.state.Came, s.due.Got, s.due.Came = old.state.Got, old.state.Came, old.due.Got, old.due.Came
		s.Reload()
	}
	return s
}

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "look at what the row is about: a run on a screen of its own; in the list the segments of an upload or an agent, what failed", "look", (*Screen).look, (*Screen).noLook),
		screen.Key("=", "retry", "try again what waits: the row under the cursor, of a step all that failed in it", "try again", (*Screen).retry, (*Screen).noRetry),
		screen.Key("A", "retry-all", "try everything again that waits", "", (*Screen).retryAll, (*Screen).noRetryAll),
		screen.Key("x", "stop-job", "stop the job under the cursor", "", (*Screen).stop, (*Screen).noStop),
		screen.Key("e", "plan-run", "plan a run that trains a model: says what it would do before it begins", "plan", func(s *Screen) { s.program.Plan() }, func(s *Screen) string { return s.program.NoPlan() }),
		screen.Key("J", "next-section", "go to the next section", "section", (*Screen).nextSection, nil),
		screen.Key("K", "previous-section", "go to the section before", "", (*Screen).previousSection, nil),
		screen.Key("q esc P", keys.Back, "go back to the list", "back", (*Screen).Back, nil),
	}
}

// Awaits has keys wait for what is shown.
func (s *Screen) Awaits() bool { return s.state.Awaited() }

// Follow reads what is shown, again and again, and lays it out.
func (s *Screen) Follow(f screen.Frame) {
	s.page.Width, s.page.Height = f.Width, f.Height
	if !s.state.Asked() {
		s.Reload()
	}
	if !s.due.Open && !s.Now().Before(s.dueNext) {
		s.askDue()
	}
	s.program.Seen()
	s.layOut()
}

// Reload reads everything again.
func (s *Screen) Reload() {
	s.state.Ask(&s.Seat, s.lib.Pipeline, func(_ State, err error) {
		if s.state.Came {
			s.Fail("what comes in could not be read", err)
		}
		s.After(every, func() {
			if !s.state.Open {
				s.Reload()
			}
		})
	})
}

// askDue asks what is due, beside all else: it takes longer.
func (s *Screen) askDue() {
	began := s.Now()
	s.due.Ask(&s.Seat, s.lib.DueText, func(_ string, err error) {
		now := s.Now()
		s.dueNext = now.Add(max(dueEvery, dueRest*now.Sub(began)))
		s.Fail("what is due could not be found out", err)
	})
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.page.Move(m) }

func (s *Screen) nextSection() { s.page.NextSection() }

func (s *Screen) previousSection() { s.page.PreviousSection() }

// Click selects a row; a second click looks into it.
func (s *Screen) Click(_, y int) {
	if s.page.Click(y) {
		s.Act("look")
	}
}

// Copied is what the row under the cursor is called elsewhere.
func (s *Screen) Copied() (text, what string) { return s.page.Copied() }

// subject is what a row is about.
type subject struct {
	kind, key string // what is tried again; key is "" for all of a kind
	job       string // that x stops
	run       *train.Run
}

// at is what the row under the cursor is about.
func (s *Screen) at() (of subject) {
	if r := s.page.Selected(); r != nil {
		of, _ = r.Of.(subject)
	}
	return of
}

// sections are all of them, from the top: a new one is a function and a row here.
var sections = []func(*Screen) table.Section{
	(*Screen).jobs, (*Screen).steps, (*Screen).waiting, (*Screen).runs, (*Screen).agents, (*Screen).uploads, (*Screen).earlier,
}

// layOut makes the sections of what was read.
func (s *Screen) layOut() {
	var all []table.Section
	if s.state.Came {
		for _, of := range sections {
			all = append(all, of(s))
		}
	}
	s.page.Put(all)
}

// Header says what is shown.
func (s *Screen) Header(int) []draw.Part {
	return []draw.Part{{Text: s.Ink.Text.On("pipeline"), Worth: 8}}
}

// Lines draws the sections, or why there are none.
func (s *Screen) Lines(w, height int) []string {
	switch {
	case s.state.Err != nil && !s.state.Came:
		return s.Centred(w, height, s.Unread(w, "What comes in could not be read.", s.state.Err))
	case !s.state.Came:
		return s.Centred(w, height, []string{s.Ink.Muted.On("loading")})
	}
	return s.page.Lines(w, height)
}

// What keys do.

func (s *Screen) look() { s.page.Selected().Look() }

// narrow leaves for the list, and shows there what passes a filter.
func (s *Screen) narrow(n filter.Node) {
	s.Leave()
	s.program.Narrow(n, s)
}

func (s *Screen) noLook() string {
	r := s.page.Selected()
	return keys.Reason(r == nil || r.Look == nil, "there is nothing in the list that this is about")
}

func (s *Screen) retry() {
	of := s.at()
	s.ask(of.kind, of.key)
}

func (s *Screen) noRetry() string {
	return cmp.Or(s.program.NoChange(), s.noRetryOfRun(), keys.Reason(s.at().kind == "", "nothing of it waits"))
}

func (s *Screen) retryAll() { s.ask("", "") }

func (s *Screen) noRetryAll() string {
	return cmp.Or(s.program.NoChange(), keys.Reason(len(s.state.Got.Attempts) == 0, "nothing waits to be tried again"))
}

// ask has something tried again.
func (s *Screen) ask(kind, key string) {
	lib := s.lib
	s.retried.Ask(&s.Seat, func(ctx context.Context) (int, error) { return lib.Retry(ctx, kind, key) }, func(n int, err error) {
		switch {
		case err != nil:
			s.Fail("nothing is tried again", err)
		case n == 0:
			s.Say("nothing of it waits any more")
		default:
			s.Say("the next cycle tries " + draw.Plural(n, "thing") + " again")
		}
		s.Reload()
	})
}

func (s *Screen) stop() { s.program.Stop(s.at().job) }

func (s *Screen) noStop() string {
	return cmp.Or(s.noStopOfRun(), keys.Reason(s.at().job == "", "only a job of this program can be stopped here"))
}

// Package pipeline is the screen that tells what comes in and what is done with it
// while nobody looks: uploads as they come, the steps of the newest cycle and who is at
// it, what waits and why. What waits can be tried again, and jobs of the program stopped.
//
// A section is a function that makes its rows of what was read: see sections.
package pipeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"winnow/core/cycle"
	"winnow/core/filter"
	"winnow/core/inbox"
	"winnow/core/lease"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Library is what the screen needs of the database. Every method may take long and is
// called from commands only.
type Library interface {
	// Pipeline returns what there is to be shown.
	Pipeline(ctx context.Context) (State, error)
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
	Uploads  []inbox.Arrival // the newest first
}

// Program is what the screen needs of the program.
type Program interface {
	// Jobs are those that run in it, Stop stops one.
	Jobs() []Job
	Stop(name string)
	// Narrow shows in the list what passes a filter.
	Narrow(filter.Node)
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
	program       Program
	lib           Library
	width, height int

	state   screen.Question[State]
	retried screen.Question[int]

	sections []section
	lines    []line
	rows     []spot // that the cursor goes to
	cur, top int
	at       string // key of the row under the cursor
}

// every is how often it is read again: nothing tells that an upload came or a step moved.
const every = time.Second

// New opens the screen.
func New(seat screen.Seat, p Program, lib Library) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib}
}

// Rows returns the keys of the screen.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "show in the list what the row is about: the segments of an upload or an agent, what failed", "look", (*Screen).look, (*Screen).noLook),
		screen.Key("=", "retry", "try again what waits: the row under the cursor, of a step all that failed in it", "try again", (*Screen).retry, (*Screen).noRetry),
		screen.Key("A", "retry-all", "try everything again that waits", "", (*Screen).retryAll, (*Screen).noRetryAll),
		screen.Key("x", "stop-job", "stop the job under the cursor", "", (*Screen).stop, (*Screen).noStop),
		screen.Key("J", "next-section", "go to the next section", "section", (*Screen).nextSection, nil),
		screen.Key("K", "previous-section", "go to the section before", "", (*Screen).previousSection, nil),
		screen.Key("q esc P", keys.Back, "go back to the list", "back", (*Screen).Back, nil),
	}
}

// Awaits has keys wait for what is shown.
func (s *Screen) Awaits() bool { return s.state.Awaited() }

// Follow reads what is shown, again and again, and lays it out.
func (s *Screen) Follow(f screen.Frame) {
	s.width, s.height = f.Width, f.Height
	if !s.state.Asked() {
		s.Reload()
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

// row returns the row under the cursor, or nil.
func (s *Screen) row() *row {
	if s.cur >= len(s.rows) {
		return nil
	}
	at := s.rows[s.cur]
	return &s.sections[at.section].rows[at.row]
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.pick(s.cur + m.Step(s.height)) }

// pick puts the cursor on a row and brings it on the screen, the first one of a section
// with its title.
func (s *Screen) pick(i int) {
	if s.cur = max(0, min(i, len(s.rows)-1)); len(s.rows) == 0 {
		s.at, s.top = "", 0
		return
	}
	s.at = s.row().key
	at := s.rows[s.cur]
	first := at.line
	if at.row == 0 {
		first = s.sections[at.section].line
	}
	height := s.height - len(s.whole(s.width))
	s.top = max(min(s.top, first), at.line-height+1)
	s.top = max(0, min(s.top, len(s.lines)-height))
}

func (s *Screen) nextSection() {
	for i := s.cur; i < len(s.rows); i++ {
		if s.rows[i].section != s.rows[s.cur].section {
			s.pick(i)
			return
		}
	}
}

func (s *Screen) previousSection() {
	if len(s.rows) == 0 {
		return
	}
	of := s.rows[s.cur].section
	if s.rows[s.cur].row == 0 && s.cur > 0 {
		of = s.rows[s.cur-1].section
	}
	s.pick(slices.IndexFunc(s.rows, func(at spot) bool { return at.section == of }))
}

// Click selects a row; a second click looks into it.
func (s *Screen) Click(_, y int) {
	i := slices.IndexFunc(s.rows, func(at spot) bool { return at.line == s.top+y })
	switch {
	case i < 0:
	case i == s.cur:
		s.Act("look")
	default:
		s.pick(i)
	}
}

// Copied is what the row under the cursor is called elsewhere.
func (s *Screen) Copied() (text, what string) {
	if r := s.row(); r != nil {
		return r.copied, r.what
	}
	return "", ""
}

// What keys do.

func (s *Screen) look() { s.row().look() }

// narrow leaves for the list, and shows there what passes a filter.
func (s *Screen) narrow(n filter.Node) {
	s.Leave()
	s.program.Narrow(n)
}

func (s *Screen) noLook() string {
	r := s.row()
	return keys.Reason(r == nil || r.look == nil, "there is nothing in the list that this is about")
}

func (s *Screen) retry() {
	r := s.row()
	s.ask(r.kind, r.of)
}

func (s *Screen) noRetry() string {
	r := s.row()
	return cmp.Or(s.program.NoChange(), keys.Reason(r == nil || r.kind == "", "nothing of it waits"))
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

func (s *Screen) stop() { s.program.Stop(s.row().job) }

func (s *Screen) noStop() string {
	r := s.row()
	return keys.Reason(r == nil || r.job == "", "only a job of this program can be stopped here")
}

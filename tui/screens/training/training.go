// Package training is the screens of what trains a model: a run with its curve, its
// evaluations, its log and its samples, and the plan of the next one.
package training

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/table"
)

// Library is what the screens need of the database. Every method may take long and is
// called from commands only.
type Library interface {
	// Run returns what there is to be shown of a run.
	Run(ctx context.Context, id int64) (State, error)
	// Samples returns samples of a run in the order of their details, after one.
	Samples(ctx context.Context, id int64, after string, limit int) ([]Sample, error)
}

// Trainer begins runs and ends them. Its methods may take long, too.
type Trainer interface {
	// Plan says what a run would be; data is "full" or "new", "" as it is configured.
	Plan(ctx context.Context, data string) (train.Plan, error)
	// Begin begins such a run.
	Begin(ctx context.Context, data string) (train.Run, error)
	// Stop ends a run, Resume goes on with one from where it got.
	Stop(ctx context.Context, id int64) (train.Run, error)
	Resume(ctx context.Context, id int64) (train.Run, error)
	// Promote says that the result of a run is the model to use, if it gains enough or
	// with force.
	Promote(ctx context.Context, id int64, force bool) (train.Run, error)
}

// State is what there is to be shown of a run.
type State struct {
	Run          train.Run
	Points       []train.Point // by name and step
	Evals        []train.Eval
	Withdrawn    []train.Withdrawn // some of them
	AllWithdrawn int
	Warning      string   // of what it was made of, "" for none
	Log          []string // its last lines, as they were printed
	LogCut       bool     // there are earlier ones
}

// Sample is a sample of a run.
type Sample struct {
	train.Sample
	Title string // of its segment, as it is now
	Why   string // it would train no more, "" if it would
}

// Program is what the screen of a run needs of the program.
type Program interface {
	// Look shows a segment in the list.
	Look(segment string)
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
}

// Screen shows a run.
type Screen struct {
	screen.Seat
	program Program
	lib     Library
	trainer Trainer // nil: only commands begin and end runs
	id      int64

	state   screen.Question[State]
	more    screen.Question[[]Sample]
	changed screen.Question[train.Run]

	page    table.Page
	samples []table.Row // that were read
	last    string      // detail of the last of them
	whole   bool        // there are no more
	metric  string      // whose curve is shown, "" the one that matters most
	asked   time.Time   // when a key was pressed first that is to be pressed twice
	twice   string      // which one
}

// every is how often the run is read again, atOnce how many samples are.
const (
	every  = time.Second
	atOnce = 200
)

// New opens the screen of a run.
func New(seat screen.Seat, p Program, lib Library, trainer Trainer, id int64) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, trainer: trainer, id: id, page: table.Page{Pen: seat.Pen}}
}

// Rows returns the keys of the screen of a run.
func Rows() []keys.Row[*Screen] {
	return []keys.Row[*Screen]{
		screen.Key("enter", "look", "show in the list the segment of the sample under the cursor", "look", (*Screen).look, (*Screen).noLook),
		screen.Key("x", "stop-run", "stop the run: its processes end, what was saved stays", "stop", (*Screen).stop, (*Screen).noStop),
		screen.Key("=", "resume-run", "go on with a run that was stopped, failed or is lost", "resume", (*Screen).resume, (*Screen).noResume),
		screen.Key("p", "promote-run", "promote the run: its result is the model to use", "promote", (*Screen).promote, (*Screen).noPromote),
		screen.Key("tab", "next-curve", "draw the curve of the next metric", "next curve", (*Screen).nextCurve, (*Screen).noNextCurve),
		screen.Key("J", "next-section", "go to the next section", "section", func(s *Screen) { s.page.NextSection() }, nil),
		screen.Key("K", "previous-section", "go to the section before", "", func(s *Screen) { s.page.PreviousSection() }, nil),
		screen.Key("q esc", keys.Back, "go back", "back", (*Screen).Back, nil),
	}
}

// Awaits has keys wait for what is shown.
func (s *Screen) Awaits() bool { return s.state.Awaited() }

// Follow reads what is shown, again and again, and lays it out.
func (s *Screen) Follow(f screen.Frame) {
	s.page.Width, s.page.Height = f.Width, f.Height
	if !s.state.Asked() {
		s.read()
	}
	s.layOut()
	if s.state.Came && !s.whole && !s.more.Open && s.more.Err == nil && s.page.AtEnd() {
		s.readOn()
	}
}

// Reload reads everything again.
func (s *Screen) Reload() {
	s.samples, s.last, s.whole = nil, "", false
	s.more = screen.Question[[]Sample]{}
	s.read()
}

func (s *Screen) read() {
	lib, id := s.lib, s.id
	s.state.Ask(&s.Seat, func(ctx context.Context) (State, error) { return lib.Run(ctx, id) }, func(_ State, err error) {
		if s.state.Came {
			s.Fail("the run could not be read", err)
		}
		s.After(every, func() {
			if !s.state.Open {
				s.read()
			}
		})
	})
}

// readOn reads the next samples.
func (s *Screen) readOn() {
	lib, id, after := s.lib, s.id, s.last
	s.more.Ask(&s.Seat, func(ctx context.Context) ([]Sample, error) { return lib.Samples(ctx, id, after, atOnce) }, func(list []Sample, err error) {
		if s.Fail("the samples could not be read", err); err != nil {
			return
		}
		for i := range list {
			s.samples, s.last = append(s.samples, s.sample(&list[i])), list[i].Detail
		}
		s.whole = len(list) < atOnce
	})
}

// Move moves the cursor.
func (s *Screen) Move(m keys.Motion) { s.page.Move(m) }

// Click selects a row; a second click looks into it.
func (s *Screen) Click(_, y int) {
	if s.page.Click(y) {
		s.Act("look")
	}
}

// Copied is what the row under the cursor is called elsewhere.
func (s *Screen) Copied() (text, what string) { return s.page.Copied() }

// Header says what is shown.
func (s *Screen) Header(int) []draw.Part {
	parts := []draw.Part{{Text: s.Ink.Text.On(fmt.Sprintf("run %d", s.id)), Worth: 8}}
	if r := &s.state.Got.Run; s.state.Came {
		parts = append(parts, draw.Part{Text: draw.RunInk(r.Status)(&s.Ink).On(Word(r)), Worth: 7})
	}
	return parts
}

// Lines draws the sections, or why there are none.
func (s *Screen) Lines(w, height int) []string {
	switch {
	case s.state.Err != nil && !s.state.Came:
		return s.Centred(w, height, s.Unread(w, "The run could not be read.", s.state.Err))
	case !s.state.Came:
		return s.Centred(w, height, []string{s.Ink.Muted.On("loading")})
	}
	return s.page.Lines(w, height)
}

// What keys do.

func (s *Screen) look() { s.page.Selected().Look() }

func (s *Screen) noLook() string {
	r := s.page.Selected()
	return keys.Reason(r == nil || r.Look == nil, "only samples are in the list")
}

func (s *Screen) nextCurve() {
	names := s.curves()
	s.metric = names[(slices.Index(names, s.drawn())+1)%len(names)]
}

func (s *Screen) noNextCurve() string {
	return keys.Reason(len(s.curves()) < 2, "there is no other curve")
}

// byCommand says what does it where the screen cannot.
func (s *Screen) byCommand(verb string) string {
	return keys.Reason(s.trainer == nil, fmt.Sprintf("winnow runs %s %d does that", verb, s.id))
}

// again is within which time a key is pressed again that stops or promotes a run.
const again = 5 * time.Second

// sure reports whether the key of an action was pressed twice; else it says what the
// second time does.
func (s *Screen) sure(action, does string) bool {
	now := s.Now()
	if s.twice == action && now.Sub(s.asked) <= again {
		s.twice = ""
		return true
	}
	s.twice, s.asked = action, now
	s.Say(fmt.Sprintf("%s again %s", s.Key(action), does))
	return false
}

func (s *Screen) stop() {
	if s.sure("stop-run", fmt.Sprintf("stops run %d: its processes end, what was saved stays", s.id)) {
		s.change(Trainer.Stop, "the run is not stopped")
	}
}

func (s *Screen) promote() {
	if s.sure("promote-run", fmt.Sprintf("promotes run %d: its result is the model to use", s.id)) {
		s.change(func(t Trainer, ctx context.Context, id int64) (train.Run, error) { return t.Promote(ctx, id, false) }, fmt.Sprintf("winnow runs promote %d", s.id))
	}
}

func (s *Screen) noPromote() string {
	r := &s.state.Got.Run
	return cmp.Or(s.program.NoChange(), keys.Reason(!s.state.Came || r.Status != train.Succeeded, "only a run that succeeded is promoted"),
		keys.Reason(!r.Promoted.IsZero(), "the run is promoted already"), s.byCommand("promote"))
}

func (s *Screen) noStop() string {
	r := &s.state.Got.Run
	return cmp.Or(s.program.NoChange(), keys.Reason(!s.state.Came || r.Status.Ended(), "the run has ended"), s.byCommand("stop"))
}

func (s *Screen) resume() { s.change(Trainer.Resume, "the run does not go on") }

func (s *Screen) noResume() string {
	r := &s.state.Got.Run
	return cmp.Or(s.program.NoChange(), keys.Reason(!s.state.Came || !r.Status.Ended(), "the run has not ended"),
		keys.Reason(r.Status == train.Succeeded, "the run succeeded: nothing is left of it to be done"), s.byCommand("resume"))
}

// change has a trainer change the run, and reads what became of it.
func (s *Screen) change(do func(Trainer, context.Context, int64) (train.Run, error), failed string) {
	if s.changed.Open {
		s.Say("the trainer is being told already")
		return
	}
	t, id := s.trainer, s.id
	s.Say("telling the trainer")
	s.changed.Ask(&s.Seat, func(ctx context.Context) (train.Run, error) { return do(t, ctx, id) }, func(r train.Run, err error) {
		if s.Fail(failed, err); err == nil {
			s.Say(became(&r))
		}
		s.read()
	})
}

// became is what became of a run, in a sentence.
func became(r *train.Run) string {
	what := strings.TrimPrefix(r.Status.Clause(), "it ")
	switch {
	case !r.Promoted.IsZero():
		what = "is promoted"
	case r.Status == train.Failed && r.Error != "":
		what += ": " + r.Error
	}
	return fmt.Sprintf("run %d %s", r.ID, what)
}

// Word is what became of a run, in a word.
func Word(r *train.Run) string {
	if !r.Promoted.IsZero() {
		return "promoted"
	}
	return string(r.Status)
}

// metrics are the names of what has a curve, losses first.
func (s *Screen) metrics() (names []string) {
	for _, p := range s.state.Got.Points {
		if len(names) == 0 || names[len(names)-1] != p.Name {
			names = append(names, p.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// curves are those of them that are drawn: a single point is no curve.
func (s *Screen) curves() []string {
	return slices.DeleteFunc(s.metrics(), func(n string) bool { return len(s.of(n)) < 2 })
}

func rank(name string) int {
	switch {
	case name == "loss":
		return 0
	case strings.Contains(name, "loss"):
		return 1
	}
	return 2
}

// drawn is the metric whose curve is drawn, "" for none.
func (s *Screen) drawn() string {
	names := s.curves()
	switch {
	case slices.Contains(names, s.metric):
		return s.metric
	case len(names) > 0:
		return names[0]
	}
	return ""
}

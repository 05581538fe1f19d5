package training

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"winnow/core/train"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
	"winnow/tui/table"
)

// Planner is what the screen of a plan needs of the program.
type Planner interface {
	// Show opens the screen of a run.
	Show(run int64)
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
}

// PlanScreen shows what a run would be, and begins it.
type PlanScreen struct {
	screen.Seat
	program Planner
	trainer Trainer
	data    string // "" as it is configured
	plan    screen.Question[train.Plan]
	begun   screen.Question[train.Run]
	page    table.Page
}

// NewPlan opens the screen of a plan.
func NewPlan(seat screen.Seat, p Planner, trainer Trainer) *PlanScreen {
	return &PlanScreen{Seat: seat, program: p, trainer: trainer, page: table.Page{Pen: seat.Pen}}
}

// PlanRows returns the keys of the screen of a plan.
func PlanRows() []keys.Row[*PlanScreen] {
	return []keys.Row[*PlanScreen]{
		screen.Key("enter", "begin-run", "begin the run that is planned", "begin", (*PlanScreen).begin, (*PlanScreen).noBegin),
		screen.Key("tab", "data", "train everything, or only what is new", "all or new", (*PlanScreen).otherData, nil),
		screen.Key("q esc", keys.Back, "go back; gives up what is being begun", "back", (*PlanScreen).Back, nil),
	}
}

// Awaits has keys wait for the plan.
func (s *PlanScreen) Awaits() bool { return s.plan.Open }

// Follow makes the plan, and lays it out.
func (s *PlanScreen) Follow(f screen.Frame) {
	s.page.Width, s.page.Height = f.Width, f.Height
	if !s.plan.Asked() {
		s.Reload()
	}
	if s.plan.Came {
		s.page.Put([]table.Section{s.facts()})
	}
}

// Reload makes the plan again.
func (s *PlanScreen) Reload() {
	t, data := s.trainer, s.data
	s.plan.Ask(&s.Seat, func(ctx context.Context) (train.Plan, error) { return t.Plan(ctx, data) }, nil)
}

// Move moves the cursor.
func (s *PlanScreen) Move(m keys.Motion) { s.page.Move(m) }

// Copied is the text under the cursor.
func (s *PlanScreen) Copied() (text, what string) { return s.page.Copied() }

func (s *PlanScreen) facts() table.Section {
	p := &s.plan.Got
	f := &facts{pen: s.Pen, width: s.page.Width}
	f.add("due", strings.TrimPrefix(p.Due, "due: "), nil)
	f.add("samples", f.joined(draw.Plural(p.Samples, "sample"), draw.Grouped(p.New)+" of them new", counted(p.Validation, "held back for validation")), nil)
	f.add("tokens", draw.Grouped(int(p.Tokens)), nil)
	f.add("left out", counted(p.LeftOut, "by checks and options: "+p.Reasons), warn)
	f.add("the same", counted(p.Same, "say the same as others, and count once"), nil)
	what := "everything that is approved, from the base model"
	if p.Data == "new" {
		what = "only what no run had, from the last result"
	}
	f.add("trains", what, nil)
	from := p.Base
	if p.Parent != 0 {
		from = f.joined(from, fmt.Sprintf("the result of run %d", p.Parent))
	}
	f.add("model", from, nil)
	f.add("format", p.Format, draw.MutedInk)
	if p.Host != "" {
		f.add("sends to", p.Host, warn)
	}
	f.add("command", strings.Join(p.Command, " "), nil)
	sec := f.section()
	sec.Title, sec.Note = "a run would be", "nothing has begun: "+s.Key("begin-run")+" begins it"
	switch {
	case p.Samples == 0:
		sec.Note = "there is nothing to train on"
	case s.begun.Open:
		sec.Note = "its data is being written; " + s.WayBack() + " gives it up"
	}
	return sec
}

// Header says what is shown.
func (s *PlanScreen) Header(int) []draw.Part {
	return []draw.Part{{Text: s.Ink.Text.On("plan of a run"), Worth: 8}}
}

// Lines draws the plan, or why there is none.
func (s *PlanScreen) Lines(w, height int) []string {
	switch {
	case s.plan.Open:
		return s.Centred(w, height, []string{s.Ink.Muted.On("looking at what is approved")})
	case s.plan.Err != nil:
		return s.Centred(w, height, s.Failed(w, "No run can be planned.", s.plan.Err, s.wayOut()))
	}
	return s.page.Lines(w, height)
}

// wayOut is what helps where no run can be planned.
func (s *PlanScreen) wayOut() string {
	if s.data == "new" {
		return s.Key("data") + " plans one with everything that is approved"
	}
	return s.Key(keys.Reload) + " tries again; a changed configuration needs a new start of winnow"
}

func (s *PlanScreen) otherData() {
	if s.begun.Open {
		return
	}
	if s.data = "new"; s.plan.Got.Data == "new" || s.plan.Err != nil {
		s.data = "full"
	}
	s.Reload()
}

func (s *PlanScreen) begin() {
	t, data := s.trainer, s.plan.Got.Data
	s.begun.Ask(&s.Seat, func(ctx context.Context) (train.Run, error) { return t.Begin(ctx, data) }, func(r train.Run, err error) {
		if s.Fail("no run", err); err != nil {
			return
		}
		s.Leave()
		s.program.Show(r.ID)
	})
}

func (s *PlanScreen) noBegin() string {
	p := &s.plan
	return cmp.Or(s.program.NoChange(), keys.Reason(s.begun.Open, "it is being begun"), keys.Reason(p.Err != nil || !p.Came, "no run can be planned"),
		keys.Reason(p.Got.Samples == 0, "there is nothing to train on"))
}

package compress

import (
	"cmp"
	"context"
	"os/exec"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// Program is what the screen needs of the program.
type Program interface {
	// Segment is the one that is selected in the list, nil for none; Title is its
	// topic, Name how messages name it.
	Segment() *review.Segment
	Title(*review.Segment) string
	Name(*review.Segment) string
	// Query asks for what the list shows, in its order.
	Query() review.Query
	// Select selects a segment in the list.
	Select(s review.Segment)
	// Read goes to a message of the selected segment in the reader.
	Read(n int)
	// Keep has a proposal written. It takes the place of the one that was seen, nil
	// for none. ended is told whether it did.
	Keep(p proposal.Proposal, seen *proposal.Proposal, done string, ended func(error))
	// Judge has the proposal of a segment that was looked at accepted, rejected or
	// proposed again.
	Judge(seen *proposal.Proposal, to proposal.Status, done string, ended func(error))
	// Accept has those that were counted accepted, as one action; what changed
	// meanwhile is left out, and told.
	Accept(counted Waiting, ended func(error))
	// Ask has a model compress a segment, in the background; the curator has
	// allowed it. What comes of it takes the place of the proposal that was seen, nil
	// for none. Asking reports whether one is at it.
	Ask(segment string, w Way, seen *proposal.Proposal)
	Asking() bool
	// Add says something more in the footer.
	Add(text string)
	// Undo takes the last action back, Redo gives it again.
	Undo()
	Redo()
	// NoChange says why nothing can be changed, "" if it can.
	NoChange() string
	// Exec gives the terminal to a command. done runs beside the program when it
	// has ended, then runs what it returns in the program.
	Exec(cmd *exec.Cmd, done func(error) func())
}

// seen is a segment with what its proposal makes of it.
type seen struct {
	Look
	mark    string            // of what was read
	samples []compress.Sample // their tokens are not counted
	stale   bool              // the proposal is of other messages
	outline compress.Outline  // where nothing is left out
}

// Screen shows the proposal of the segment that is selected.
type Screen struct {
	screen.Seat
	program Program
	lib     Library
	drafts  Drafts
	frame   screen.Frame
	keys    map[string]string // of actions, see told

	of     string // id of the segment that is shown
	listed string // the one that was selected when the screen looked last
	seen   screen.Question[seen]
	costs  screen.Question[[]int] // of the samples
	way    Way                    // how a proposal is made next
	given  Way                    // what that is unless the curator chooses another
	marks  screen.Question[string]
	again  bool // somebody did something while the segment was read

	view    view
	pins    map[int]bool // messages that findings name, by index
	sample  int          // that is shown
	newest  bool         // the last one is to be shown
	finding int          // that was gone to last, from 1; 0 for none

	making  screen.Question[made]
	next    screen.Question[found]
	opening screen.Question[opened] // an editor
	draft   string                  // the file of its text, "" for none
	drafted drafted                 // what that is of
	writing bool                    // what was decided on is being written
	asks    asking
}

// New opens the screen.
func New(seat screen.Seat, p Program, lib Library, drafts Drafts) *Screen {
	return &Screen{Seat: seat, program: p, lib: lib, drafts: drafts}
}

// Place is where a question is answered while there is one.
func (s *Screen) Place() keys.Place {
	if s.asks.open {
		return keys.InCompressionAsk
	}
	return keys.InCompression
}

// Awaits has keys wait for the proposal that they are for.
func (s *Screen) Awaits() bool {
	return s.seen.Awaited() || s.writing || s.making.Open || s.next.Open || s.opening.Open || s.asks.awaited() || s.view.laid.Awaited()
}

// told are the actions whose keys are told above the sample, also while a question has
// other keys.
var told = []string{"make", "reject", "previous-sample", "next-sample", "next-finding", "strategy", "form", "target"}

// Follow shows the segment that is selected, and has what is shown laid out.
func (s *Screen) Follow(f screen.Frame) {
	if s.frame = f; !s.asks.open {
		s.keys = map[string]string{}
		for _, action := range told {
			s.keys[action] = s.Key(action)
		}
	}
	if of := s.program.Segment(); of != nil && of.ID != s.listed {
		if s.listed = of.ID; of.ID != s.of {
			s.show(of.ID)
		}
	}
	s.layOut()
}

// show shows another segment.
func (s *Screen) show(id string) {
	s.giveUp()
	s.of, s.sample, s.newest, s.finding = id, 0, true, 0
	s.seen, s.view, s.given, s.again = screen.Question[seen]{}, view{}, Way{}, false
	s.asks = asking{}
	s.Reload()
}

// giveUp ends what is under way for the segment that was shown.
func (s *Screen) giveUp() {
	s.seen.GiveUp()
	s.marks.GiveUp()
	s.costs.GiveUp()
	s.view.laid.GiveUp()
	s.making.GiveUp()
	s.next.GiveUp()
	s.asks.giveUp()
}

// Reload reads the segment and its proposal again.
func (s *Screen) Reload() {
	if s.of == "" {
		return
	}
	lib, id := s.lib, s.of
	s.marks.GiveUp()
	s.seen.Ask(&s.Seat, func(ctx context.Context) (seen, error) { return see(ctx, lib, id) }, func(_ seen, err error) {
		if err == nil {
			s.took()
		}
		s.lookAgain()
	})
}

// see reads a segment, and lays out its proposal.
func see(ctx context.Context, lib Library, id string) (g seen, err error) {
	if g.mark, err = lib.Mark(ctx, id); err != nil { // before: what comes between is read again
		return g, err
	}
	if g.Look, err = lib.Look(ctx, id); err != nil {
		return g, err
	}
	p, c := g.Proposal, g.Conversation
	switch {
	case p != nil && !p.Fits(c):
		g.stale = true
	case p != nil && p.Layers != nil:
		g.samples, err = p.Lay(c, compress.Options{Price: compress.Free{}}) // a long segment is counted when it is shown
	default:
		o := g.Options
		o.Tools = c.Tools
		g.outline = compress.Look(c.Messages, o)
	}
	return g, err
}

// count counts what the samples cost.
func (s *Screen) count() {
	s.costs = screen.Question[[]int]{}
	g := s.seen.Got
	if len(g.samples) < 2 {
		return
	}
	s.costs.Ask(&s.Seat, func(context.Context) (costs []int, err error) {
		samples, err := g.Proposal.Lay(g.Conversation, g.Options)
		for i := range samples {
			costs = append(costs, samples[i].Tokens)
		}
		return costs, err
	}, nil)
}

// cost is what a sample costs, 0 while that is counted.
func (s *Screen) cost(sample int) int {
	switch {
	case sample == len(s.seen.Got.samples)-1:
		return s.seen.Got.Proposal.After
	case sample < len(s.costs.Got):
		return s.costs.Got[sample]
	}
	return 0
}

// took shows what was read.
func (s *Screen) took() {
	g := &s.seen.Got
	given := wayOf(&g.Options)
	if p := g.Proposal; p != nil {
		given = Way{Strategy: p.Made.Strategy, Form: p.Made.Form, Target: p.Target}
	}
	if given != s.given { // else what the curator chose stays
		s.way, s.given = given, given
	}
	if last := len(g.samples) - 1; s.newest || s.sample > last {
		s.sample = max(0, last)
	}
	s.newest = false
	s.finding = min(s.finding, len(s.findings()))
	s.pins = s.pinned()
	if s.view.stale = true; len(g.samples) == 0 { // the lines of those that were there are of other messages
		s.view.laid.GiveUp()
		s.view = view{}
	}
	s.count()
}

// wayOf is how a proposal is made by options.
func wayOf(o *compress.Options) Way {
	by := o.By
	if by == nil {
		by = compress.Extract{}
	}
	return Way{Strategy: by.Name(), Form: o.Form.String(), Target: o.Target}
}

// Changed reads the segment again if what somebody did changed it. A read that is under
// way goes on: while others write all the time, none would come to an end.
func (s *Screen) Changed(int64) {
	switch {
	case s.of == "":
		return
	case s.seen.Open || s.marks.Open:
		s.again = true
		return
	case s.seen.Err != nil:
		s.Reload()
		return
	}
	lib, id := s.lib, s.of
	s.marks.Ask(&s.Seat, func(ctx context.Context) (string, error) { return lib.Mark(ctx, id) }, func(mark string, err error) {
		if err == nil && mark != s.seen.Got.mark {
			s.Reload()
			return
		}
		s.lookAgain()
	})
}

// lookAgain does what Changed left for when a read ends.
func (s *Screen) lookAgain() {
	if s.again {
		s.again = false
		s.Changed(0)
	}
}

// Back drops what is asked, or leaves.
func (s *Screen) Back() {
	if s.asks.open {
		s.dropAsked()
		return
	}
	if s.Leave(); s.draft != "" {
		s.Say("not kept: the text is in " + s.ShortPath(s.draft))
	}
}

// proposal is the one that is shown, nil for none.
func (s *Screen) proposal() *proposal.Proposal {
	if !s.seen.Came {
		return nil
	}
	return s.seen.Got.Proposal
}

// findings are those of the proposal.
func (s *Screen) findings() []compress.Finding {
	if p := s.proposal(); p != nil && !s.seen.Got.stale {
		return p.Findings
	}
	return nil
}

// Why keys do nothing.

func (s *Screen) noSegment() string {
	return keys.Reason(!s.seen.Came, cmp.Or(s.unread(), "there is no segment"))
}

func (s *Screen) unread() string {
	return keys.Reason(s.seen.Err != nil, "the segment could not be read: "+s.Key(keys.Reload)+" tries again")
}

func (s *Screen) noProposal() string {
	return cmp.Or(s.noSegment(), keys.Reason(s.proposal() == nil, "there is no proposal: "+s.Key("make")+" makes one"))
}

// noChange says why the proposal can't be changed or judged.
func (s *Screen) noChange() string { return cmp.Or(s.program.NoChange(), s.noProposal()) }

// noFresh is noChange for what needs the messages that it was made of.
func (s *Screen) noFresh() string {
	return cmp.Or(s.noChange(), keys.Reason(s.seen.Got.stale, "the messages have changed since: "+s.Key("make")+" makes it anew"))
}

func (s *Screen) noLines() string {
	return cmp.Or(s.noProposal(), keys.Reason(len(s.view.rows.Rows) == 0, "no messages are shown"))
}

// Header is that of the list.
func (s *Screen) Header(int) []draw.Part { return nil }

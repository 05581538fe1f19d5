package compress

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/clean"
	"winnow/core/filter"
	"winnow/tui/draw"
	"winnow/tui/screen"
)

// asking is a question that is asked below the sample: whether many are accepted, or
// whether a model is sent the messages.
type asking struct {
	open    bool
	way     Way // of the model
	sends   bool
	waiting screen.Question[Waiting]
	plan    screen.Question[Plan]
}

func (a *asking) awaited() bool { return a.waiting.Open || a.plan.Open }

func (a *asking) giveUp() {
	a.waiting.GiveUp()
	a.plan.GiveUp()
}

// dropAsked leaves it as it is.
func (s *Screen) dropAsked() {
	sent := s.asks.sends
	s.asks.giveUp()
	s.asks = asking{}
	if sent {
		s.Say("nothing was sent")
		return
	}
	s.Say("nothing was changed")
}

// askAll asks whether all proposals are accepted that pass the filter and of which
// nothing has to be looked at.
func (s *Screen) askAll() {
	s.asks = asking{open: true}
	q := s.program.Query()
	q.Filter = filter.All(q.Filter, withProposal(true))
	lib := s.lib
	s.asks.waiting.Ask(&s.Seat, func(ctx context.Context) (Waiting, error) { return lib.Waiting(ctx, q) }, func(w Waiting, err error) {
		switch {
		case err != nil:
			s.asks = asking{}
			s.Fail("the proposals could not be counted", err)
		case len(w.IDs) == 0:
			s.asks = asking{}
			s.Say("nothing to accept: " + strings.Join(append([]string{"no proposal without findings is left"}, w.told()...), " "+s.G.Dot+" "))
		}
	})
}

// askModel asks whether a model is sent the messages.
func (s *Screen) askModel(w Way) {
	s.asks = asking{open: true, sends: true, way: w}
	lib, id := s.lib, s.of
	s.asks.plan.Ask(&s.Seat, func(ctx context.Context) (Plan, error) { return lib.Plan(ctx, id, w) }, func(p Plan, err error) {
		switch {
		case err != nil:
			s.asks = asking{}
			s.Fail("nothing is sent", err)
		case p.Messages == 0:
			s.asks = asking{}
			s.Say("nothing is sent: no message may be left out")
		}
	})
}

// stillCounting says why a question can't be answered yet.
func (s *Screen) stillCounting() string {
	if s.asks.sends && s.asks.plan.Came || !s.asks.sends && s.asks.waiting.Came {
		return ""
	}
	return "still counting"
}

// answer does what is asked.
func (s *Screen) answer() {
	a := s.asks
	s.asks = asking{}
	if a.sends {
		if s.program.Asking() { // another one began meanwhile
			s.Say(s.noMake())
			return
		}
		s.way = a.way
		s.program.Ask(s.of, a.way, s.proposal())
		return
	}
	s.writing = true
	s.program.Accept(a.waiting.Got, func(error) {
		if s.writing = false; s.Ctx.Err() == nil {
			s.Reload()
		}
	})
}

// questionLines draw what is asked.
func (s *Screen) questionLines(w int) (lines []string) {
	a := &s.asks
	if !a.open {
		return nil
	}
	question, told := "", []string(nil)
	switch {
	case s.stillCounting() != "":
		question = "counting " + s.G.More
	case a.sends:
		p := &a.plan.Got
		question = "Send " + draw.Plural(p.Messages, "message") + ", about " + draw.Short(p.Tokens) + " tokens, to " + named(p.Host, s.G.More) + " for " + named(p.Model, s.G.More) + " to sum up?"
		told = []string{s.Key("yes") + " sends them, and later ones of this database without asking what may be sent"}
	default:
		n := &a.waiting.Got
		what := draw.Plural(len(n.IDs), "compression") + ", all there are"
		if node, _ := s.Filter(); node != nil {
			what = draw.Plural(len(n.IDs), "compression") + " of what passes the filter"
		}
		question, told = "Accept "+what+"?", n.told()
	}
	add := func(k draw.Ink, text string) {
		for l := range strings.SplitSeq(ansi.Wrap(text, max(8, w-2), ""), "\n") {
			lines = append(lines, draw.Fit(" "+k.On(l), w, s.G.More))
		}
	}
	add(s.Ink.Warn, question)
	if len(told) > 0 {
		add(s.Ink.Muted, strings.Join(told, " "+s.G.Dot+" "))
	}
	return lines
}

// told says which proposals are not among those that would be accepted.
func (n *Waiting) told() (list []string) {
	count := func(n int, one, many string) {
		if n > 0 {
			list = append(list, draw.OneOrMany(n, one, many))
		}
	}
	count(n.Found, "with findings is left", "with findings are left")
	count(n.Over, "is over the target", "are over the target")
	return list
}

// named is the name of a host or a model as far as a question has room for it.
func named(name, more string) string { return ansi.Truncate(clean.Line(draw.Head(name)), 40, more) }

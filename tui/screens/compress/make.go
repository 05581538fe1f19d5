package compress

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/clean"
	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/screen"
)

// strategies are the names of the strategies, the one that asks a model last.
var strategies = []string{compress.Extract{}.Name(), compress.Clear{}.Name(), compress.Model{}.Name()}

// by returns the strategy of a name that asks no model, nil for none.
func by(name string) compress.Strategy {
	switch name {
	case compress.Extract{}.Name():
		return compress.Extract{}
	case compress.Clear{}.Name():
		return compress.Clear{}
	}
	return nil
}

// By returns the options of a way; a model has to be set by who can ask one.
func (g *Look) By(w Way) compress.Options {
	o := g.Options
	o.By, o.Target, o.Form, o.Tools = by(w.Strategy), w.Target, compress.Split, g.Conversation.Tools
	if e, ok := g.Options.By.(compress.Extract); ok && w.Strategy == e.Name() {
		o.By = e // with what is configured of it
	}
	if w.Form == compress.Fold.String() {
		o.Form = compress.Fold
	}
	return o
}

func (s *Screen) noWay() string { return cmp.Or(s.program.NoChange(), s.noSegment()) }

func (s *Screen) noMake() string {
	return cmp.Or(s.noWay(), keys.Reason(s.program.Asking(), "a model is at it: "+s.Key("stop")+" stops it"))
}

// make makes a proposal, or makes it anew.
func (s *Screen) make() { s.makeBy(s.way) }

// otherWay makes the proposal in another way. Where there is none it is made with make.
func (s *Screen) otherWay(w Way) {
	if s.proposal() == nil {
		s.way = w
		return
	}
	s.makeBy(w)
}

// otherStrategy takes the next strategy.
func (s *Screen) otherStrategy() {
	of := strategies
	if s.seen.Got.Model == "" {
		of = of[:len(of)-1]
	}
	w := s.way
	w.Strategy = of[(slices.Index(of, w.Strategy)+1)%len(of)]
	s.otherWay(w)
}

// otherForm takes the other form.
func (s *Screen) otherForm() {
	w := s.way
	w.Form = compress.Fold.String()
	if s.way.Form == w.Form {
		w.Form = compress.Split.String()
	}
	s.otherWay(w)
}

// typeTarget asks for a target.
func (s *Screen) typeTarget() {
	s.Type(screen.Line{Label: "target in tokens", Offer: draw.Grouped(s.way.Target)}, func(typed string) {
		if strings.TrimSpace(typed) == "" { // it stays
			return
		}
		n, ok := tokensOf(typed)
		if !ok {
			s.Say("a target is " + draw.Grouped(leastTarget) + " to " + draw.Grouped(mostTarget) + " tokens, as 8000 or 8k, not " + clean.Line(draw.Head(typed)))
			return
		}
		w := s.way
		w.Target = n
		s.otherWay(w)
	})
}

// Bounds of a target: what is beyond them is a slip of the finger.
const leastTarget, mostTarget = 100, 10_000_000

// tokensOf reads a target: 8000, 8,000, 8k.
func tokensOf(typed string) (n int, ok bool) {
	typed = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(typed), ",", ""))
	digits, thousands := strings.CutSuffix(typed, "k")
	n, err := strconv.Atoi(digits)
	if thousands {
		n *= 1000
	}
	return n, err == nil && leastTarget <= n && n <= mostTarget
}

// makeBy makes a proposal in a way, in a command; a model is asked about first.
func (s *Screen) makeBy(w Way) {
	g := s.seen.Got.Look
	o := g.By(w)
	if o.By == nil {
		if s.program.Asking() {
			s.Say(s.noMake())
			return
		}
		if g.Model == "" {
			s.Say("no model is set: " + s.Key("strategy") + " takes a strategy that asks none")
			return
		}
		s.askModel(w)
		return
	}
	s.making.Ask(&s.Seat, func(ctx context.Context) (m made, err error) {
		m.Proposal = proposal.Make(ctx, g.Segment.ID, g.Segment.Digest, g.Conversation, o)
		if m.Status == proposal.Failed {
			m.least = compress.Look(g.Conversation.Messages, o).Least
		}
		return m, ctx.Err()
	}, func(m made, err error) {
		p := m.Proposal
		switch {
		case err != nil:
			s.Fail("no proposal was made", err)
		case p.Outcome == compress.UnderTarget:
			s.way = w
			s.Say(fmt.Sprintf("nothing to compress: it costs %s, the target is %s", draw.Plural(p.Before, "token"), draw.Grouped(w.Target)))
		case p.Status == proposal.Failed:
			s.way = w
			s.Say(w.Strategy + " makes no proposal: " + whyNot(p.Outcome, m.least, w.Target))
		default:
			done := "proposed by " + w.Strategy + ", " + w.Form + ": " + draw.Grouped(p.Before) + " " + s.G.Arrow + " " + draw.Plural(p.After, "token")
			if old := s.proposal(); old != nil && old.Changed {
				done += "; what was written by hand is gone"
			}
			s.newest, s.view.opened, s.view.unfolded = true, nil, nil
			s.keep(p, done, nil)
		}
	})
}

// made is a proposal, and what has to stay where it failed.
type made struct {
	proposal.Proposal
	least int
}

// keep has a proposal written. kept is called when it is.
func (s *Screen) keep(p proposal.Proposal, done string, kept func()) {
	s.writing = true
	s.program.Keep(p, s.proposal(), done, func(err error) {
		s.writing = false
		if err == nil && kept != nil {
			kept()
		}
		if s.Ctx.Err() == nil {
			s.Reload()
		}
	})
}

func (s *Screen) noMove() string {
	if reason := s.noFresh(); reason != "" {
		return reason
	}
	_, g, ok := s.region()
	switch {
	case !ok:
		return "the cursor is on no messages that are left out: " + s.Key("next-region") + " goes to the next"
	case g.Cleared:
		return "a cleared result is one message: " + s.Key("strategy") + " takes a strategy that sums up"
	}
	return ""
}

// moving moves an end of the region under the cursor.
func moving(last bool, by int) func(*Screen) {
	return func(s *Screen) {
		at, _, _ := s.region()
		g := s.seen.Got
		s.change(at, func() (proposal.Proposal, error) {
			return g.Proposal.Nudge(g.Conversation, g.Options, at, last, by)
		}, func(p *proposal.Proposal) string {
			r := &p.Layers[at.Layer][at.Region]
			return namesOf(&g.Conversation, r.From, r.To, s.G) + " left out: " + draw.Grouped(p.Before) + " " + s.G.Arrow + " " + draw.Plural(p.After, "token")
		}, nil)
	}
}

// change has a region changed, in a command, and what comes of it written. The cursor
// stays on the region.
func (s *Screen) change(at compress.Place, do func() (proposal.Proposal, error), done func(*proposal.Proposal) string, kept func()) {
	s.making.Ask(&s.Seat, func(context.Context) (m made, err error) { m.Proposal, err = do(); return m, err }, func(m made, err error) {
		p := m.Proposal
		if err != nil {
			s.Say("not changed: " + clean.Line(draw.Head(err.Error())))
			return
		}
		s.view.want = &wanted{msg: p.Layers[at.Layer][at.Region].From, region: true}
		s.keep(p, done(&p), kept)
	})
}

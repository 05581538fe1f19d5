package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Segmenting cuts the sessions of the database that are to be cut, behind the
// screen. Every method may take long and is called from commands only.
type Segmenting interface {
	// Plan tells what there is to be cut, and who would do it.
	Plan(ctx context.Context) (CutPlan, error)
	// Allow remembers for this database that its sessions may be sent to a
	// host.
	Allow(ctx context.Context, host string) error
	// Cut returns the job that cuts what there is: by rules, which send nothing
	// anywhere, or as Plan says. It fails if that would send something to a
	// host that is not allowed.
	Cut(rules bool) Job
}

// CutPlan says what is to be cut, and how.
type CutPlan struct {
	Sessions int
	Tokens   int    // estimated
	Host     string // where they are sent; "": nowhere, rules cut
	Model    string
	Allowed  bool // Host may be sent to
}

// quietBeforeModel is how long no messages came before a model is asked about
// those that did: an agent at work writes every few seconds, and each time its
// last task would be sent anew.
const quietBeforeModel = time.Minute

// cutting is the work of cutting sessions. It runs besides an import that
// waits for more.
type cutting struct {
	job     work.Job
	asked   bool // Plan is under way
	again   bool // there may be more since it was asked
	seen    int  // messages that the import had when it was asked last
	rules   bool // the curator wants nothing to be sent by this run
	off     bool // nothing is cut any more by this run
	byModel bool // as the last plan said
	delays  int  // number of the last delay
}

type (
	cutsPlanned struct {
		plan CutPlan
		err  error
	}
	// cutDelay says that no messages came for a while.
	cutDelay struct{ number int }
)

// lookForCuts finds out whether there is something to be cut.
func (a *App) lookForCuts() tea.Cmd {
	c := &a.cuts
	switch {
	case a.segmenting == nil || c.off:
		return a.lookForScores()
	case c.asked || c.job.Running:
		c.again = true
		return nil
	}
	c.asked, c.again = true, false
	ctx, segmenting := a.ctx, a.segmenting
	return func() tea.Msg {
		plan, err := segmenting.Plan(ctx)
		return cutsPlanned{plan, err}
	}
}

// cutNews looks for what is to be cut when messages came. Those that a model
// would be asked about wait until there are no more.
func (a *App) cutNews() tea.Cmd {
	c := &a.cuts
	came := a.job.Progress().Messages
	if came == c.seen {
		return nil
	}
	c.seen = came
	if !c.byModel {
		return a.lookForCuts()
	}
	c.delays++
	return a.after(quietBeforeModel, cutDelay{c.delays})
}

func (a *App) tookDelay(m cutDelay) tea.Cmd {
	if m.number != a.cuts.delays {
		return nil
	}
	return a.lookForCuts()
}

// tookPlan has cut what there is. Nothing is sent to a host that nobody was
// asked about.
func (a *App) tookPlan(m cutsPlanned) tea.Cmd {
	c := &a.cuts
	c.asked = false
	switch {
	case c.off:
		return a.lookForScores()
	case c.job.Running: // the question was answered meanwhile
		c.again = true
		return nil
	case m.err != nil:
		a.fail("segmenting", m.err)
		return a.lookForScores()
	case m.plan.Sessions == 0:
		if a.question != nil && !a.question.judge {
			a.question = nil
		}
		return tea.Batch(a.cutOn(), a.lookForScores())
	}
	c.byModel = m.plan.Host != "" && !c.rules
	switch {
	case a.question != nil && !a.question.judge: // what is sent is what it says
		a.question.sent = sentToCut(&m.plan)
		return a.cutOn()
	case c.byModel && !m.plan.Allowed: // until somebody answers, there is something to score
		return tea.Batch(a.openQuestion(question{sent: sentToCut(&m.plan)}), a.lookForScores())
	}
	return a.startCuts(a.segmenting.Cut(!c.byModel))
}

func sentToCut(p *CutPlan) sent {
	return sent{p.Sessions, "session", p.Tokens, p.Host, p.Model, "cut"}
}

// cutOn looks again if something came meanwhile.
func (a *App) cutOn() tea.Cmd {
	if !a.cuts.again {
		return nil
	}
	return a.lookForCuts()
}

func (a *App) startCuts(run Job) tea.Cmd {
	a.cuts.job = work.New(run, "segmenting")
	return a.start(&a.cuts.job)
}

// endCuts tells what was cut. What a verdict said stays, unless something went
// wrong.
func (a *App) endCuts(err error) tea.Cmd {
	j := &a.cuts.job
	j.Running = false
	p := j.Progress()
	switch {
	case j.Stopped && (err == nil || errors.Is(err, context.Canceled)):
		a.cuts.off = true
		a.say("segmenting stopped " + a.G.Dot + " the next start goes on")
	case err != nil:
		a.fail("segmenting", err)
	case p.Failed > 0:
		a.message = message{text: clean.Line(draw.Head(p.Note)), failed: true}
	case p.Note != "" && a.message.text == "":
		a.say("segmenting done " + a.G.Dot + " " + clean.Line(draw.Head(p.Note)))
	case p.Note != "" && a.message.done:
		note := clean.Line(draw.Head(p.Note))
		a.add(note)
		if a.job.Progress().Note == "" { // nothing that was left out
			a.message.short = note
		}
	}
	return tea.Batch(a.pollNow(), a.cutOn(), a.lookForScores())
}

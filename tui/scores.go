package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/tui/draw"
	"winnow/tui/work"
)

// Scoring scores the segments of the database that are to be scored, behind the
// screen. Every method may take long and is called from commands only.
type Scoring interface {
	// Plan tells what there is to be scored, and whether a model judges.
	Plan(ctx context.Context) (ScorePlan, error)
	// Allow remembers for this database that its sessions may be sent to a
	// host.
	Allow(ctx context.Context, host string) error
	// Measure is the job that measures what there is, which sends nothing
	// anywhere.
	Measure() Job
	// Judge is the job that has judged what Plan says. It fails if that would
	// send something to a host that is not allowed.
	Judge() Job
}

// ScorePlan says what is to be scored.
type ScorePlan struct {
	Segments int    // to be measured: those that are new, or have changed
	Judge    int    // of all, those that a model is to judge; 0 if none judges
	Tokens   int    // of these, estimated
	Host     string // where they are sent; "": nowhere
	Model    string
	Allowed  bool // Host may be sent to
}

// scoring is the work of scoring segments, which follows cutting. What can be
// measured is measured first, which takes moments.
type scoring struct {
	job      work.Job
	asked    bool // Plan is under way
	again    bool // there may be more since it was asked
	measured bool // what there is was measured: only a judge may have to do
	judging  bool // the job judges
	offline  bool // the curator wants nothing to be sent by this run
	off      bool // nothing is scored any more by this run
	seen     int  // messages that the import had when a model was asked last, -1: none was
	delays   int  // number of the last delay
}

type (
	scoresPlanned struct {
		plan ScorePlan
		err  error
	}
	// scoreDelay says that no messages came for a while.
	scoreDelay struct{ number int }
)

// lookForScores finds out whether there is something to be scored.
func (a *App) lookForScores() tea.Cmd {
	s := &a.scores
	switch {
	case a.scoring == nil || s.off:
		return nil
	case s.asked || s.job.Running:
		s.again = true
		return nil
	}
	s.asked, s.again = true, false
	ctx, scoring := a.ctx, a.scoring
	return func() tea.Msg {
		plan, err := scoring.Plan(ctx)
		return scoresPlanned{plan, err}
	}
}

// tookScorePlan has scored what there is. Nothing is sent to a host that nobody
// was asked about.
func (a *App) tookScorePlan(m scoresPlanned) tea.Cmd {
	s := &a.scores
	s.asked = false
	measured := s.measured
	s.measured = false
	judges := m.plan.Judge > 0 && m.plan.Host != "" && !s.offline
	q := a.question
	switch {
	case s.off:
		return nil
	case s.job.Running: // the question was answered meanwhile
		s.again = true
		return nil
	case m.err != nil:
		a.fail("scoring", m.err)
		return nil
	case m.plan.Segments > 0 && !measured:
		s.judging = false
		return a.startScores(a.scoring.Measure())
	case q != nil && q.judge && !judges:
		a.question = nil
	case q != nil && q.judge: // what is sent is what it says
		q.sent = sentToJudge(&m.plan)
	case !judges || q != nil: // the other question comes first
	case !m.plan.Allowed:
		return a.openQuestion(question{sent: sentToJudge(&m.plan), judge: true})
	default:
		return a.judgeWhenQuiet()
	}
	return a.scoreOn()
}

func sentToJudge(p *ScorePlan) sent {
	return sent{p.Judge, "segment", p.Tokens, p.Host, p.Model, "judge"}
}

// judgeWhenQuiet begins to have segments judged. If more messages came since a
// model was asked, an agent is at work: it is waited until it pauses.
func (a *App) judgeWhenQuiet() tea.Cmd {
	s := &a.scores
	came := a.job.Progress().Messages
	if s.seen < 0 || s.seen == came {
		s.seen = came
		return a.startJudging(a.scoring.Judge())
	}
	s.seen = came
	s.delays++
	return a.after(quietBeforeModel, scoreDelay{s.delays})
}

func (a *App) tookScoreDelay(m scoreDelay) tea.Cmd {
	if m.number != a.scores.delays {
		return nil
	}
	return a.lookForScores()
}

// scoreOn looks again if something came meanwhile.
func (a *App) scoreOn() tea.Cmd {
	if !a.scores.again {
		return nil
	}
	return a.lookForScores()
}

func (a *App) startJudging(run Job) tea.Cmd {
	a.scores.judging = true
	return a.startScores(run)
}

func (a *App) startScores(run Job) tea.Cmd {
	name := "scoring"
	if a.scores.judging {
		name = "judging"
	}
	a.scores.job = work.New(run, name)
	return a.start(&a.scores.job)
}

// endScores goes on with what a judge has to do. Of what was measured nothing is
// told: the scores are there.
func (a *App) endScores(err error) tea.Cmd {
	s := &a.scores
	j := &s.job
	j.Running = false
	p := j.Progress()
	switch {
	case j.Stopped && (err == nil || errors.Is(err, context.Canceled)):
		s.off = true
		a.say(j.Name + " stopped " + a.G.Dot + " the next start goes on")
	case err != nil:
		a.fail(j.Name, err)
	case p.Failed > 0:
		a.message = message{text: clean.Line(draw.Head(p.Note)), failed: true}
	case p.Note != "" && a.message.text == "":
		a.say(j.Name + " done " + a.G.Dot + " " + clean.Line(draw.Head(p.Note)))
	}
	if !s.judging && err == nil && !s.again {
		s.again, s.measured = true, true
	}
	return tea.Batch(a.pollNow(), a.scoreOn())
}

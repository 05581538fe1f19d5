package work

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/draw"
)

// quiet is how long no messages came before a model is asked about those that
// did: an agent at work writes every few seconds, and each time its last task
// would be sent anew.
const quiet = time.Minute

// Planner has all work done that is done besides drawing: it looks for what there
// is to do, asks before anything is sent to a model, runs jobs and tells how they
// ended. What is imported is cut, what is cut is scored, and the rest is done when
// there is nothing else to do.
type Planner struct {
	// Export and Summary are jobs that a key starts, Import the one that brings
	// sessions.
	Export, Summary, Import *Kind

	host     Host
	dot      string // between the parts of a message
	more     string // stands for what is cut off
	cuts     *Kind
	scores   *Kind
	kinds    []*Kind   // what is stopped first, and shown, stands first
	question *question // that is asked, or waits to be
	seen     int       // messages of the import when it was looked for cuts last
	told     int       // messages that the curator was told of
	before   int       // messages before those that the footer counts
}

// NewPlanner returns the planner of a program, with the job that imports, if there
// is one; exported tells how an export ended.
func NewPlanner(h Host, g *draw.Glyphs, s Sources, imports Job, exported func(error) tea.Cmd) *Planner {
	p := &Planner{host: h, dot: " " + g.Dot + " ", more: g.More, Export: &Kind{ended: exported}, Summary: &Kind{}}
	p.Import = &Kind{Job: imports, ended: p.imported}
	p.scores = &Kind{source: s.Scores, sentAt: -1, words: words{name: "scoring", model: "judging", counts: "segment", to: "judge", was: "judged", instead: "keeps the measured scores"}}
	p.cuts = &Kind{source: s.Cuts, next: p.scores, words: words{name: "segmenting", counts: "session", to: "cut", was: "cut", instead: "cuts by rules on this machine"}}
	p.kinds = []*Kind{
		p.Export, p.Summary, p.cuts, p.scores, p.Import,
		{source: s.Texts, leisure: true, words: words{name: "text index"}},
		{source: s.Alikes, leisure: true, words: words{name: "alike segments"}},
		{source: s.Learns, leisure: true, words: words{name: "learning"}},
	}
	for _, k := range p.kinds {
		if k.off = k.source == nil; k.ended == nil {
			k.ended = func(err error) tea.Cmd { return p.ended(k, err) }
		}
	}
	return p
}

// Begin starts the import. Without one it looks for what is to be done.
func (p *Planner) Begin() tea.Cmd {
	if p.Import.run != nil {
		return p.Start(p.Import, p.Import.Job)
	}
	return p.look(p.cuts)
}

// Start starts a job, moves its progress line and has it tell how it ended, unless
// another job took its place by then.
func (p *Planner) Start(k *Kind, j Job) tea.Cmd {
	k.Job = j
	run := k.start(p.host.Context(), p.host.Now())
	done := k.done
	var tick Then
	tick = func() tea.Cmd {
		switch {
		case k.done != done || !k.Running:
			return nil
		case k == p.Import:
			return p.tickImport(tick)
		}
		return p.host.After(Every, tick)
	}
	return tea.Batch(p.host.After(Every, tick), func() tea.Msg {
		err := run()
		return Then(func() tea.Cmd {
			if k.done != done {
				return nil
			}
			k.Running = false
			return k.ended(err)
		})
	})
}

// Score looks for segments that are to be scored.
func (p *Planner) Score() tea.Cmd { return p.look(p.scores) }

// Scoring reports whether segments are being scored.
func (p *Planner) Scoring() bool { return p.scores.Running }

// Changed says that the database changed: there may be more to do at leisure.
func (p *Planner) Changed() {
	for _, k := range p.kinds {
		k.again = k.again || k.leisure
	}
}

// Leisure looks for what is done at leisure, one kind after the other, unless it is
// known that there is nothing, or other work goes first.
func (p *Planner) Leisure() tea.Cmd {
	for _, k := range p.kinds {
		switch {
		case !k.leisure || k.off || k.waits || !k.again && !k.asked && !k.Running:
		case k.asked || k.Running || p.hurried():
			return nil
		default:
			return p.look(k)
		}
	}
	return nil
}

// hurried reports whether something is under way that what is done at leisure waits
// for. A judge may take hours, and so may an export or a
// summary.
func (p *Planner) hurried() bool {
	for _, k := range p.kinds {
		long := k == p.Export || k == p.Summary || k == p.scores && k.sending
		if !k.leisure && (k.asked || k.Busy() && !long) {
			return true
		}
	}
	return false
}

// look finds out whether there is something to do of a kind.
func (p *Planner) look(k *Kind) tea.Cmd {
	switch {
	case k == nil:
		return nil
	case k.off:
		return p.look(k.next)
	case k.asked || k.Running:
		k.again = true
		return nil
	}
	k.asked, k.again = true, false
	ctx, source := p.host.Context(), k.source
	return func() tea.Msg {
		plan, err := source.Plan(ctx)
		return Then(func() tea.Cmd { return p.planned(k, plan, err) })
	}
}

// planned has done what there is to do. Nothing is sent to a host that nobody was
// asked about.
func (p *Planner) planned(k *Kind, plan Plan, err error) tea.Cmd {
	here := k.here
	k.asked, k.here = false, false
	if k.local {
		if k.model == "" {
			plan.Here += plan.Sent
		}
		plan.Sent = 0
	}
	if plan.Here+plan.Sent > 0 {
		k.sends = plan.Sent > 0
	}
	switch q := p.question; {
	case k.off:
		return p.look(k.next)
	case k.Running: // the question was answered meanwhile
		k.again = true
		return nil
	case err != nil:
		k.off = k.leisure // it would fail again
		p.host.Fail(k.name, err)
		return p.look(k.next)
	case k.leisure && plan.Here > 0 && p.hurried():
		k.again = true
		return nil
	case plan.Wait > 0 && plan.Here > 0:
		return tea.Batch(p.later(k, plan.Wait), p.Leisure())
	case plan.Here > 0 && !here:
		return p.run(k, false, nil)
	case plan.Sent == 0:
		if q != nil && q.of == k {
			p.question = nil
		}
		return tea.Batch(p.goOn(k), p.look(k.next))
	case q != nil && q.of == k: // what is sent is what it says
		q.Plan = plan
		return p.goOn(k)
	case q != nil && q.of.next == k: // that question comes first
		return p.goOn(k)
	case plan.Allow != nil: // until somebody answers, there is other work
		return tea.Batch(p.ask(k, plan), p.look(k.next))
	case k == p.scores && p.came():
		return p.wait(k)
	}
	return p.run(k, true, nil)
}

// came reports whether messages came since a model was asked to judge: then an agent
// is at work, and it is waited until it pauses.
func (p *Planner) came() bool {
	before := p.scores.sentAt
	p.scores.sentAt = p.Import.Progress().Messages
	return before >= 0 && before != p.scores.sentAt
}

// wait looks for what there is to do once no messages have come for a while.
func (p *Planner) wait(k *Kind) tea.Cmd {
	k.delays++
	n := k.delays
	return p.host.After(quiet, Then(func() tea.Cmd {
		if n != k.delays {
			return nil
		}
		return p.look(k)
	}))
}

// later does what is done at leisure once a while is over and nothing else is under
// way.
func (p *Planner) later(k *Kind, wait time.Duration) tea.Cmd {
	k.waits = true
	return p.host.After(wait, Then(func() tea.Cmd {
		k.waits = false
		if k.off || k.Running || k.asked {
			return nil
		}
		if p.hurried() || p.resting() {
			return p.later(k, wait)
		}
		return p.run(k, false, nil)
	}))
}

// resting reports whether something is done at leisure.
func (p *Planner) resting() bool {
	return slices.ContainsFunc(p.kinds, func(k *Kind) bool { return k.leisure && (k.asked || k.Running) })
}

// goOn looks again if something came meanwhile.
func (p *Planner) goOn(k *Kind) tea.Cmd {
	switch {
	case k.leisure:
		return p.Leisure()
	case k.again:
		return p.look(k)
	}
	return nil
}

// run starts the job of a kind, which does something else before. One that runs is
// stopped first, and what it leaves is looked for after.
func (p *Planner) run(k *Kind, send bool, before func(context.Context) error) tea.Cmd {
	name := k.name
	if send && k.model != "" {
		name = k.model
	}
	k.sending, k.again = send, k.again || k.Running
	source := k.source
	return p.Start(k, k.Then(func(ctx context.Context, report func(Progress)) error {
		if before != nil {
			if err := before(ctx); err != nil {
				return err
			}
		}
		return source.Do(ctx, send, report)
	}, name))
}

// ended tells how a job ended, and goes on. What else was said stays, unless
// something went wrong. Of what was measured nothing is told: the scores are there.
func (p *Planner) ended(k *Kind, err error) tea.Cmd {
	note, said := k.note(), p.host.Said()
	switch {
	case k.stopped(err):
		k.off = true
		p.host.Say(k.Name+" stopped"+p.dot+"the next start continues", Other)
	case err != nil:
		k.off = k.leisure
		p.host.Fail(k.Name, err)
	case k.leisure: // its note told how far it was
	case k.Progress().Failed > 0:
		p.host.Fail("", errors.New(note))
	case note != "" && said == Nothing:
		p.host.Say(k.Name+" done"+p.dot+note, Other)
	case note != "" && said == Brought && k == p.cuts:
		p.host.Add(note)
	}
	if k.model != "" && !k.sending && err == nil && !k.again {
		k.again, k.here = true, true
	}
	return tea.Batch(p.host.Poll(), p.goOn(k), p.look(k.next))
}

// Shown returns the job that is stopped next, nil for none. One that waits for more
// to do comes last.
func (p *Planner) Shown() *Job {
	for _, waits := range []bool{false, true} {
		for _, k := range p.kinds {
			if k.Running && k.Waiting == waits && (!k.leisure || k.seen != Progress{}) {
				return &k.Job
			}
		}
	}
	return nil
}

// Busy returns the job whose progress is shown, nil for none.
func (p *Planner) Busy() *Job {
	if j := p.Shown(); j != nil && !j.Waiting {
		return j
	}
	return nil
}

// Jobs returns the jobs that run, what is stopped first in front.
func (p *Planner) Jobs() (list []*Job) {
	for _, k := range p.kinds {
		if k.Running {
			list = append(list, &k.Job)
		}
	}
	return list
}

// Stop cancels the job that is shown.
func (p *Planner) Stop() { p.End(p.Shown()) }

// End cancels a job; it says itself when it has ended.
func (p *Planner) End(j *Job) {
	j.Stop()
	p.host.Say("stopping the "+j.Name, Other)
}

// Look takes what all jobs have told.
func (p *Planner) Look() {
	for _, k := range p.kinds {
		k.Look()
	}
}

// Wait returns when all jobs have ended.
func (p *Planner) Wait() {
	for _, k := range p.kinds {
		k.Wait()
	}
}

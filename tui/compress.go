package tui

import (
	"cmp"
	"context"
	"errors"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"winnow/core/clean"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
	"winnow/tui/keys"
	"winnow/tui/rows"
	"winnow/tui/screens/compress"
	"winnow/tui/work"
)

// Compressions make proposals to compress segments, and keep what curators decide on
// them. It may take long and is called from commands only.
type Compressions interface {
	// See compress.Library, which has the segments besides.
	Look(ctx context.Context, segment string) (compress.Look, error)
	Mark(ctx context.Context, segment string) (string, error)
	Waiting(ctx context.Context, q review.Query) (compress.Waiting, error)
	// Still returns those of the proposals that were counted that say the same by now.
	Still(ctx context.Context, counted compress.Waiting) (map[string]proposal.Proposal, error)
	Plan(ctx context.Context, segment string, w compress.Way) (compress.Plan, error)
	// Propose keeps proposals; those that somebody judged and that still fit stay.
	Propose(ctx context.Context, list []proposal.Proposal) (review.Proposing, error)
	// ChangeProposal puts a proposal in the place of the one that was read, as an
	// entry of the journal.
	ChangeProposal(ctx context.Context, curator string, read, to *proposal.Proposal) (review.Entry, error)
	// JudgeProposals gives proposals a verdict, as one entry of the journal.
	JudgeProposals(ctx context.Context, c review.Compressing) (review.Entry, error)
	// Summarize has a model compress a segment, and returns what is proposed. The
	// curator has allowed that its messages are sent.
	Summarize(ctx context.Context, segment string, w compress.Way, report func(Progress)) (proposal.Proposal, error)
}

// compressing is the database as the screen of compressions needs it.
type compressing struct {
	rows.Library
	Compressions
}

// noCompressions says why no compression can be shown, "" if it can.
func (a *App) noCompressions() string {
	return cmp.Or(keys.Reason(a.opt.Compressions == nil, "no compressions here"), a.NoSegment())
}

// forCompress is the program as the screen of compressions needs it.
type forCompress struct{ *App }

func (p forCompress) Segment() *review.Segment { return p.List.Selected() }

func (p forCompress) Name(s *review.Segment) string { return p.NameOf(s) }

func (p forCompress) Title(s *review.Segment) string {
	return cmp.Or(clean.Line(draw.Head(s.Topic)), p.App.Title(s))
}

func (p forCompress) Query() review.Query {
	w := &p.List
	return review.Query{Filter: p.Room.Filter.Node, Order: w.Order, Seed: w.Seed, Threshold: w.Doubt, Quotas: p.opt.Quotas}
}

func (p forCompress) Select(s review.Segment) { p.also = append(p.also, p.Room.GoTo(&s, "")) }

func (p forCompress) Read(n int) { p.also = append(p.also, p.ReadAt(p.List.Selected().ID, n)) }

func (p forCompress) Undo() { p.also = append(p.also, p.App.Step(false)) }

func (p forCompress) Redo() { p.also = append(p.also, p.App.Step(true)) }

func (p forCompress) Exec(cmd *exec.Cmd, done func(error) func()) { forEdit{p.App}.Exec(cmd, done) }

// Keep implements compress.Program.
func (p forCompress) Keep(to proposal.Proposal, seen *proposal.Proposal, done string, ended func(error)) {
	a := p.App
	lib, curator := a.opt.Compressions, a.opt.Curator
	to.By, to.At = curator, a.opt.Now()
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		return keepProposal(ctx, lib, curator, &to, seen)
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		a.saidOf(&e, done, err)
		ended(err)
		return nil
	}))
}

// keepProposal keeps a proposal in the place of the one that was seen, as an entry of
// the journal: it can be brought back. seen is nil for none.
func keepProposal(ctx context.Context, lib Compressions, curator string, to, seen *proposal.Proposal) (review.Entry, error) {
	if seen != nil {
		return lib.ChangeProposal(ctx, curator, seen, to)
	}
	n, err := lib.Propose(ctx, []proposal.Proposal{*to})
	if err == nil && n.Written == 0 {
		err = errors.New("the segment or its proposal changed meanwhile: look again")
	}
	return review.Entry{}, err
}

// Judge implements compress.Program.
func (p forCompress) Judge(seen *proposal.Proposal, to proposal.Status, done string, ended func(error)) {
	a := p.App
	lib, j := a.opt.Compressions, review.Compressing{Curator: a.opt.Curator, IDs: []string{seen.Segment}, To: to}
	j.Seen = map[string]proposal.Proposal{seen.Segment: *seen}
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (review.Entry, error) {
		return lib.JudgeProposals(ctx, j)
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		if err == nil && e.ID == 0 {
			done = "nothing is changed: it is like that"
		}
		a.saidOf(&e, done, err)
		ended(err)
		return nil
	}))
}

// Accept implements compress.Program.
func (p forCompress) Accept(counted compress.Waiting, ended func(error)) {
	a := p.App
	lib, j, left := a.opt.Compressions, review.Compressing{Curator: a.opt.Curator, To: proposal.Accepted}, 0
	a.also = append(a.also, a.Act(func(ctx context.Context, _ rows.Library) (e review.Entry, err error) {
		if j.Seen, err = lib.Still(ctx, counted); err != nil {
			return e, err
		}
		for _, id := range counted.IDs {
			if _, same := j.Seen[id]; same {
				j.IDs = append(j.IDs, id)
			}
		}
		if left = len(counted.IDs) - len(j.IDs); len(j.IDs) == 0 {
			return e, nil
		}
		return lib.JudgeProposals(ctx, j)
	}, func(e review.Entry, _ []review.Segment, err error) tea.Cmd {
		done := draw.Plural(len(j.IDs), "compression") + " accepted"
		if left > 0 {
			done += " " + a.G.Dot + " " + draw.OneOrMany(left, "changed meanwhile and is left", "changed meanwhile and are left")
		}
		a.saidOf(&e, done, err)
		ended(err)
		return nil
	}))
}

// saidOf says what was done, with the key that takes it back if there is an entry of
// the journal; or why it was not.
func (a *App) saidOf(e *review.Entry, done string, err error) {
	switch {
	case err != nil:
		a.Fail("not changed", err)
	case e.ID == 0:
		a.Say(done)
	default:
		a.SayUndo(done, a.keyIn("undo", keys.InList)+" undo")
	}
}

// Asking implements compress.Program.
func (p forCompress) Asking() bool { return p.work.Summary.Running }

// Ask implements compress.Program: a model compresses a segment while one reads on.
// What it made is kept unless the proposal that was seen changed meanwhile.
func (p forCompress) Ask(segment string, w compress.Way, seen *proposal.Proposal) {
	a := p.App
	lib, curator, now := a.opt.Compressions, a.opt.Curator, a.opt.Now
	job := work.New(func(ctx context.Context, report func(Progress)) error {
		to, err := lib.Summarize(ctx, segment, w, report)
		switch {
		case err != nil:
			return err
		case to.Status == proposal.Failed:
			return errors.New(cmp.Or(to.Reason, "no summary came that may be used"))
		case to.Layers == nil:
			return errors.New("it fits: there is nothing to sum up")
		}
		to.By, to.At = curator, now()
		_, err = keepProposal(context.WithoutCancel(ctx), lib, curator, &to, seen)
		return err
	}, "summary")
	a.also = append(a.also, a.work.Start(a.work.Summary, job))
}

// endSummary tells how a summary ended.
func (a *App) endSummary(err error) tea.Cmd {
	switch {
	case err != nil && a.work.Summary.Stopped && errors.Is(err, context.Canceled):
		a.Say("summary stopped " + a.G.Dot + " what the model answered is kept, and not asked again")
	case err != nil:
		a.Fail("nothing is proposed by the model", err)
	default:
		a.Say("the model's summary is proposed")
	}
	a.ReadAgain()
	a.Changed()
	return a.poll()
}

package compress

import (
	"context"
	"fmt"
	"strings"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/export"
	"winnow/core/filter"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/tui/draw"
)

// Judging is a command that judges proposals.
type Judging struct {
	Name, Short, What, Done string
	To                      proposal.Status
}

// Judgings are the commands that do.
var Judgings = []Judging{
	{"accept", "Accept what is proposed: segments are exported compressed", "accept what is proposed", "accepted", proposal.Accepted},
	{"reject", "Reject what is proposed: segments are exported whole", "reject what is proposed", "rejected", proposal.Rejected},
	{"reset", "Take a verdict on a proposal back", "take the verdicts on their proposals back", "open again", proposal.Proposed},
}

// Judged narrows a filter to the proposals that a command is about: those that
// nobody judged, or, for one that takes verdicts back, that somebody did; all that can
// be judged if the filter itself tells which.
func (j *Judging) Judged(n filter.Node) filter.Node {
	words := []string{"proposed"}
	switch {
	case filter.Asks(n, filter.Compression):
		words = []string{"proposed", "accepted", "rejected"}
	case j.To == proposal.Proposed:
		words = []string{"accepted", "rejected"}
	}
	var any filter.Or
	for _, w := range words {
		any = append(any, filter.Term{Field: filter.Compression, Op: filter.Is, Value: w})
	}
	if len(any) == 1 {
		return filter.All(n, any[0])
	}
	return filter.All(n, any)
}

// Judge judges the proposals of segments, as one entry of the journal.
func (c *Command) Judge(ctx context.Context, lib Library, j *Judging, curator string, ids []string) error {
	e, err := lib.JudgeProposals(ctx, review.Compressing{Curator: curator, IDs: ids, To: j.To})
	if err != nil {
		return fmt.Errorf("compress %s: %w", j.Name, err)
	}
	if *c.JSON {
		return c.Out.JSON(tell.EntryOf(&e))
	}
	if len(e.Proposals) == 0 {
		c.Out.Printf("nothing changed: %s %s already\n", print.Plural(len(ids), "proposal is", "proposals are"), j.Done)
		return nil
	}
	c.Out.Printf("%s %s\n", print.Plural(len(e.Proposals), "proposal is", "proposals are"), j.Done)
	return nil
}

// shownRow is what "compress show" prints as JSON.
type shownRow struct {
	proposal.Proposal
	Fits bool `json:"fits"` // the segment has these messages still
}

// Show prints what is proposed for a segment.
func (c *Command) Show(ctx context.Context, lib Library, seg *review.Segment) error {
	list, err := lib.Proposals(ctx, []string{seg.ID})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return c.Fail(failed, fmt.Errorf("nothing is proposed for %s: %s does that", seg.Short(), c.Command("compress --filter id:"+seg.Short())))
	}
	p := &list[0]
	conv, err := export.ConversationOf(ctx, lib, seg)
	if err != nil {
		return err
	}
	if *c.JSON {
		return c.Out.JSON(shownRow{Proposal: *p, Fits: p.Fits(conv)})
	}
	c.printProposal(seg, p, &conv)
	return nil
}

// printProposal prints a proposal: what it is, the texts with what they stand for, and
// what a person should look at.
func (c *Command) printProposal(seg *review.Segment, p *proposal.Proposal, conv *proposal.Conversation) {
	o, m := c.Out, &p.Made
	o.Printf("%s  %s\n", seg.Short(), seg.Topic)
	state := string(seg.Compression)
	if p.Judge != "" {
		state += " by " + p.Judge
	}
	made := m.Strategy + ", " + m.Form
	if m.Model != "" {
		made += ", by " + m.Model
	}
	if m.Hindsight {
		made += ", names chosen by hindsight"
	}
	if p.Changed {
		made += ", changed by a person"
	}
	o.Printf("%s: %s\n", state, made)
	if p.Status == proposal.Failed {
		o.Printf("%s; the target is %d: %s\n", draw.Plural(p.Before, "token"), p.Target, reasonOf(p))
	} else {
		o.Printf("%s before, %s after in %s; the target is %s, counted by %s\n", draw.Plural(p.Before, "token"), draw.Grouped(p.After),
			draw.Plural(p.Samples, "sample"), draw.Grouped(p.Target), m.Counter)
	}
	if p.Dropped > 0 {
		o.Printf("%s not trained\n", print.Plural(p.Dropped, "answer is", "answers are"))
	}
	if !p.Fits(*conv) {
		o.Printf("the messages have changed since: %s makes it anew\n", c.Command(anew(seg, p)))
	}
	c.printRegions(p, conv)
	for _, f := range p.Findings {
		o.Printf("! %s\n", f.String())
	}
}

// anew is the command that makes a proposal again, in the same way.
func anew(seg *review.Segment, p *proposal.Proposal) string {
	words := fmt.Sprintf("compress --to %d --by %s --keep %s", p.Target, p.Made.Strategy, p.Made.Form)
	if review.ByHand(p) {
		words += " --again"
	}
	return words + " --filter id:" + seg.Short()
}

// printRegions prints what stands for which messages.
func (c *Command) printRegions(p *proposal.Proposal, conv *proposal.Conversation) {
	fits := p.Fits(*conv)
	number := func(i int) string {
		if !fits || i >= len(conv.Messages) {
			return fmt.Sprint(i + 1)
		}
		m := &conv.Messages[i]
		if m.Part > 0 {
			return fmt.Sprintf("%d.%d", m.N, m.Part)
		}
		return fmt.Sprint(m.N)
	}
	for k, layer := range p.Layers {
		if len(p.Layers) > 1 {
			c.Out.Printf("\nsample %d\n", k+2)
		}
		for i := range layer {
			g := &layer[i]
			place := "#" + number(g.From)
			if g.To-g.From > 1 {
				place += "–#" + number(g.To-1)
			}
			c.Out.Printf("\n%s: %s of %s become %s as the %s's\n", place, draw.Plural(g.Tokens, "token"), draw.Plural(g.To-g.From, "message"), draw.Grouped(g.Cost), string(g.Role))
			for line := range strings.Lines(g.Text) {
				c.Out.Printf("  %s\n", clean.Line(strings.TrimRight(line, "\r\n")))
			}
		}
	}
}

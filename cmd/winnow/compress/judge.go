package compress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cmd/winnow/print"
	"winnow/cmd/winnow/tell"
	"winnow/core/clean"
	"winnow/core/compress"
	"winnow/core/export"
	"winnow/core/filter"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
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

// AddJudging adds the flags of a command that judges.
func (c *Command) AddJudging(j *Judging) func(*cobra.Command) {
	return func(cmd *cobra.Command) {
		if j.To == proposal.Accepted {
			cmd.Flags().BoolVar(&c.all, "all", false, "with --filter: accept what is over the target and has findings, too")
		}
	}
}

// Gate leaves out of segments that passed a filter those whose proposals a person
// should look at before they are accepted, as the screen does.
func (c *Command) Gate(ctx context.Context, lib Library, j *Judging, ids []string) (sound []string, err error) {
	if j.To != proposal.Accepted || c.all {
		return ids, nil
	}
	for page := range slices.Chunk(ids, batch) {
		list, err := lib.Proposals(ctx, page)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if p := &list[i]; !p.Over && len(p.Findings) == 0 {
				sound = append(sound, p.Segment)
			}
		}
	}
	if n := len(ids) - len(sound); n > 0 {
		c.Warn("not %s: %s over the target or with findings: look at them first, or say --all", j.Done, draw.Plural(n, "proposal"))
	}
	return sound, nil
}

// Judge judges the proposals of segments, as one entry of the journal.
func (c *Command) Judge(ctx context.Context, lib Library, j *Judging, curator string, ids []string) error {
	e, err := lib.JudgeProposals(ctx, review.Compressing{Curator: curator, IDs: ids, To: j.To})
	if err != nil {
		return fmt.Errorf("compress %s: %w", j.Name, c.whyNot(ctx, lib, ids, err))
	}
	if *c.JSON {
		return c.Out.JSON(tell.EntryOf(&e))
	}
	if len(e.Proposals) == 0 {
		c.Out.Printf("nothing changed: %s %s already\n", print.Plural(len(ids), "proposal is", "proposals are"), j.Done)
		return nil
	}
	more, err := "", error(nil)
	if j.To == proposal.Accepted {
		more, err = doubts(ctx, lib, e.Proposals)
	}
	c.Out.Printf("%s %s%s\n", print.Plural(len(e.Proposals), "proposal is", "proposals are"), j.Done, more)
	return err
}

// whyNot says more of why proposals can't be judged: that there is none, or why it failed.
func (c *Command) whyNot(ctx context.Context, lib Library, ids []string, err error) error {
	if !errors.Is(err, review.ErrNotFound) && !errors.Is(err, review.ErrConflict) {
		return err
	}
	for _, id := range ids {
		switch list, fails := lib.Proposals(ctx, []string{id}); {
		case fails != nil:
			return err
		case len(list) == 0:
			return fmt.Errorf("nothing is proposed for %s: %s does that, or says why not", review.Short(id), c.Command("compress --filter id:"+review.Short(id)))
		case list[0].Status == proposal.Failed:
			return fmt.Errorf("%s failed, and there is nothing to judge: %s", review.Short(id), reasonOf(&list[0]))
		}
	}
	return err
}

// doubts says how many of the proposals that were accepted are not as one would wish, ""
// for none.
func doubts(ctx context.Context, lib Library, changes []review.ProposalChange) (string, error) {
	over, found := 0, 0
	for page := range slices.Chunk(changes, batch) {
		ids := make([]string, len(page))
		for i := range page {
			ids[i] = page[i].Segment
		}
		list, err := lib.Proposals(ctx, ids)
		if err != nil {
			return "", err
		}
		for i := range list {
			if list[i].Over {
				over++
			}
			if len(list[i].Findings) > 0 {
				found++
			}
		}
	}
	text := ""
	if over > 0 {
		text = fmt.Sprintf("; %s over the target", print.Plural(over, "is", "are"))
	}
	if found > 0 {
		text += fmt.Sprintf("; %s findings to look at", print.Plural(found, "has", "have"))
	}
	return text, nil
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
	switch {
	case p.Judge != "" && state == string(review.CompressionOutdated):
		state += fmt.Sprintf(" (it was %s by %s)", p.Status, p.Judge)
	case p.Judge != "":
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
		o.Printf("%s; the target is %s: %s\n", draw.Plural(p.Before, "token"), draw.Grouped(p.Target), reasonOf(p))
	} else {
		o.Printf("%s before, %s after in %s; the target is %s, counted by %s\n", draw.Plural(p.Before, "token"), draw.Grouped(p.After),
			draw.Plural(p.Samples, "sample"), draw.Grouped(p.Target), m.Counter)
	}
	if p.Over {
		o.Printf("over the target%s\n", overIn(p, conv))
	}
	if p.Dropped > 0 {
		o.Printf("%s not trained\n", print.Plural(p.Dropped, "answer is", "answers are"))
	}
	if !p.Fits(*conv) {
		o.Printf("the messages have changed since: %s makes it anew\n", c.Command(anew(seg, p)))
	}
	c.printRegions(p, conv)
	told := map[string]bool{}
	for _, f := range p.Findings { // samples that share a context find the same in it
		if text := f.String(); !told[text] {
			told[text] = true
			o.Printf("! %s\n", text)
		}
	}
}

// overIn says which samples are over the target, with their tokens, where that can be
// counted.
func overIn(p *proposal.Proposal, conv *proposal.Conversation) string {
	counter, err := token.Named(p.Made.Counter)
	if err != nil || !p.Fits(*conv) {
		return ""
	}
	samples, err := p.Lay(*conv, compress.Options{Price: export.Price(counter, conv.Tools)})
	if err != nil {
		return ""
	}
	var over []string
	for i := range samples {
		if n := samples[i].Tokens; n > p.Target {
			over = append(over, fmt.Sprintf("sample %d has %s", i+1, draw.Plural(n, "token")))
		}
	}
	if len(over) == 0 {
		return ""
	}
	return ": " + strings.Join(over, ", ")
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

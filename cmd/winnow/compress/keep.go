package compress

import (
	"context"
	"errors"
	"strings"
	"time"

	"winnow/core/compress"
	"winnow/core/proposal"
	"winnow/core/review"
)

const (
	// batch is how many proposals are written at once, and often how long they wait
	// for others at most.
	batch = 64
	often = 2 * time.Second
)

// replace puts a proposal in the place of one that a person judged or changed, as an
// entry of the journal.
func (g *Proposer) replace(ctx context.Context, was, p *proposal.Proposal) error {
	_, err := g.Store.ChangeProposal(context.WithoutCancel(ctx), g.Curator, was, p)
	others := map[string]bool{}
	if errors.Is(err, review.ErrConflict) || errors.Is(err, review.ErrNotFound) {
		others[p.Segment], err = false, nil
	}
	if err == nil {
		g.count(func(*ProposeReport) { g.written(p, others) })
	}
	return err
}

// keep notes a proposal, and writes those that were noted now and then.
func (g *Proposer) keep(ctx context.Context, p proposal.Proposal) error {
	g.mu.Lock()
	g.left = append(g.left, p)
	g.mu.Unlock()
	return g.flush(ctx, false)
}

// flush writes what was noted, unless that is little and new.
func (g *Proposer) flush(ctx context.Context, all bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.left) == 0 || !all && len(g.left) < batch && g.Now().Sub(g.wrote) < often {
		return nil
	}
	list := g.left
	g.left, g.wrote = nil, g.Now()
	n, err := g.Store.Propose(ctx, list)
	if err != nil {
		return err
	}
	g.r.Removed += n.Removed
	var others map[string]bool
	if n.Kept+n.Passed > 0 {
		if others, err = g.others(ctx, list); err != nil {
			return err
		}
	}
	for i := range list {
		g.written(&list[i], others)
	}
	return nil
}

// others finds proposals that were not kept, and tells whether what is there instead is a
// person's.
func (g *Proposer) others(ctx context.Context, list []proposal.Proposal) (map[string]bool, error) {
	others := map[string]bool{}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Segment
		others[ids[i]] = false
	}
	there, err := g.Store.Proposals(ctx, ids)
	is := map[string]*proposal.Proposal{}
	for i := range there {
		is[there[i].Segment] = &there[i]
	}
	for i := range list {
		switch p := is[ids[i]]; {
		case p != nil && review.ByHand(p):
			others[ids[i]] = true
		case p != nil && p.Status == list[i].Status:
			delete(others, ids[i])
		}
	}
	return others, err
}

// written counts what became of a proposal.
func (g *Proposer) written(p *proposal.Proposal, others map[string]bool) {
	r := &g.r
	byHand, another := others[p.Segment]
	switch {
	case p.Outcome == compress.UnderTarget:
		return // counted already
	case byHand:
		r.Kept++
	case another:
		r.Passed++
	case p.Status == proposal.Failed:
		r.Failed++
		check := checkOf(p)
		r.Reasons[check]++
		g.Told(Unfit{p.Segment, check, reasonOf(p)})
	default:
		r.Proposed++
		r.Before, r.After, r.Samples = r.Before+p.Before, r.After+p.After, r.Samples+p.Samples
		r.Dropped, r.Findings = r.Dropped+p.Dropped, r.Findings+len(p.Findings)
		if p.Over {
			r.Over++
		}
	}
	g.Shown(r.done(), r.Segments, r)
}

// checkOf names why a proposal failed.
func checkOf(p *proposal.Proposal) string {
	if p.Outcome != compress.Failed {
		return string(p.Outcome)
	}
	for i := range p.Findings {
		if strings.HasSuffix(p.Reason, p.Findings[i].Detail) {
			return p.Findings[i].Check
		}
	}
	return "no_answer"
}

// reasonOf says in words why a proposal failed.
func reasonOf(p *proposal.Proposal) string {
	switch {
	case p.Reason != "":
		return p.Reason
	case p.Outcome == compress.Nothing:
		return "all of it has to stay"
	case p.Outcome == compress.NoSavings:
		return "what may go costs no more than what would stand for it"
	}
	return string(p.Outcome)
}

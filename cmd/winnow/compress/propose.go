package compress

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"winnow/core/compress"
	"winnow/core/export"
	"winnow/core/filter"
	"winnow/core/proposal"
	"winnow/core/review"
	"winnow/core/token"
)

// Library is what is asked of the database, and changed in it.
type Library interface {
	export.Source
	Drafts
	IDs(ctx context.Context, q review.Query) ([]string, error)
	Segment(ctx context.Context, id string) (review.Segment, error)
	Proposals(ctx context.Context, ids []string) ([]proposal.Proposal, error)
	Propose(ctx context.Context, list []proposal.Proposal) (review.Proposing, error)
	JudgeProposals(ctx context.Context, c review.Compressing) (review.Entry, error)
	ChangeProposal(ctx context.Context, curator string, read, to *proposal.Proposal) (review.Entry, error)
}

// Proposer makes proposals of segments that are over a budget of tokens.
type Proposer struct {
	Store   Library
	Filter  filter.Node // nil: all but rejected ones
	Limit   int         // of segments that are compressed, 0: all
	Options compress.Options
	Counter token.Counter
	// Again makes anew what is there, also what a person rejected or changed, and what was
	// accepted and is stale: through the journal, which brings it back.
	Again   bool
	Curator string
	Jobs    int // at once
	Now     func() time.Time
	// Shown is told how far the run is, Told of each segment that nothing could be
	// done for.
	Shown func(done, all int, r *ProposeReport)
	Told  func(Unfit)

	mu    sync.Mutex
	r     ProposeReport
	taken int // of Limit
	left  []proposal.Proposal
	wrote time.Time
}

// Unfit is a segment that stays over the target.
type Unfit struct {
	Segment string `json:"id"`
	Check   string `json:"check"` // what failed
	Reason  string `json:"reason"`
}

// ProposeReport is what a run came to. Segments is the sum of UnderTarget, Proposed,
// Failed, Kept, Passed and Left.
type ProposeReport struct {
	Segments    int            `json:"segments"`
	UnderTarget int            `json:"under_target"`
	Proposed    int            `json:"proposed"`
	Over        int            `json:"over"` // of the proposed ones, over the target still
	Failed      int            `json:"failed"`
	FailedKept  int            `json:"failed_kept"` // of the failed ones, that keep what was proposed before
	Reasons     map[string]int `json:"reasons"`     // why
	Removed     int            `json:"removed"`     // proposals of those under the target
	Kept        int            `json:"kept"`        // with a proposal that stays: judged, changed by a person, or the same
	StaleKept   int            `json:"stale_kept"`  // of the kept ones, that are stale, and judged or changed by a person
	Passed      int            `json:"changed_meanwhile"`
	Left        int            `json:"left"` // beyond the limit
	Before      int            `json:"tokens_before"`
	After       int            `json:"tokens_after"` // of the last samples
	Samples     int            `json:"samples"`
	Dropped     int            `json:"answers_dropped"`
	Findings    int            `json:"findings"`
	Uncut       int            `json:"uncut"`      // of those over the target, whose sessions are not cut yet
	CannotFit   int            `json:"cannot_fit"` // of those that a dry run would compress
	Asks        int            `json:"asks"`       // for which a model would be asked, of a dry run
	Send        int            `json:"tokens_send"`
}

// Run makes proposals and keeps them. With dry, nothing is written and nobody asked.
func (g *Proposer) Run(ctx context.Context, dry bool) (ProposeReport, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	g.r, g.taken, g.left, g.wrote = ProposeReport{Reasons: map[string]int{}}, 0, nil, g.Now()
	ids, err := g.Store.IDs(ctx, review.Query{Filter: filter.All(g.Filter, filter.Not{Of: review.HasVerdict(review.Rejected)}), Order: review.Natural})
	if err != nil {
		return g.r, err
	}
	g.r.Segments = len(ids)
	g.Shown(0, len(ids), &g.r)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan string)
	var workers sync.WaitGroup
	for range max(1, g.Jobs) {
		workers.Go(func() {
			for id := range next {
				if err := g.segment(ctx, id, dry); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	for _, id := range ids {
		select {
		case next <- id:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	err = context.Cause(ctx)
	// What was made is kept even if the rest is not wanted any more.
	if kept := g.flush(context.WithoutCancel(ctx), true); err == nil || errors.Is(err, context.Canceled) {
		err = errors.Join(err, kept)
	}
	return g.r, err
}

// segment makes the proposal of a segment.
func (g *Proposer) segment(ctx context.Context, id string, dry bool) error {
	seg, err := g.Store.Segment(ctx, id)
	if errors.Is(err, review.ErrNotFound) {
		g.count(func(r *ProposeReport) { r.Passed++ })
		return nil
	}
	if err != nil {
		return err
	}
	c, err := export.ConversationOf(ctx, g.Store, &seg)
	if err != nil {
		return err
	}
	o := g.Options
	o.Tools, o.Price = c.Tools, export.Price(g.Counter, c.Tools)
	under := tokens(&c, o.Price) <= o.Target
	was, err := g.there(ctx, &seg)
	if err != nil {
		return err
	}
	byHand := was != nil && review.ByHand(was)
	switch {
	case under:
		g.count(func(r *ProposeReport) { r.UnderTarget++ })
		if was == nil || byHand || dry {
			return nil
		}
		// It was longer once, or the target was another one.
		return g.keep(ctx, proposal.Proposal{Segment: seg.ID, Content: seg.Digest, Sum: c.Sum(), Status: proposal.Failed, Outcome: compress.UnderTarget})
	case was != nil && g.stays(was, was.Fits(c)):
		g.count(func(r *ProposeReport) {
			if r.Kept++; !was.Fits(c) {
				r.StaleKept++
			}
		})
		return nil
	case !g.take():
		g.count(func(r *ProposeReport) { r.Left++ })
		return nil
	}
	if seg.CutBy == review.CutProvisional {
		g.count(func(r *ProposeReport) { r.Uncut++ })
	}
	if dry {
		g.look(&seg, &c, o)
		return nil
	}
	p := proposal.Make(ctx, seg.ID, seg.Digest, c, o)
	if err := ctx.Err(); err != nil {
		return err
	}
	p.By, p.At = g.Curator, g.Now()
	switch {
	case p.Status == proposal.Failed && (byHand || seg.Compression == review.CompressionProposed):
		g.count(func(r *ProposeReport) { // what is there is better
			r.FailedKept++
			g.written(&p, nil)
		})
		return nil
	case byHand:
		return g.replace(ctx, was, &p)
	}
	return g.keep(ctx, p)
}

// tokens is what a conversation costs.
func tokens(c *proposal.Conversation, price compress.Price) int {
	n := price.Rest()
	for i := range c.Messages {
		n += price.Message(&c.Messages[i])
	}
	return n
}

// there returns the proposal that a segment has, nil for none.
func (g *Proposer) there(ctx context.Context, seg *review.Segment) (*proposal.Proposal, error) {
	if seg.Compression == review.Uncompressed {
		return nil, nil
	}
	list, err := g.Store.Proposals(ctx, []string{seg.ID})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// stays reports whether the proposal that is there is to stay: one that was judged, or
// that a person changed, also if it no longer fits; or one that was made in the same way.
func (g *Proposer) stays(p *proposal.Proposal, fits bool) bool {
	switch {
	case fits && p.Status == proposal.Accepted:
		return true
	case g.Again:
		return false
	}
	return review.ByHand(p) || fits && p.Status != proposal.Failed && g.alike(p)
}

// alike reports whether a proposal was made as one would be now.
func (g *Proposer) alike(p *proposal.Proposal) bool {
	by, _ := g.Options.By.(compress.Extract)
	model, _ := g.Options.By.(compress.Model)
	m := &p.Made
	return p.Target == g.Options.Target && p.Summary == g.Options.Summary && p.Tail == g.Options.Tail && m.Strategy == g.Options.By.Name() && m.Form == g.Options.Form.String() &&
		m.Counter == g.Counter.Name() && m.Model == model.Model && (m.Strategy != by.Name() || m.Hindsight == !by.Foresight)
}

// take takes one of the segments that may be compressed.
func (g *Proposer) take() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Limit > 0 && g.taken == g.Limit {
		return false
	}
	g.taken++
	return true
}

// look tells what would be done with a segment.
func (g *Proposer) look(seg *review.Segment, c *proposal.Conversation, o compress.Options) {
	look := compress.Look(c.Messages, o)
	g.count(func(r *ProposeReport) {
		r.Before += look.Before
		least := ""
		if look.Least > o.Target {
			least = fmt.Sprintf("what has to stay costs %d tokens", look.Least)
		}
		if look.Outcome != compress.Compressed {
			r.Failed++
			r.Reasons[string(look.Outcome)]++
			reason := reasonOf(&proposal.Proposal{Outcome: look.Outcome})
			if least != "" {
				reason += ": " + least
			}
			g.Told(Unfit{seg.ID, string(look.Outcome), reason})
			return
		}
		r.Proposed++
		if least != "" {
			r.CannotFit++
			g.Told(Unfit{seg.ID, "cannot_fit", "cannot fit: " + least})
		}
		if r.Send += look.Send; look.Send > 0 {
			r.Asks++
		}
	})
}

// count changes the report, and tells how far the run is.
func (g *Proposer) count(f func(*ProposeReport)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.r)
	r := &g.r
	g.Shown(r.done(), r.Segments, r)
}

// done is how many segments something is known of.
func (r *ProposeReport) done() int {
	return r.UnderTarget + r.Proposed + r.Failed + r.Kept + r.Passed + r.Left
}

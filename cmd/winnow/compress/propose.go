package compress

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
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
}

// Proposer makes proposals of segments that are over a budget of tokens.
type Proposer struct {
	Store   Library
	Filter  filter.Node // nil: all but rejected ones
	Limit   int         // of segments that are compressed, 0: all
	Options compress.Options
	Counter token.Counter
	// Again makes anew what is there, also what was rejected.
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
	redo  []string // of left, whose rejection is taken back
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
	Reasons     map[string]int `json:"reasons"` // why
	Removed     int            `json:"removed"` // proposals of those under the target
	Kept        int            `json:"kept"`    // with a proposal that stays: judged, changed by a person, or the same
	Passed      int            `json:"changed_meanwhile"`
	Left        int            `json:"left"` // beyond the limit
	Before      int            `json:"tokens_before"`
	After       int            `json:"tokens_after"` // of the last samples
	Samples     int            `json:"samples"`
	Dropped     int            `json:"answers_dropped"`
	Findings    int            `json:"findings"`
	CannotFit   int            `json:"cannot_fit"` // of those that a dry run would compress
	Asks        int            `json:"asks"`       // for which a model would be asked, of a dry run
	Send        int            `json:"tokens_send"`
}

// Run makes proposals and keeps them. With dry, nothing is written and nobody asked.
func (g *Proposer) Run(ctx context.Context, dry bool) (ProposeReport, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	g.r, g.taken, g.left, g.redo, g.wrote = ProposeReport{Reasons: map[string]int{}}, 0, nil, nil, g.Now()
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
	stays, rejected, err := g.stays(ctx, &seg, &c, under)
	switch {
	case err != nil:
		return err
	case under:
		g.count(func(r *ProposeReport) { r.UnderTarget++ })
		if stays || dry || seg.Compression == review.Uncompressed {
			return nil
		}
		// It was longer once, or the target was another one.
		return g.keep(ctx, proposal.Proposal{Segment: seg.ID, Content: seg.Digest, Sum: c.Sum(), Status: proposal.Failed, Outcome: compress.UnderTarget}, false)
	case stays:
		g.count(func(r *ProposeReport) { r.Kept++ })
		return nil
	case !g.take():
		g.count(func(r *ProposeReport) { r.Left++ })
		return nil
	case dry:
		g.look(&seg, &c, o)
		return nil
	}
	p := proposal.Make(ctx, seg.ID, seg.Digest, c, o)
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.Status == proposal.Failed && seg.Compression == review.CompressionProposed {
		g.count(func(*ProposeReport) { g.written(&p, nil) }) // what is there is better
		return nil
	}
	p.By, p.At = g.Curator, g.Now()
	return g.keep(ctx, p, rejected)
}

// tokens is what a conversation costs.
func tokens(c *proposal.Conversation, price compress.Price) int {
	n := price.Rest()
	for i := range c.Messages {
		n += price.Message(&c.Messages[i])
	}
	return n
}

// stays reports whether the proposal that is there is to stay: one of these messages
// that was judged, or that a person changed, or that was made in the same way; if not,
// whether it was rejected. Of a segment that is under the target, nothing is made in
// the same way.
func (g *Proposer) stays(ctx context.Context, seg *review.Segment, c *proposal.Conversation, under bool) (stays, rejected bool, err error) {
	switch seg.Compression {
	case review.Uncompressed, review.CompressionOutdated, review.CompressionFailed:
		return false, false, nil
	}
	list, err := g.Store.Proposals(ctx, []string{seg.ID})
	if err != nil || len(list) == 0 || !list[0].Fits(*c) {
		return false, false, err
	}
	p := &list[0]
	switch {
	case p.Status == proposal.Accepted:
		return true, false, nil
	case p.Status == proposal.Rejected:
		return !g.Again, g.Again && !under, nil
	}
	return !g.Again && (p.Changed || !under && g.alike(p)), false, nil
}

// alike reports whether a proposal was made as one would be now.
func (g *Proposer) alike(p *proposal.Proposal) bool {
	by, _ := g.Options.By.(compress.Extract)
	model, _ := g.Options.By.(compress.Model)
	m := &p.Made
	return p.Target == g.Options.Target && p.Summary == g.Options.Summary && m.Strategy == g.Options.By.Name() && m.Form == g.Options.Form.String() &&
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

const (
	// batch is how many proposals are written at once, and often how long they wait
	// for others at most.
	batch = 64
	often = 2 * time.Second
)

// keep notes a proposal, and writes those that were noted now and then.
func (g *Proposer) keep(ctx context.Context, p proposal.Proposal, rejected bool) error {
	g.mu.Lock()
	if g.left = append(g.left, p); rejected {
		g.redo = append(g.redo, p.Segment)
	}
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
	if len(g.redo) > 0 { // else it would stay
		if _, err := g.Store.JudgeProposals(ctx, review.Compressing{Curator: g.Curator, IDs: g.redo, To: proposal.Proposed}); err != nil {
			return err
		}
		g.redo = nil
	}
	list := g.left
	g.left, g.wrote = nil, g.Now()
	n, err := g.Store.Propose(ctx, list)
	if err != nil {
		return err
	}
	g.r.Removed += n.Removed
	others := map[string]proposal.Status{} // what is there in the place of one
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

// others finds proposals that were not kept, with the status of those that are there
// instead, "" for none that fits.
func (g *Proposer) others(ctx context.Context, list []proposal.Proposal) (map[string]proposal.Status, error) {
	others := map[string]proposal.Status{}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Segment
		others[ids[i]] = ""
	}
	there, err := g.Store.Proposals(ctx, ids)
	for i := range there {
		others[there[i].Segment] = there[i].Status
	}
	for i := range list {
		if others[ids[i]] == list[i].Status {
			delete(others, ids[i])
		}
	}
	return others, err
}

// written counts what became of a proposal.
func (g *Proposer) written(p *proposal.Proposal, others map[string]proposal.Status) {
	r := &g.r
	other, another := others[p.Segment]
	switch {
	case p.Outcome == compress.UnderTarget:
		return // counted already
	case other == proposal.Accepted || other == proposal.Rejected:
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

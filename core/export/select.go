package export

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/chat"
	"winnow/core/edit"
	"winnow/core/export/shortened"
	"winnow/core/filter"
	"winnow/core/graph"
	"winnow/core/metric"
	"winnow/core/proposal"
	"winnow/core/review"
)

// Source is what an export needs of the database.
type Source interface {
	// Segments returns one page of segments.
	Segments(ctx context.Context, q review.Query) (review.Page, error)
	// Session returns one session by id.
	Session(ctx context.Context, id string) (review.Session, error)
	// Messages returns messages from..to, inclusive, of a body as they are now:
	// with the edits of curators.
	Messages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// RecordedMessages is Messages without any edit.
	RecordedMessages(ctx context.Context, body int64, from, to int) ([]chat.Message, error)
	// Edits returns the edits over messages from..to, sorted by place.
	Edits(ctx context.Context, body int64, from, to int) ([]edit.Edit, error)
	// Contexts returns from which of the messages from..to on a model saw less than all
	// that was before, in their order.
	Contexts(ctx context.Context, body int64, from, to int) ([]review.Context, error)
	// EditedBy tells of the edits over messages from..to who made them.
	EditedBy(ctx context.Context, body int64, from, to int) ([]review.EditedBy, error)
	// Sealed returns what redactions in force took out.
	Sealed(ctx context.Context) (map[graph.Saying]bool, error)
	// TakenOut returns the texts that they took out, as far as these can be told:
	// those that gave way to others, and the lines of messages that were dropped.
	TakenOut(ctx context.Context) (replaced, dropped []string, err error)
	// Proposals returns the compressions of segments, those there are.
	Proposals(ctx context.Context, ids []string) ([]proposal.Proposal, error)
}

// Selection says which segments become samples. The zero Selection takes all
// approved ones.
type Selection struct {
	// AnyVerdict takes pending and unsure segments too; never rejected ones.
	AnyVerdict bool
	// MinScore, if set, takes only segments with at least this score (0 to
	// 1) that are fit for training: well-formed and complete.
	MinScore *float64
	TaskType string // "": any
	// Filter takes only segments that pass it, nil: all. A stale one is pending
	// there, whatever verdict it had.
	Filter filter.Node
	// Stale takes segments that changed after they were judged, by the
	// verdict they had. Without it they are never taken.
	Stale bool
	Limit int // samples written at most; 0: all
}

// query asks for as little as the source can tell apart.
func (sel *Selection) query(e *Emitter) review.Query {
	nodes := []filter.Node{sel.Filter}
	if !sel.Stale {
		// A stale segment is pending: its old verdict is not asked for here.
		nodes = append(nodes, review.HasVerdict(sel.verdicts(e)...), filter.Not{Of: review.Has("stale")})
	}
	if sel.MinScore != nil {
		nodes = append(nodes, filter.Term{Field: filter.Score, Op: filter.GreaterEqual, Num: *sel.MinScore})
	}
	if sel.TaskType != "" {
		nodes = append(nodes, filter.Term{Field: filter.Type, Op: filter.Is, Value: sel.TaskType})
	}
	return review.Query{Order: review.Natural, Limit: pageSize, Filter: filter.All(nodes...)}
}

// verdicts are those that are taken: a format whose records say which verdict
// a segment has takes what it says of.
func (sel *Selection) verdicts(e *Emitter) []review.Verdict {
	switch {
	case len(e.verdicts) > 0:
		return e.verdicts
	case sel.AnyVerdict:
		return []review.Verdict{review.Approved, review.Unsure, review.Pending}
	}
	return []review.Verdict{review.Approved}
}

// takes reports whether a segment is a candidate.
func (sel *Selection) takes(e *Emitter, seg *review.Segment) bool {
	if seg.Stale && !sel.Stale {
		return false
	}
	verdict := judged(seg)
	if !slices.Contains(sel.verdicts(e), verdict) || sel.TaskType != "" && seg.TaskType != sel.TaskType {
		return false
	}
	return sel.MinScore == nil || fit(seg, *sel.MinScore)
}

// judged returns the verdict of a segment, of a stale one that it had.
func judged(seg *review.Segment) review.Verdict {
	switch {
	case seg.Stale && seg.Was != "":
		return seg.Was
	case seg.Verdict == "":
		return review.Pending
	}
	return seg.Verdict
}

// fit reports whether a segment is fit for training at a threshold. One whose
// analysis cannot be read is not.
func fit(seg *review.Segment, threshold float64) bool {
	a, err := metric.Parse(seg.Analysis)
	_, training := a.Eligible(metric.Thresholds{SFT: threshold})
	return err == nil && training
}

// pageSize is how many segments are asked for at once: enough to make the
// asking cheap, little enough to stay out of the way of memory.
const pageSize = 200

// candidate is a segment on its way to become a sample.
type candidate struct {
	segment  review.Segment
	session  *review.Session
	messages []chat.Message     // as they are now
	edits    []edit.Edit        // over them, those that clash among them
	prompt   []chat.Message     // the session's first system messages, if they lie before the segment
	before   prefix             // of a branch, if the segment begins it
	about    *about             // nil: it is about the whole segment
	proposal *proposal.Proposal // a compression of it that is to be applied, nil: none
	laid     *laid              // the sample of a compression that it is, nil: it is whole
	stale    bool               // a compression of it is of other messages
}

// size is about how much text its records hold, in bytes. Where each of them
// repeats what comes before, that is far more than it holds itself.
func (c *candidate) size(repeats bool) int {
	if c.laid != nil {
		return c.laid.size(repeats)
	}
	before, rows := len(c.session.Tools), 0
	for _, list := range [...][]chat.Message{c.prompt, c.before.messages, c.messages} {
		for i := range list {
			before += list[i].Size()
			if repeats && list[i].Role == chat.Assistant {
				rows += before
			}
		}
	}
	return max(before, rows)
}

// candidates yields the selected segments with all they hold, in order. It
// holds one page and one segment's messages at a time.
func candidates(ctx context.Context, src Source, e *Emitter, opts *Options, yield func(candidate) error) error {
	r := opts.reader(src)
	return opts.pages(ctx, src, e, func(page []review.Segment) error {
		if err := r.propose(ctx, page); err != nil {
			return err
		}
		for i := range page {
			c, err := r.read(ctx, &page[i])
			if err != nil {
				return err
			}
			if err := yield(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// each yields the selected segments in order.
func (sel *Selection) each(ctx context.Context, src Source, e *Emitter, yield func(*review.Segment) error) error {
	return sel.pages(ctx, src, e, func(page []review.Segment) error {
		for i := range page {
			if err := yield(&page[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// pages yields the selected segments page by page.
func (sel *Selection) pages(ctx context.Context, src Source, e *Emitter, yield func([]review.Segment) error) error {
	for q := sel.query(e); ; {
		page, err := src.Segments(ctx, q)
		if err != nil {
			return err
		}
		taken := slices.DeleteFunc(page.Segments, func(seg review.Segment) bool { return !sel.takes(e, &seg) })
		if err := yield(taken); err != nil {
			return err
		}
		if !page.More {
			return nil
		}
		q.After = page.Last
	}
}

// reader reads what belongs to a segment.
type reader struct {
	src        Source
	session    *review.Session // the last one: the segments of one follow each other
	prompts    prompts
	keepSystem bool
	which      shortened.Which
	proposals  map[string]*proposal.Proposal // of the segments of a page, by id
}

func (o *Options) reader(src Source) *reader {
	return &reader{src: src, prompts: prompts{src: src}, keepSystem: o.System.keeps(), which: o.Compressed}
}

func (r *reader) read(ctx context.Context, seg *review.Segment) (c candidate, err error) {
	if r.session == nil || r.session.ID != seg.SessionID {
		if r.session, err = sessionOf(ctx, r.src, seg); err != nil {
			return c, err
		}
	}
	c = candidate{segment: *seg, session: r.session, proposal: r.proposals[seg.ID]}
	if c.messages, c.edits, err = current(ctx, r.src, seg); err != nil {
		return c, fmt.Errorf("messages of segment %s: %w", seg.Short(), err)
	}
	if seg.Start == 1 {
		if c.before, err = prefixOf(ctx, r.src, r.session); err != nil {
			return c, fmt.Errorf("what stands before the fork of segment %s: %w", seg.Short(), err)
		}
	}
	if (r.keepSystem || c.proposal != nil) && !c.before.unknown && len(c.messages) > 0 && !isPrompt(c.messages[0].Role, c.messages[0].Marks) {
		if c.prompt, err = r.prompts.before(ctx, seg, r.session); err != nil {
			return c, fmt.Errorf("system message of segment %s: %w", seg.Short(), err)
		}
	}
	return c, nil
}

// sessionOf returns the session of a segment.
func sessionOf(ctx context.Context, src Source, seg *review.Segment) (*review.Session, error) {
	found, err := src.Session(ctx, seg.SessionID)
	if err != nil {
		return nil, fmt.Errorf("session of segment %s: %w", seg.Short(), review.Vanished(err))
	}
	return &found, nil
}

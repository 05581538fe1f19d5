package tui

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
)

// Recheck shows decided segments once more without their verdicts, mixed with
// pending ones.
type Recheck struct {
	Decided []review.Segment
	Pending []string // ids
	Seed    uint64   // of the order
	Keep    Rechecking
}

// Rechecking keeps what is said of them.
type Rechecking interface {
	// Answer keeps the answer to a decided segment; "" takes it back.
	Answer(ctx context.Context, s *review.Segment, v review.Verdict) error
}

// node lets the segments of a recheck through, and nothing else.
func (r *Recheck) node() filter.Node {
	var any filter.Or
	for i := range r.Decided {
		any = append(any, idIs(r.Decided[i].ID))
	}
	for _, id := range r.Pending {
		any = append(any, idIs(id))
	}
	return filter.All(any)
}

func idIs(id string) filter.Node { return filter.Term{Field: filter.IDField, Op: filter.Is, Value: id} }

// blind is a library that does not tell what was decided on some segments: they
// look as if they were pending. A verdict on one of them is an answer, which
// changes nothing else.
type blind struct {
	Library
	keep    Rechecking
	curator string
	now     func() time.Time
	hidden  map[string]review.Segment // as they are, by id
	ids     filter.Node

	mu           sync.Mutex
	answers      map[string]answer
	done, undone []blindStep // the latest one at the end
}

type answer struct {
	verdict review.Verdict
	at      time.Time
}

// blindStep is something that undo takes back: an answer, or with id "" what
// the journal has.
type blindStep struct {
	id            string
	before, after answer
}

func newBlind(lib Library, r *Recheck, curator string, now func() time.Time) *blind {
	b := &blind{Library: lib, keep: r.Keep, curator: curator, now: now, hidden: map[string]review.Segment{}, answers: map[string]answer{}}
	var any filter.Or
	for _, s := range r.Decided {
		b.hidden[s.ID] = s
		any = append(any, idIs(s.ID))
	}
	b.ids = filter.All(any)
	return b
}

// mask takes from a segment what tells of its verdict. The caller holds mu.
func (b *blind) mask(s *review.Segment) {
	if _, ok := b.hidden[s.ID]; !ok {
		return
	}
	s.Verdict, s.Note, s.Tags, s.Reviewer, s.ReviewedAt = review.Pending, "", nil, "", time.Time{}
	s.Stale, s.Was, s.WasBy, s.WasAt, s.WasBody, s.WasStart, s.WasEnd = false, "", "", time.Time{}, 0, 0, 0
	if a := b.answers[s.ID]; a.verdict.Judged() {
		s.Verdict, s.Reviewer, s.ReviewedAt = a.verdict, b.curator, a.at
	}
}

// Segments implements Library.
func (b *blind) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	page, err := b.Library.Segments(ctx, q)
	page.Segments = slices.Clone(page.Segments)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range page.Segments {
		b.mask(&page.Segments[i])
	}
	return page, err
}

// Segment implements Library.
func (b *blind) Segment(ctx context.Context, id string) (review.Segment, error) {
	s, err := b.Library.Segment(ctx, id)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mask(&s)
	return s, err
}

// Count implements Library. What is hidden counts as what it looks like.
func (b *blind) Count(ctx context.Context, n filter.Node) (review.Counts, error) {
	c, err := b.Library.Count(ctx, n)
	if err != nil {
		return c, err
	}
	real, err := b.Library.Count(ctx, filter.All(n, b.ids))
	c.ByVerdict = maps.Clone(c.ByVerdict)
	if c.ByVerdict == nil {
		c.ByVerdict = map[review.Verdict]int{}
	}
	for v, n := range real.ByVerdict {
		c.ByVerdict[v] -= n
	}
	c.Stale -= real.Stale
	b.mu.Lock()
	defer b.mu.Unlock()
	pending := real.Segments
	for id := range b.hidden {
		if a := b.answers[id]; a.verdict.Judged() && pending > 0 {
			c.ByVerdict[a.verdict]++
			pending--
		}
	}
	c.ByVerdict[review.Pending] += pending
	return c, err
}

// Judge implements Library.
func (b *blind) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	if !slices.ContainsFunc(j.IDs, func(id string) bool { _, ok := b.hidden[id]; return ok }) {
		e, err := b.Library.Judge(ctx, j)
		if err == nil && len(e.Changes) > 0 {
			b.did(blindStep{})
		}
		return e, err
	}
	if len(j.IDs) != 1 || j.Verdict == "" {
		return review.Entry{}, errors.New("it waits until the recheck is over")
	}
	step := blindStep{id: j.IDs[0], after: answer{j.Verdict, b.now()}}
	b.mu.Lock()
	step.before = b.answers[step.id]
	b.mu.Unlock()
	if err := b.put(ctx, step.id, step.after); err != nil {
		return review.Entry{}, err
	}
	b.did(step)
	return step.entry(b.curator, step.before, step.after), nil
}

func (b *blind) did(s blindStep) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.undone = append(b.done, s), nil
}

// put keeps an answer.
func (b *blind) put(ctx context.Context, id string, a answer) error {
	v := a.verdict
	if !v.Judged() {
		v = ""
	}
	s := b.hidden[id]
	if err := b.keep.Answer(ctx, &s, v); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[id] = a
	return nil
}

// entry tells of an answer as the journal does of a verdict.
func (s *blindStep) entry(curator string, before, after answer) review.Entry {
	mark := func(a answer) review.Mark {
		if !a.verdict.Judged() {
			return review.Mark{Verdict: review.Pending}
		}
		return review.Mark{Verdict: a.verdict, Reviewer: curator, ReviewedAt: a.at}
	}
	return review.Entry{Curator: curator, Action: review.ActJudge, Changes: []review.Change{{Segment: s.id, Before: mark(before), After: mark(after)}}}
}

// Undo implements Library. It goes back to where the recheck began: what was
// done before might tell of what is hidden.
func (b *blind) Undo(ctx context.Context, curator string) (review.Entry, error) {
	return b.step(ctx, curator, &b.done, &b.undone, b.Library.Undo)
}

// Redo implements Library.
func (b *blind) Redo(ctx context.Context, curator string) (review.Entry, error) {
	return b.step(ctx, curator, &b.undone, &b.done, b.Library.Redo)
}

func (b *blind) step(ctx context.Context, curator string, from, to *[]blindStep, real func(context.Context, string) (review.Entry, error)) (e review.Entry, err error) {
	b.mu.Lock()
	n := len(*from)
	if n == 0 {
		b.mu.Unlock()
		return e, review.ErrNothing
	}
	s, now := (*from)[n-1], answer{}
	*from = (*from)[:n-1]
	b.mu.Unlock()
	was := s.before
	if now = s.after; from == &b.done {
		was, now = s.after, s.before
	}
	if s.id == "" {
		e, err = real(ctx, curator)
	} else if err = b.put(ctx, s.id, now); err == nil {
		e = s.entry(curator, was, now)
	}
	if err == nil {
		b.mu.Lock()
		*to = append(*to, s)
		b.mu.Unlock()
	}
	return e, err
}

// results returns what was answered, in the order that it was decided in, as it
// will be told.
func (b *blind) results(decided []review.Segment) []review.Recheck {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []review.Recheck
	for i := range decided {
		s := &decided[i]
		if a := b.answers[s.ID]; a.verdict.Judged() {
			list = append(list, review.Recheck{At: a.at, Curator: b.curator, Segment: s.ID, Was: s.Verdict, WasBy: s.Reviewer, Answer: a.verdict})
		}
	}
	return list
}

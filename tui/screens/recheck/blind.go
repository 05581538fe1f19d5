package recheck

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

// Sample is what a recheck shows: decided segments once more, without their
// verdicts, mixed with pending ones.
type Sample struct {
	Decided []review.Segment
	Pending []string // ids
	Seed    uint64   // of the order
	// Answer keeps what is said of a decided segment now; "" takes it back.
	Answer func(ctx context.Context, s *review.Segment, v review.Verdict) error
}

// Filter lets the segments of the sample through, and nothing else.
func (s *Sample) Filter() filter.Node { return oneOf(append(s.decided(), s.Pending...)) }

// decided are the ids of the decided segments.
func (s *Sample) decided() []string {
	var ids []string
	for i := range s.Decided {
		ids = append(ids, s.Decided[i].ID)
	}
	return ids
}

func oneOf(ids []string) filter.Node {
	var any filter.Or
	for _, id := range ids {
		any = append(any, filter.Term{Field: filter.IDField, Op: filter.Is, Value: id})
	}
	return filter.All(any)
}

// Library is what a recheck does not pass on as it is.
type Library interface {
	Segments(ctx context.Context, q review.Query) (review.Page, error)
	Segment(ctx context.Context, id string) (review.Segment, error)
	Count(ctx context.Context, n filter.Node) (review.Counts, error)
	Judge(ctx context.Context, j review.Judgement) (review.Entry, error)
	Undo(ctx context.Context, curator string) (review.Entry, error)
	Redo(ctx context.Context, curator string) (review.Entry, error)
}

// Blind is a library that does not tell what was decided on the segments of a
// sample: they look as if they were pending. A verdict on one of them is an
// answer, which changes nothing else.
type Blind struct {
	sample  *Sample
	lib     Library // which tells
	curator string
	now     func() time.Time
	hidden  map[string]*review.Segment // as they are, by id
	ids     filter.Node                // of them

	mu           sync.Mutex // of answers
	answers      map[string]answer
	done, undone []step // the latest one at the end; writes come one after the other
}

type answer struct {
	verdict review.Verdict
	at      time.Time
}

// step is something that can be taken back: an answer, or with id "" what the
// journal has.
type step struct {
	id            string
	before, after answer
}

// NewBlind hides what was decided on a sample from a curator, who answers.
func NewBlind(lib Library, s *Sample, curator string, now func() time.Time) *Blind {
	b := &Blind{sample: s, lib: lib, curator: curator, now: now, hidden: map[string]*review.Segment{}, ids: oneOf(s.decided()), answers: map[string]answer{}}
	for i := range s.Decided {
		b.hidden[s.Decided[i].ID] = &s.Decided[i]
	}
	return b
}

// mask takes from a segment what tells of its verdict. The caller holds mu.
func (b *Blind) mask(s *review.Segment) {
	if b.hidden[s.ID] == nil {
		return
	}
	s.Verdict, s.Note, s.Tags, s.Reviewer, s.ReviewedAt = review.Pending, "", nil, "", time.Time{}
	s.Stale, s.Was, s.WasBy, s.WasAt, s.WasBody, s.WasStart, s.WasEnd = false, "", "", time.Time{}, 0, 0, 0
	if a := b.answers[s.ID]; a.verdict.Judged() {
		s.Verdict, s.Reviewer, s.ReviewedAt = a.verdict, b.curator, a.at
	}
}

// Segments implements Library.
func (b *Blind) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	page, err := b.lib.Segments(ctx, q)
	page.Segments = slices.Clone(page.Segments)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range page.Segments {
		b.mask(&page.Segments[i])
	}
	return page, err
}

// Segment implements Library.
func (b *Blind) Segment(ctx context.Context, id string) (review.Segment, error) {
	s, err := b.lib.Segment(ctx, id)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mask(&s)
	return s, err
}

// Count implements Library. What is hidden counts as what it looks like.
func (b *Blind) Count(ctx context.Context, n filter.Node) (review.Counts, error) {
	c, err := b.lib.Count(ctx, n)
	if err != nil {
		return c, err
	}
	real, err := b.lib.Count(ctx, filter.All(n, b.ids))
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
	for _, a := range b.answers {
		if a.verdict.Judged() && pending > 0 {
			c.ByVerdict[a.verdict]++
			pending--
		}
	}
	c.ByVerdict[review.Pending] += pending
	return c, err
}

// Judge implements Library.
func (b *Blind) Judge(ctx context.Context, j review.Judgement) (review.Entry, error) {
	if !slices.ContainsFunc(j.IDs, func(id string) bool { return b.hidden[id] != nil }) {
		e, err := b.lib.Judge(ctx, j)
		if err == nil && len(e.Changes) > 0 {
			b.done, b.undone = append(b.done, step{}), nil
		}
		return e, err
	}
	if len(j.IDs) != 1 || j.Verdict == "" {
		return review.Entry{}, errors.New("not possible during a recheck")
	}
	s := step{id: j.IDs[0], before: b.answers[j.IDs[0]], after: answer{j.Verdict, b.now()}}
	e, err := b.take(ctx, s)
	if err == nil {
		b.done, b.undone = append(b.done, s), nil
	}
	return e, err
}

// take keeps an answer and tells of it as the journal does of a verdict.
func (b *Blind) take(ctx context.Context, s step) (review.Entry, error) {
	v := s.after.verdict
	if !v.Judged() {
		v = ""
	}
	if err := b.sample.Answer(ctx, b.hidden[s.id], v); err != nil {
		return review.Entry{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[s.id] = s.after
	mark := func(a answer) review.Mark {
		if !a.verdict.Judged() {
			return review.Mark{Verdict: review.Pending}
		}
		return review.Mark{Verdict: a.verdict, Reviewer: b.curator, ReviewedAt: a.at}
	}
	return review.Entry{Curator: b.curator, Action: review.ActJudge, Changes: []review.Change{{Segment: s.id, Before: mark(s.before), After: mark(s.after)}}}, nil
}

// Undo implements Library. It goes back to where the recheck began: what was
// done before might tell of what is hidden.
func (b *Blind) Undo(ctx context.Context, curator string) (review.Entry, error) {
	e, err := b.back(ctx, curator, &b.done, &b.undone, b.lib.Undo)
	e.Action = review.ActUndo // it has what the undo did, as that of the library
	return e, err
}

// Redo implements Library.
func (b *Blind) Redo(ctx context.Context, curator string) (review.Entry, error) {
	return b.back(ctx, curator, &b.undone, &b.done, b.lib.Redo)
}

// back takes the latest step back. What takes it back is a step likewise.
func (b *Blind) back(ctx context.Context, curator string, from, to *[]step, real func(context.Context, string) (review.Entry, error)) (e review.Entry, err error) {
	last := len(*from) - 1
	if last < 0 {
		return e, review.ErrNothing
	}
	s := (*from)[last]
	s.before, s.after = s.after, s.before
	if s.id == "" {
		e, err = real(ctx, curator)
	} else {
		e, err = b.take(ctx, s)
	}
	switch {
	case err == nil:
		*from, *to = (*from)[:last], append(*to, s)
	case errors.Is(err, review.ErrConflict), errors.Is(err, review.ErrNothing):
		*from = (*from)[:last] // the journal is past it
	}
	return e, err
}

// results returns what was answered, in the order that it was decided in, as it
// will be told.
func (b *Blind) results() []review.Recheck {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []review.Recheck
	for i := range b.sample.Decided {
		s := &b.sample.Decided[i]
		if a := b.answers[s.ID]; a.verdict.Judged() {
			list = append(list, review.Recheck{At: a.at, Curator: b.curator, Segment: s.ID, Was: s.Verdict, WasBy: s.Reviewer, Answer: a.verdict})
		}
	}
	return list
}

// Answered reports whether there is an answer.
func (b *Blind) Answered() bool { return len(b.results()) > 0 }

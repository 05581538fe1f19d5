package amend

import (
	"context"
	"errors"

	"winnow/core/edit"
	"winnow/core/review"
)

// revert brings back what stood at a place: of a run also what was added in it, but for
// what comes after its last message, as drop has it.
func (a *Asked) revert(ctx context.Context, of *Span, r *Row) error {
	if r.Version != Recorded {
		return a.revertTo(ctx, of, r)
	}
	from, to := r.N, r.last()
	if r.All {
		from, to = of.From, of.To
		if from == 1 {
			from = 0
		}
	}
	edits, err := a.editsAt(ctx, of.Body, from, to)
	if err != nil {
		return err
	}
	for i := range edits {
		if e := &edits[i]; r.All || e.N < to || e.Part == r.Part {
			if err := a.back(ctx, of, e, review.EditChange{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// back changes what an edit left at its place.
func (a *Asked) back(ctx context.Context, of *Span, e *edit.Edit, c review.EditChange) error {
	m, err := Standing(ctx, a.Store, of.Body, e.N, e.Part)
	if err != nil {
		return err
	}
	c.Session, c.N, c.Part, c.Seen = of.Session, e.N, e.Part, seen(m)
	a.add(c)
	return nil
}

// revertTo brings messages to what they were after an entry of the journal.
func (a *Asked) revertTo(ctx context.Context, of *Span, r *Row) error {
	s, able := a.Store.(Versions)
	switch {
	case !able:
		return errors.New("versions can't be brought back here")
	case r.Part > 0:
		return errors.New("to a version messages go with what was added after them: name the message")
	}
	from, to := r.N, r.last()
	if r.All {
		if from, to = of.From, of.To; from == 1 {
			from = 0
		}
	}
	var numbers []int
	if !r.All || of.From > 1 || of.To < of.Messages {
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	list, err := s.RevertTo(ctx, of.Session, r.Version, numbers...)
	for _, c := range list {
		a.add(c)
	}
	return err
}

// decide ends the waiting of edits whose recorded message changed.
func (a *Asked) decide(ctx context.Context, of *Span, r *Row) error {
	edits, err := a.editsAt(ctx, of.Body, r.N, r.last())
	if err != nil {
		return err
	}
	found := 0
	for i := range edits {
		e := &edits[i]
		if !e.Clash || r.Part > 0 && e.Part != r.Part {
			continue
		}
		found++
		var c review.EditChange
		if r.Do == Keep {
			c = review.EditChange{Op: e.Op, Why: e.Why, Message: e.Message, Untrained: e.Untrained}
		}
		if err := a.back(ctx, of, e, c); err != nil {
			return err
		}
	}
	switch {
	case found > 0:
		return nil
	case len(edits) > 0:
		return errors.New("its edit is in force: nothing waits there")
	}
	return errors.New("no edit waits there")
}

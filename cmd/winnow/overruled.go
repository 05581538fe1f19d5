package main

import (
	"context"
	"fmt"

	"winnow/core/review"
	"winnow/tui/draw"
)

// wouldOverrule returns the verdicts that one on some segments takes the place
// of.
func wouldOverrule(ctx context.Context, s *database, ids []string, by review.Verdict) (review.Overruled, error) {
	now, err := s.Standing(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("the verdicts of %s: %w", draw.Plural(len(ids), "segment"), err)
	}
	o := review.Overruled{}
	for i := range now {
		o.Add(now[i].Reviewer, now[i].Verdict, by)
	}
	return o, nil
}

// overruledBy returns the verdicts that a journal entry took the place of.
func overruledBy(e *review.Entry) review.Overruled {
	o := review.Overruled{}
	for i := range e.Changes {
		c := &e.Changes[i]
		o.Add(c.Before.Reviewer, c.Before.Verdict, c.After.Verdict)
	}
	return o
}

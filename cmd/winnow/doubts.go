package main

import (
	"context"

	"winnow/core/filter"
	"winnow/core/review"
)

// screenDoubts tells a screen where scores are uncertain.
type screenDoubts struct{ db *database }

// Doubt implements tui.Doubts.
func (d screenDoubts) Doubt(ctx context.Context) (review.Doubt, error) {
	s, err := d.db.Suggested(ctx)
	if err == nil && s.Threshold > 0 {
		return review.Doubt{Threshold: s.Threshold, From: review.FromVerdicts}, nil
	}
	return review.Doubt{Threshold: d.db.Number("memory_score_threshold"), From: review.FromConfig}, err
}

// ordered gives a query what its order goes by.
func ordered(ctx context.Context, s *database, q *review.Query) error {
	switch q.Order {
	case review.Balance:
		q.Quotas = s.Quotas()
	case review.Uncertain:
		if x, ok := filter.Threshold(q.Filter); ok {
			q.Threshold = x
			return nil
		}
		d, err := screenDoubts{s}.Doubt(ctx)
		q.Threshold = d.Threshold
		return err
	}
	return nil
}

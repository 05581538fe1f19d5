package desk

import (
	"context"

	"winnow/core/filter"
	"winnow/core/review"
)

// doubts tells a screen where scores are uncertain.
type doubts struct{ *Desk }

// Doubt implements tui.Doubts.
func (d doubts) Doubt(ctx context.Context) (review.Doubt, error) {
	s, err := d.Suggested(ctx)
	if err == nil && s.Threshold > 0 {
		return review.Doubt{Threshold: s.Threshold, From: review.FromVerdicts}, nil
	}
	return review.Doubt{Threshold: d.Number("memory_score_threshold"), From: review.FromConfig}, err
}

// Ordered gives a query what its order goes by.
func (d *Desk) Ordered(ctx context.Context, q *review.Query) error {
	switch q.Order {
	case review.Balance:
		q.Quotas = d.Quotas()
	case review.Uncertain:
		if x, ok := filter.Threshold(q.Filter); ok {
			q.Threshold = x
			return nil
		}
		doubt, err := doubts{d}.Doubt(ctx)
		q.Threshold = doubt.Threshold
		return err
	}
	return nil
}

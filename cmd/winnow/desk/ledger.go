package desk

import (
	"context"

	"winnow/core/ledger"
	"winnow/core/origin"
	"winnow/store"
)

// Ledger is the ledger of a database as the screen wants it: what stands
// in the database, and the bytes of the files it is about.
type Ledger struct{ *store.Store }

// Reasons implements ledger.Library.
func (l Ledger) Reasons(ctx context.Context, source int64) ([]ledger.ReasonCount, error) {
	counts, err := l.IssueCounts(ctx, source)
	if err != nil {
		return nil, err
	}
	reasons := make([]ledger.ReasonCount, len(counts))
	for i, c := range counts {
		reasons[i] = ledger.ReasonCount{Reason: ledger.Reason{Severity: c.Severity, Text: c.Reason}, Lines: c.Count}
	}
	return reasons, nil
}

// Original implements ledger.Library.
func (l Ledger) Original(ctx context.Context, source int64) (string, error) {
	list, err := l.CopiedBy(ctx, source, 1)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].File, nil
}

// Excerpt implements ledger.Library.
func (l Ledger) Excerpt(ctx context.Context, source int64, is ledger.Issue) (ledger.Excerpt, error) {
	src, err := l.Source(ctx, source)
	if err != nil {
		return ledger.Excerpt{}, err
	}
	return origin.ReadExcerpt(ctx, &src, &is.Issue)
}

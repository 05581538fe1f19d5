package main

import (
	"context"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store"
)

// screenLibrary is a database as the screen asks for it.
type screenLibrary struct{ *store.Store }

// Count implements tui.Library.
func (l screenLibrary) Count(ctx context.Context, n filter.Node) (review.Counts, error) {
	c := review.Counts{ByVerdict: map[review.Verdict]int{}}
	q := review.Query{Filter: n, Limit: 1000}
	for {
		page, err := l.Segments(ctx, q)
		if err != nil {
			return c, err
		}
		for i := range page.Segments {
			s := &page.Segments[i]
			c.Segments++
			c.ByVerdict[s.Verdict]++
			if s.Stale {
				c.Stale++
			}
			if s.Score != nil {
				c.Scored++
				c.Histogram[min(len(c.Histogram)-1, int(*s.Score*10000+0.5)*len(c.Histogram)/10000)]++
			}
		}
		if !page.More {
			return c, nil
		}
		q.After = page.Last
	}
}

// Values implements tui.Library.
func (l screenLibrary) Values(context.Context, filter.Field, string, filter.Node, int) ([]filter.Candidate, error) {
	return nil, nil
}

// TextShare implements tui.Library.
func (l screenLibrary) TextShare(context.Context) (done, all int64, err error) { return 0, 0, nil }

package amend

import (
	"context"
	"slices"

	"winnow/core/filter"
	"winnow/core/review"
)

// Library is a Store whose sessions and segments can be listed.
type Library interface {
	Store
	Sessions(ctx context.Context, after string, limit int) ([]review.Session, error)
	Segments(ctx context.Context, q review.Query) (review.Page, error)
}

const batch = 500 // rows asked for at once

// EachSegment calls f for the segments that pass a filter, all for nil, in their order.
func EachSegment(ctx context.Context, s Library, node filter.Node, f func(*review.Segment)) error {
	for q := (review.Query{Order: review.Natural, Limit: batch, Filter: node}); ; {
		page, err := s.Segments(ctx, q)
		if err != nil {
			return err
		}
		for i := range page.Segments {
			f(&page.Segments[i])
		}
		if !page.More {
			return nil
		}
		q.After = page.Last
	}
}

// SessionsOf returns the ids of the sessions of the segments that pass a filter, in
// their order.
func SessionsOf(ctx context.Context, s Library, node filter.Node) (ids []string, err error) {
	met := map[string]bool{}
	err = EachSegment(ctx, s, node, func(g *review.Segment) {
		if id := g.SessionID; !met[id] {
			met[id] = true
			ids = append(ids, id)
		}
	})
	return ids, err
}

// Remains are what holds a text still.
type Remains struct {
	Elsewhere Counts // messages of sessions that were not looked at
	Beside    Beside
}

// Remaining looks for a text in all that is beside messages, and in the messages of
// the sessions that are not among some.
func Remaining(ctx context.Context, s Library, but []string, replace func(string) string) (r Remains, err error) {
	looked := slices.Sorted(slices.Values(but))
	for after := ""; ; {
		list, err := s.Sessions(ctx, after, batch)
		if err != nil {
			return r, err
		}
		for i := range list {
			one := &list[i]
			after = one.ID
			r.Beside.session(one, replace)
			if _, done := slices.BinarySearch(looked, one.ID); done {
				continue
			}
			if err := r.Elsewhere.holding(ctx, s, one, replace); err != nil {
				return r, err
			}
		}
		if len(list) < batch {
			break
		}
	}
	err = EachSegment(ctx, s, nil, func(g *review.Segment) { r.Beside.segment(g, replace) })
	return r, err
}

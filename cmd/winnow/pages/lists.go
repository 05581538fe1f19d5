package pages

import (
	"context"
	"errors"
	"strconv"

	"winnow/cmd/winnow/httpd"
	"winnow/core/review"
	"winnow/core/spell"
)

// segments is GET /segments.
func (s *Source) segments(ctx context.Context, a *httpd.Asked) error {
	q, err := s.query(ctx, a)
	if err != nil {
		return err
	}
	page, err := s.Desk.Segments(ctx, q)
	if errors.Is(err, review.ErrNotFound) { // nothing else is looked for by its id
		return badMark(a.Query["after"])
	}
	if err != nil {
		return err
	}
	if page.More {
		a.Next(segmentMark(page.Last))
	}
	p := s.printer(a)
	_, row := p.SegmentTable(true, true)
	for i := range page.Segments {
		if err := row(&page.Segments[i]); err != nil {
			return err
		}
	}
	return p.Out.Flush()
}

// query reads which segments are asked for.
func (s *Source) query(ctx context.Context, a *httpd.Asked) (q review.Query, err error) {
	q.Order = review.Natural
	if name, given := a.Query["sort"]; given {
		order, ok := review.OrderNamed(name)
		if !ok {
			names := make([]string, len(review.Orders))
			for i, o := range review.Orders {
				names[i] = string(o)
			}
			return q, httpd.Wrong("sort %q: unknown order: %s", name, spell.Known(name, names))
		}
		q.Order = order
	}
	if seed, given := a.Query["seed"]; given {
		if q.Order != review.Random {
			return q, httpd.Wrong("seed is only for sort=random")
		}
		if q.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return q, httpd.Wrong("seed %q: must be a whole number", seed)
		}
	}
	if q.Limit, err = limit(a); err != nil {
		return q, err
	}
	if after, given := a.Query["after"]; given {
		if q.After, err = readSegmentMark(after, q.Order); err != nil {
			return q, err
		}
	}
	if q.Filter, err = s.filter(ctx, a); err != nil {
		return q, err
	}
	return q, s.Desk.Ordered(ctx, &q)
}

// sessions is GET /sessions.
func (s *Source) sessions(ctx context.Context, a *httpd.Asked) error {
	most, err := limit(a)
	if err != nil {
		return err
	}
	var from sessionMark
	if after, given := a.Query["after"]; given {
		if from, err = readSessionMark(after); err != nil {
			return err
		}
	}
	n, err := s.filter(ctx, a)
	if err != nil {
		return err
	}
	rows, more := from.page(most, func(limit int) (found []review.Session) {
		found, err = s.Desk.SessionsWith(ctx, n, string(from.Place), limit)
		return found
	})
	if err != nil {
		return err
	}
	if more {
		a.Next(from.after(rows).String())
	}
	p := s.printer(a)
	_, row := p.SessionTable()
	for i := range rows {
		if err := row(&rows[i]); err != nil {
			return err
		}
	}
	return p.Out.Flush()
}

package store

import (
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// Segments returns one page of segments.
func (s *Store) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	w, list, err := s.page(ctx, &q)
	if err != nil {
		return review.Page{}, s.fail("list segments", err)
	}
	p := review.Page{Segments: list, Alike: w.Alike, Loose: w.Loose, More: len(w.Rows) > q.Limit}
	if q.Back {
		slices.Reverse(p.Segments)
	}
	if p.Before, p.Of = w.Before, w.Of; q.Back && p.More {
		p.Before++ // the row in excess precedes them
	}
	if n := len(p.Segments); n > 0 {
		p.First, p.Last = w.Cursor(&q, &p.Segments[0]), w.Cursor(&q, &p.Segments[n-1])
	}
	return p, nil
}

// maxRows is more than there are.
const maxRows = 1 << 30

// IDs returns the ids of all segments that a query asks for, in its order,
// whatever its cursor and limit.
func (s *Store) IDs(ctx context.Context, q review.Query) ([]string, error) {
	q.After, q.Back, q.Limit, q.Hasty = review.Cursor{}, false, maxRows, false
	w, err := s.find(ctx, &q)
	if err != nil {
		return nil, s.fail("list segments", err)
	}
	return w.IDs, nil
}

// memoryTries is how often memory is asked for rows that all leave before they are
// read, and for an order that only it has while others write.
const memoryTries = 3

// page finds the rows of a page, and one more, and reads those of the page: in
// memory, or until that has what it takes, in the database.
func (s *Store) page(ctx context.Context, q *review.Query) (w *facets.Found, list []review.Segment, err error) {
	for range memoryTries {
		w, ok, err := s.facets.Find(ctx, q)
		if !ok && err == nil {
			if w, list, ok, err := s.findHastily(ctx, q); ok || err != nil {
				return w, list, err
			}
			w, ok, err = s.findPatiently(ctx, q)
		}
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			break
		}
		list, err := s.readFound(w, q.Limit, s.asks(ctx))
		if err != nil || len(list) > 0 || len(w.Rows) <= q.Limit {
			return w, list, err
		}
	}
	w, err = s.findInOrder(ctx, q, func(v *sqlite.View, w *facets.Found) error {
		list, err = s.readFound(w, q.Limit, v.Rows)
		return err
	})
	return w, list, err
}

// find finds what page does, and reads none of it.
func (s *Store) find(ctx context.Context, q *review.Query) (*facets.Found, error) {
	w, ok, err := s.facets.Find(ctx, q)
	if !ok && err == nil {
		w, ok, err = s.findPatiently(ctx, q)
	}
	if !ok && err == nil {
		w, err = s.findInOrder(ctx, q, func(*sqlite.View, *facets.Found) error { return nil })
	}
	return w, err
}

// findPatiently waits for memory, if the database has not the order.
func (s *Store) findPatiently(ctx context.Context, q *review.Query) (w *facets.Found, ok bool, err error) {
	if !inMemory(q.Order) {
		return nil, false, nil
	}
	for range memoryTries {
		if err = s.facets.Warm(ctx); err == nil {
			w, ok, err = s.facets.Find(ctx, q)
		}
		if ok || err != nil {
			break
		}
	}
	return w, ok, err
}

// rowsSQL reads rows in the order of their numbers in a list.
const rowsSQL = "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value ORDER BY wanted.key"

// readFound reads the first rows that were found, by asking ask. Those that left since
// are left out.
func (s *Store) readFound(w *facets.Found, limit int, ask func(text string, args ...any) *sqlite.Rows) ([]review.Segment, error) {
	if len(w.Rows) == 0 {
		return nil, nil
	}
	numbers, err := json.Marshal(w.Rows[:min(limit, len(w.Rows))])
	if err != nil {
		return nil, err
	}
	list, err := segmentsIn(ask(rowsSQL, string(numbers)))
	if err == nil {
		err = s.tellSeen(list, ask)
	}
	ids := w.IDs
	return slices.DeleteFunc(list, func(s review.Segment) bool {
		at := slices.Index(ids, s.ID) // numbers of rows that left are given again
		ids = ids[at+1:]
		return at < 0
	}), err
}

// errEnough ends a search that has found enough.
var errEnough = errors.New("enough was found")

// findHastily answers a hasty query: the first rows that a search finds and the
// rest of the filter lets through, as they come. Each is read as it is found. ok is
// false if the query is none, or nothing that must be found is searched for.
func (s *Store) findHastily(ctx context.Context, q *review.Query) (w *facets.Found, list []review.Segment, ok bool, err error) {
	if !q.Hasty || q.After.ID != "" || q.Limit < 1 {
		return nil, nil, false, nil
	}
	text, rest, ok := filter.TakeText(q.Filter)
	if !ok {
		return nil, nil, false, nil
	}
	where, err := s.where(ctx, rest)
	if err != nil {
		return nil, nil, false, err
	}
	w = &facets.Found{Loose: q.Collapse}
	sql := "SELECT " + segmentColumns + ", task_segments.rowid FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value" +
		where.After("WHERE") + " ORDER BY wanted.key LIMIT ?"
	err = s.TextMatches(ctx, text, func(rows []int64) error {
		found, err := filtersql.RowsOf(rows)
		if err != nil {
			return err
		}
		args := append(append([]any{found.List}, where.Args...), q.Limit+1-len(w.Rows))
		var r segmentRow
		var row int64
		more := s.db.Once(ctx, sql, args...)
		for range more.Into(append(r.dest(), &row)...) {
			w.Rows, w.IDs, list = append(w.Rows, row), append(w.IDs, r.ID), append(list, r.segment())
			r = segmentRow{}
		}
		if more.Err() == nil && len(w.Rows) > q.Limit {
			return errEnough
		}
		return more.Err()
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	list = list[:min(q.Limit, len(list))]
	if err == nil {
		err = s.tellSeen(list, s.asks(ctx))
	}
	return w, list, true, err
}

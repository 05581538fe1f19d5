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
)

// Segments returns one page of segments.
func (s *Store) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	w, err := s.find(ctx, &q)
	if err != nil {
		return review.Page{}, s.fail("list segments", err)
	}
	p := review.Page{Alike: w.Alike, Loose: w.Loose, More: len(w.Rows) > q.Limit}
	if p.Segments, err = s.rowsOf(ctx, w, q.Limit); err != nil {
		return review.Page{}, s.fail("list segments", err)
	}
	if q.Back {
		slices.Reverse(p.Segments)
	}
	if n := len(p.Segments); n > 0 {
		p.First, p.Last = w.Cursor(&q, &p.Segments[0]), w.Cursor(&q, &p.Segments[n-1])
	}
	return p, nil
}

// maxRows is more than there are.
const maxRows = 1<<31 - 1

// IDs returns the ids of all segments that a query asks for, in its order,
// whatever its cursor and limit.
func (s *Store) IDs(ctx context.Context, q review.Query) ([]string, error) {
	q.After, q.Back, q.Limit = review.Cursor{}, false, maxRows
	w, err := s.find(ctx, &q)
	if err != nil {
		return nil, s.fail("list segments", err)
	}
	return w.IDs, nil
}

// find finds the rows of a page, and one more: in memory, or until that has what
// it takes, in the database. An order that this has not waits for memory.
func (s *Store) find(ctx context.Context, q *review.Query) (*facets.Found, error) {
	w, ok, err := s.facets.Find(ctx, q)
	if !ok && err == nil {
		w, ok, err = s.findHastily(ctx, q)
	}
	if !ok && err == nil && inMemory(q.Order) {
		if err = s.facets.Warm(ctx); err == nil {
			w, ok, err = s.facets.Find(ctx, q)
		}
	}
	if !ok && err == nil {
		w, err = s.findInOrder(ctx, q)
	}
	return w, err
}

// rowsSQL reads rows in the order of their numbers in a list.
const rowsSQL = "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value ORDER BY wanted.key"

// rowsOf reads the first rows that were found. Those that left since are left out.
func (s *Store) rowsOf(ctx context.Context, w *facets.Found, limit int) ([]review.Segment, error) {
	found := len(w.Rows)
	if found == 0 {
		return nil, nil
	}
	numbers, err := json.Marshal(w.Rows[:min(limit, found)])
	if err != nil {
		return nil, err
	}
	list, err := s.segmentRows(ctx, rowsSQL, string(numbers))
	if err != nil {
		return nil, err
	}
	ids := w.IDs
	list = slices.DeleteFunc(list, func(s review.Segment) bool {
		at := slices.Index(ids, s.ID) // numbers of rows that left are given again
		ids = ids[at+1:]
		return at < 0
	})
	if len(list) == 0 && found > limit {
		return nil, errors.New("all rows of the page left while it was read: ask again")
	}
	return list, nil
}

// errEnough ends a search that has found enough.
var errEnough = errors.New("enough was found")

// findHastily answers a hasty query: the first rows that a search finds and the
// rest of the filter lets through, as they come. ok is false if the query is none,
// or nothing that must be found is searched for.
func (s *Store) findHastily(ctx context.Context, q *review.Query) (w *facets.Found, ok bool, err error) {
	if !q.Hasty || q.After.ID != "" || q.Limit < 1 {
		return nil, false, nil
	}
	text, rest, ok := filter.TakeText(q.Filter)
	if !ok {
		return nil, false, nil
	}
	where, err := s.where(ctx, rest)
	if err != nil {
		return nil, false, err
	}
	w = &facets.Found{Loose: q.Collapse}
	sql := "SELECT task_segments.rowid, id FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value" +
		where.After("WHERE") + " ORDER BY wanted.key LIMIT ?"
	err = s.TextMatches(ctx, text, func(rows []int64) error {
		found, err := filtersql.RowsOf(rows)
		if err != nil {
			return err
		}
		args := append(append([]any{found.List}, where.Args...), q.Limit+1-len(w.Rows))
		var row int64
		var id string
		more := s.db.Once(ctx, sql, args...)
		for range more.Into(&row, &id) {
			w.Rows, w.IDs = append(w.Rows, row), append(w.IDs, id)
		}
		if more.Err() == nil && len(w.Rows) > q.Limit {
			return errEnough
		}
		return more.Err()
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return w, true, err
}

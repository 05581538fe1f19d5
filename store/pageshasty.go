package store

import (
	"context"
	"errors"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/filtersql"
)

// errEnough ends a search that has found enough.
var errEnough = errors.New("enough was found")

// hastyPage answers a hasty query without the facets: the first segments that a
// search finds and the rest of the filter lets through, as they come. ok is
// false if the query is none, or nothing that must be found is searched for.
func (s *Store) hastyPage(ctx context.Context, q *review.Query) (list []review.Segment, ok bool, err error) {
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
	sql := "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value" +
		where.After("WHERE") + " ORDER BY wanted.key LIMIT ?"
	err = s.TextMatches(ctx, text, func(rows []int64) error {
		found, err := filtersql.RowsOf(rows)
		if err != nil {
			return err
		}
		args := append(append([]any{found.List}, where.Args...), q.Limit+1-len(list))
		read, err := s.db.Readers.DB.QueryContext(ctx, sql, args...)
		if err != nil {
			return err
		}
		more, err := scanSegments(read)
		list = append(list, more...)
		if err == nil && len(list) > q.Limit {
			return errEnough
		}
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return list, true, err
}

package store

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"winnow/core/review"
)

// warmTries is how often a page is looked up again because a row of it left
// meanwhile.
const warmTries = 3

// warmPage is Segments from memory; ok is false if SQLite has to be asked.
func (s *Store) warmPage(ctx context.Context, q *review.Query) (list []review.Segment, ok bool, err error) {
	for range warmTries {
		rows, ids, ok, err := s.warmRows(ctx, q, q.Limit+1)
		if !ok || err != nil {
			return nil, false, err
		}
		if len(rows) == 0 {
			return nil, true, nil
		}
		numbers, err := json.Marshal(rows)
		if err != nil {
			return nil, false, err
		}
		if list, err = s.segmentRows(ctx, rowsSQL, string(numbers)); err != nil {
			return nil, false, err
		}
		if slices.EqualFunc(list, ids, func(s review.Segment, id segmentID) bool { return s.ID == id.String() }) {
			return list, true, nil
		}
	}
	return nil, false, nil
}

// rowsSQL reads rows in the order of their numbers in a list.
const rowsSQL = "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value ORDER BY wanted.key"

// warmRows returns up to limit rows of a query.
func (s *Store) warmRows(ctx context.Context, q *review.Query, limit int) (rows []int64, ids []segmentID, ok bool, err error) {
	o, desc, known := orderingOf(q)
	if !known || q.Limit < 1 {
		return nil, nil, false, nil // SQLite says what is wrong
	}
	if rows, ids, ok, err := s.hastyRows(ctx, q, limit); ok || err != nil {
		return rows, ids, ok, err
	}
	ok, err = s.selected(ctx, q.Filter, func(f *facets, in rowSet) error {
		var behind *spot
		if q.After.ID != "" {
			at, known := f.spotOf(o, q.After)
			if !known {
				return errNoFacet
			}
			behind = &at
		}
		for _, slot := range f.page(o, f.placed(o), in, desc != q.Back, behind, limit) {
			rows, ids = append(rows, f.rowid[slot]), append(ids, f.id[slot])
		}
		return nil
	})
	if err == errNoFacet {
		return nil, nil, false, nil
	}
	return rows, ids, ok, err
}

// orderingOf returns how a query sorts, and whether the highest come first.
func orderingOf(q *review.Query) (o ordering, desc, ok bool) {
	o.by, desc, ok = sortingOf(q.Order)
	if o.by == byChance {
		o.seed = q.Seed
	}
	return o, desc, ok
}

// warmIDs is IDs from memory.
func (s *Store) warmIDs(ctx context.Context, q *review.Query) (list []string, ok bool, err error) {
	all := *q
	all.Limit = 1
	_, ids, ok, err := s.warmRows(ctx, &all, maxRows)
	for _, id := range ids {
		list = append(list, id.String())
	}
	return list, ok, err
}

// maxRows is more than there are.
const maxRows = 1<<31 - 1

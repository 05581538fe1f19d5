package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"winnow/core/filter"
	"winnow/core/review"
	"winnow/store/facets"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

// order is how the rows of one review.Order are found.
type order struct {
	index string       // task_segments_…; "" has none
	keys  []string     // its columns before id; none: see asking
	field filter.Field // that says something about the first key, "" none
	desc  bool
	// args returns the key columns' values of a cursor's Key; ok is false
	// for a cursor of another order.
	args func(key any) (values []any, ok bool)
}

// orders has one row for each review.Order. A segment without a score counts
// as review.Unscored.
var orders = map[review.Order]order{
	review.Natural:      {"facets", []string{"place", "start_line"}, "", false, argsOfPlace},
	review.Newest:       {"date", []string{"dated"}, "", true, argsOfDate},
	review.Oldest:       {"date", []string{"dated"}, "", false, argsOfDate},
	review.BestScore:    {"score", []string{"score_key"}, filter.Score, true, oneArg[float64]},
	review.WorstScore:   {"score", []string{"score_key"}, filter.Score, false, oneArg[float64]},
	review.MostTokens:   {"tokens", []string{"tokens"}, filter.Tokens, true, oneArg[int]},
	review.LeastToken:   {"tokens", []string{"tokens"}, filter.Tokens, false, oneArg[int]},
	review.Longest:      {"length", []string{"messages"}, filter.Messages, true, oneArg[int]},
	review.Shortest:     {"length", []string{"messages"}, filter.Messages, false, oneArg[int]},
	review.MostFailures: {"failures", []string{"tool_fails"}, filter.ToolFails, true, oneArg[int]},
	review.LeastFailure: {"failures", []string{"tool_fails"}, filter.ToolFails, false, oneArg[int]},
	review.Random:       {"", nil, "", false, oneArg[int64]},
	review.Uncertain:    {"", nil, "", false, oneArg[float64]},
	review.Balance:      {"", nil, "", false, oneArg[int64]},
}

func argsOfPlace(key any) ([]any, bool) {
	k, ok := key.(review.Place)
	return []any{k.Session, k.Start}, ok
}

func argsOfDate(key any) ([]any, bool) {
	k, ok := key.(time.Time)
	return []any{stamp(k)}, ok
}

func oneArg[T any](key any) ([]any, bool) {
	k, ok := key.(T)
	return []any{k}, ok
}

func natural(o review.Order) review.Order {
	if o == "" {
		return review.Natural
	}
	return o
}

// Segments returns one page of segments.
func (s *Store) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	list, w, ok, err := s.warmPage(ctx, &q)
	if !ok {
		w = &facets.Found{Loose: q.Collapse}
	}
	if !ok && err == nil {
		list, ok, err = s.hastyPage(ctx, &q)
	}
	if !ok && err == nil {
		list, w.Keys, err = s.pageRows(ctx, &q)
	}
	if err != nil {
		return review.Page{}, s.fail("list segments", err)
	}
	p := review.Page{Segments: list, Alike: w.Alike, Loose: w.Loose}
	if p.More = len(list) > q.Limit; p.More {
		p.Segments = list[:q.Limit]
	}
	if q.Back {
		slices.Reverse(p.Segments)
	}
	if n := len(p.Segments); n > 0 {
		p.First, p.Last = w.Cursor(&q, &p.Segments[0], 0), w.Cursor(&q, &p.Segments[n-1], n-1)
		if q.Back {
			p.First, p.Last = w.Cursor(&q, &p.Segments[0], n-1), w.Cursor(&q, &p.Segments[n-1], 0)
		}
		err = errors.Join(s.settle(ctx, &q, &p.First), s.settle(ctx, &q, &p.Last))
	}
	return p, s.fail("list segments", err)
}

// IDs returns the ids of all segments that a query asks for, in its order,
// whatever its cursor and limit.
func (s *Store) IDs(ctx context.Context, q review.Query) ([]string, error) {
	q.After, q.Back, q.Limit = review.Cursor{}, false, 1
	w, ok, err := s.facets.Find(ctx, &q, maxRows)
	if ok && err == nil {
		return w.IDs(), nil
	}
	var list []string
	if err == nil {
		list, err = s.idRows(ctx, &q)
	}
	return list, s.fail("list segments", err)
}

func (s *Store) idRows(ctx context.Context, q *review.Query) ([]string, error) {
	a, err := s.asking(ctx, q)
	if err != nil {
		return nil, err
	}
	text, args := a.idsSQL()
	if q.Order == review.Balance {
		if text, args, err = s.turnsSQL(ctx, &a, "id", filtersql.Condition{}); err != nil {
			return nil, err
		}
		text += a.orderBy()
	}
	rows, err := s.db.Readers.DB.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	var list []string
	return list, sqlite.Each(rows, func() error {
		list = append(list, "")
		return rows.Scan(&list[len(list)-1])
	})
}

// warmTries is how often a page is looked up again because a row of it left
// meanwhile.
const warmTries = 3

// warmPage is Segments from memory; ok is false if SQLite has to be asked.
func (s *Store) warmPage(ctx context.Context, q *review.Query) (list []review.Segment, w *facets.Found, ok bool, err error) {
	for range warmTries {
		w, ok, err := s.facets.Find(ctx, q, q.Limit+1)
		if !ok || err != nil {
			return nil, nil, false, err
		}
		if len(w.Rows) == 0 {
			return nil, w, true, nil
		}
		numbers, err := json.Marshal(w.Rows)
		if err != nil {
			return nil, nil, false, err
		}
		if list, err = s.segmentRows(ctx, rowsSQL, string(numbers)); err != nil {
			return nil, nil, false, err
		}
		if slices.EqualFunc(list, w.IDs(), func(s review.Segment, id string) bool { return s.ID == id }) {
			return list, w, true, nil
		}
	}
	return nil, nil, false, nil
}

// rowsSQL reads rows in the order of their numbers in a list.
const rowsSQL = "SELECT " + segmentColumns + " FROM (SELECT key, value FROM json_each(?)) AS wanted CROSS JOIN task_segments ON task_segments.rowid = wanted.value ORDER BY wanted.key"

// maxRows is more than there are.
const maxRows = 1<<31 - 1

// settle gives a cursor of an order that is not told by a segment its key, which
// is that of its row. The cursor of a row that has just left stays without.
func (s *Store) settle(ctx context.Context, q *review.Query, c *review.Cursor) error {
	if c.Key != nil {
		return nil
	}
	var rowid int64
	var score sql.NullFloat64
	err := s.db.Readers.Row(ctx, "SELECT rowid, score FROM task_segments WHERE id = ?", []any{c.ID}, []any{&rowid, &score})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	switch q.Order {
	case review.Random:
		c.Key = review.ShuffleOf(q.Seed).Of(rowid)
	case review.Uncertain:
		if !score.Valid {
			score.Float64 = math.NaN()
		}
		c.Key = review.DoubtOf(score.Float64, q.Threshold)
	case review.Balance:
		c.Key, err = s.turnOf(ctx, q, rowid)
	}
	return err
}

// asked is a query that was checked.
type asked struct {
	*review.Query
	order
	keys  []string // of the order, with those that depend on the query
	where filtersql.Condition
	few   bool  // a search has found so few rows that each is looked at by itself
	after []any // values of the keys and the id, nil from the beginning
	down  bool  // the highest come first
}

// asking checks a query and searches for the texts of its filter.
func (s *Store) asking(ctx context.Context, q *review.Query) (a asked, err error) {
	o, ok := orders[natural(q.Order)]
	if !ok {
		return a, fmt.Errorf("unknown order %q", q.Order)
	}
	if q.Limit < 1 {
		return a, fmt.Errorf("a page of %d rows", q.Limit)
	}
	a = asked{Query: q, order: o, keys: o.keys, down: o.desc != q.Back}
	switch q.Order {
	case review.Random:
		a.keys = []string{shuffleSQL(q.Seed)}
	case review.Uncertain:
		a.keys = []string{doubtSQL(q.Threshold)}
	case review.Balance:
		a.keys = []string{"turn"}
	}
	if after := q.After; after.ID != "" {
		if len(o.keys) == 0 {
			if err := s.settle(ctx, q, &after); err != nil {
				return a, err
			}
			if after.Key == nil {
				return a, fmt.Errorf("segment %s: %w", review.Short(after.ID), review.ErrNotFound)
			}
		}
		if a.after, ok = o.args(after.Key); !ok {
			return a, fmt.Errorf("a cursor of another order than %q", natural(q.Order))
		}
		a.after = append(a.after, after.ID)
	}
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return a, err
	}
	few := c.Fewest(q.Filter)
	a.few = few != nil && few.N <= fewFound
	a.where, err = c.Condition(q.Filter)
	return a, err
}

// pageRows asks SQLite for the rows of a page, and one more; with the keys of
// their cursors, if only SQLite can tell them.
func (s *Store) pageRows(ctx context.Context, q *review.Query) (list []review.Segment, keys []any, err error) {
	a, err := s.asking(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if q.Order == review.Balance {
		return s.turnRows(ctx, &a)
	}
	if a.where.All() && a.index != "" {
		text, args := a.walkSQL(segmentColumns, true)
		list, err = s.segmentRows(ctx, text, args...)
		return list, nil, err
	}
	if a.walks() {
		rows, ok, err := s.walk(ctx, &a)
		if ok || err != nil {
			return rows, nil, err
		}
	}
	text, args := a.scanSQL()
	rows, err := s.db.Readers.DB.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, nil, err
	}
	list, err = scanSegments(rows)
	return list, nil, err
}

package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/review"
)

// order is how one review.Order is read from its index.
type order struct {
	index string   // task_segments_… and task_segments_stale_…
	keys  []string // columns before id
	desc  bool
	// args returns the key columns' values of a cursor's Key; ok is false
	// for a cursor of another order.
	args func(key any) (values []any, ok bool)
}

// orders has one row for each review.Order. A segment without a score counts
// as review.Unscored.
var orders = map[review.Order]order{
	review.Natural:    {"natural", []string{"session_file", "start_line"}, false, argsOfPlace},
	review.Newest:     {"date", []string{"dated"}, true, argsOfDate},
	review.Oldest:     {"date", []string{"dated"}, false, argsOfDate},
	review.BestScore:  {"score", []string{"score_key"}, true, oneArg[float64]},
	review.WorstScore: {"score", []string{"score_key"}, false, oneArg[float64]},
	review.MostTokens: {"tokens", []string{"tokens"}, true, oneArg[int]},
	review.LeastToken: {"tokens", []string{"tokens"}, false, oneArg[int]},
}

func argsOfPlace(key any) ([]any, bool) {
	k, ok := key.(review.Place)
	return []any{k.File, k.Start}, ok
}

func argsOfDate(key any) ([]any, bool) {
	k, ok := key.(time.Time)
	return []any{stamp(k)}, ok
}

func oneArg[T any](key any) ([]any, bool) {
	k, ok := key.(T)
	return []any{k}, ok
}

// Segments returns one page of segments.
func (s *Store) Segments(ctx context.Context, q review.Query) (review.Page, error) {
	list, ok, err := s.warmPage(ctx, &q)
	if !ok && err == nil {
		list, err = s.pageRows(ctx, &q)
	}
	if err != nil {
		return review.Page{}, s.fail("list segments", err)
	}
	p := review.Page{Segments: list}
	if p.More = len(list) > q.Limit; p.More {
		p.Segments = list[:q.Limit]
	}
	if q.Back {
		slices.Reverse(p.Segments)
	}
	if n := len(p.Segments); n > 0 {
		p.First, p.Last = review.CursorOf(q.Order, &p.Segments[0]), review.CursorOf(q.Order, &p.Segments[n-1])
	}
	return p, nil
}

// pageRows asks SQLite for the rows of a page, and one more.
func (s *Store) pageRows(ctx context.Context, q *review.Query) ([]review.Segment, error) {
	text, args, err := pageSQL(q)
	if err != nil {
		return nil, err
	}
	return s.segmentRows(ctx, text, args...)
}

func natural(o review.Order) review.Order {
	if o == "" {
		return review.Natural
	}
	return o
}

// pageSQL puts a page's statement together from fixed pieces; all values are
// arguments. Each verdict is one walk through an index, in order, and SQLite
// merges the walks row by row: nothing is sorted, and no more rows are read
// than are returned.
func pageSQL(q *review.Query) (text string, args []any, err error) {
	o, ok := orders[natural(q.Order)]
	if !ok {
		return "", nil, fmt.Errorf("unknown order %q", q.Order)
	}
	if q.Limit < 1 {
		return "", nil, fmt.Errorf("a page of %d rows", q.Limit)
	}
	var after []any
	if q.After.ID != "" {
		if after, ok = o.args(q.After.Key); !ok {
			return "", nil, fmt.Errorf("a cursor of another order than %q", natural(q.Order))
		}
		after = append(after, q.After.ID)
	}
	verdicts, stale, rest := split(q.Filter)
	where, err := (&compiler{}).compile(rest)
	if err != nil {
		return "", nil, err
	}
	walk := walkSQL(&o, stale, len(after) > 0, o.desc != q.Back) + where.behind("AND")
	walks := make([]string, len(verdicts))
	for i, v := range verdicts {
		walks[i] = walk
		args = append(append(append(args, v), after...), where.args...)
	}
	text = strings.Join(walks, " UNION ALL ") + " ORDER BY " + orderBy(&o, o.desc != q.Back) + " LIMIT ?"
	return text, append(args, q.Limit+1), nil
}

// walkSQL is the walk through the segments of one verdict.
func walkSQL(o *order, stale *bool, after, desc bool) string {
	var b strings.Builder
	b.WriteString("SELECT " + segmentColumns + " FROM task_segments INDEXED BY task_segments_")
	if stale != nil && *stale {
		b.WriteString("stale_")
	}
	b.WriteString(o.index + " WHERE verdict = ?")
	if stale != nil && *stale {
		b.WriteString(" AND stale = 1")
	} else if stale != nil {
		b.WriteString(" AND stale = 0")
	}
	if after {
		sign := ">"
		if desc {
			sign = "<"
		}
		b.WriteString(" AND (" + strings.Join(o.keys, ", ") + ", id) " + sign + " (" + places(len(o.keys)+1) + ")")
	}
	return b.String()
}

func orderBy(o *order, desc bool) string {
	direction := ""
	if desc {
		direction = " DESC"
	}
	return strings.Join(o.keys, direction+", ") + direction + ", id" + direction
}

// split takes apart what a filter says of verdicts and of staleness (nil:
// nothing), which walks are chosen by, and the rest.
func split(n filter.Node) (verdicts []string, stale *bool, rest filter.Node) {
	parts, ok := n.(filter.And)
	if !ok && n != nil {
		parts = filter.And{n}
	}
	var others filter.And
	for _, n := range parts {
		some, isVerdict := verdictsOf(n)
		is, isStale := staleOf(n)
		switch {
		case isVerdict && verdicts == nil:
			verdicts = some
		case isStale && stale == nil:
			stale = &is
		default:
			others = append(others, n)
		}
	}
	if verdicts == nil {
		for _, v := range review.Verdicts {
			verdicts = append(verdicts, string(v))
		}
	}
	switch len(others) {
	case 0:
		return verdicts, stale, nil
	case 1:
		return verdicts, stale, others[0]
	}
	return verdicts, stale, others
}

// verdictsOf returns the verdicts that a node asks for, each once, if it asks
// for nothing else.
func verdictsOf(n filter.Node) (verdicts []string, ok bool) {
	switch n := n.(type) {
	case filter.Term:
		return []string{n.Value}, n.Field == filter.Status
	case filter.Or:
		for _, n := range n {
			t, ok := n.(filter.Term)
			if !ok || t.Field != filter.Status {
				return nil, false
			}
			verdicts = append(verdicts, t.Value)
		}
		slices.Sort(verdicts)
		return slices.Compact(verdicts), true
	}
	return nil, false
}

func staleOf(n filter.Node) (stale, ok bool) {
	not, inverted := n.(filter.Not)
	if inverted {
		n = not.Of
	}
	t, ok := n.(filter.Term)
	return !inverted, ok && t.Field == filter.Has && t.Value == "stale"
}

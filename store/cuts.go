package store

import (
	"context"

	"winnow/core/runs"
	"winnow/store/filtersql"
	"winnow/store/sqlite"
)

var _ runs.CutStore = (*Store)(nil)

// uncutSQL is the condition of the sessions that a query asks for, and the index
// that they are read from, in order.
func uncutSQL(q *runs.CutQuery, c filtersql.Found) (index string, where filtersql.Condition, err error) {
	index, where = "trajectory_records_uncut", filtersql.Where("segmented = 0 AND (session_file, id) > (?, ?)", q.After.File, q.After.ID)
	if q.All {
		index, where.Text = "trajectory_records_file", "(session_file, id) > (?, ?)"
	}
	some, err := withSegments(c, q.Filter)
	return index, where.And(quietSQL(q.Quiet, "trajectory_records.source_id")).And(some), err
}

// quietSQL is the condition that the source, whose id is in a column, is not being
// written.
func quietSQL(q runs.Quiet, column string) filtersql.Condition {
	if q.Since.IsZero() {
		return filtersql.Condition{}
	}
	return filtersql.Where("NOT EXISTS (SELECT 1 FROM sources q WHERE q.id = "+column+" AND q.mtime BETWEEN ? AND ?)", q.Since.UnixNano(), q.Until.UnixNano())
}

func sessionsToCutSQL(q *runs.CutQuery, c filtersql.Found) (text string, args []any, err error) {
	index, where, err := uncutSQL(q, c)
	text = "SELECT id, session_file, messages, tokens FROM trajectory_records INDEXED BY " + index +
		where.After("WHERE") + " ORDER BY session_file, id LIMIT ?"
	return text, append(where.Args, max(q.Limit, 1)), err
}

func countToCutSQL(q *runs.CutQuery, c filtersql.Found) (text string, args []any, err error) {
	index, where, err := uncutSQL(q, c)
	text = "SELECT count(*), coalesce(sum(messages), 0), coalesce(sum(tokens), 0) FROM trajectory_records INDEXED BY " + index + where.After("WHERE")
	return text, where.Args, err
}

// SessionsToCut returns up to q.Limit sessions after q.After, in the order of
// (session_file, id).
func (s *Store) SessionsToCut(ctx context.Context, q runs.CutQuery) ([]runs.CutRef, error) {
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return nil, s.fail("list sessions to be cut", err)
	}
	text, args, err := sessionsToCutSQL(&q, c)
	if err != nil {
		return nil, s.fail("list sessions to be cut", err)
	}
	list, err := sqlite.List(s.db.Rows(ctx, text, args...), func(r *runs.CutRef) []any { return []any{&r.ID, &r.File, &r.Messages, &r.Tokens} })
	return list, s.fail("list sessions to be cut", err)
}

// CountToCut counts the sessions after q.After that SessionsToCut would list,
// their messages and estimated tokens.
func (s *Store) CountToCut(ctx context.Context, q runs.CutQuery) (sessions, messages, tokens int, err error) {
	c, err := s.searched(ctx, q.Filter)
	if err != nil {
		return 0, 0, 0, s.fail("count sessions to be cut", err)
	}
	text, args, err := countToCutSQL(&q, c)
	if err == nil {
		err = s.db.Rows(ctx, text, args...).One(&sessions, &messages, &tokens)
	}
	return sessions, messages, tokens, s.fail("count sessions to be cut", err)
}

package store

import (
	"context"

	"winnow/core/hub"
)

var _ hub.CutStore = (*Store)(nil)

// uncutSQL is the condition of the sessions that a query asks for, and the index
// that they are read from, in order.
func uncutSQL(q *hub.CutQuery) (index, where string) {
	index, where = "trajectory_records_uncut", "segmented = 0"
	if q.All {
		index, where = "trajectory_records_file", "(session_file, id) > (?, ?)"
	} else {
		where += " AND (session_file, id) > (?, ?)"
	}
	return index, where + copiedSQL("id", q.Copied)
}

func sessionsToCutSQL(q *hub.CutQuery) string {
	index, where := uncutSQL(q)
	return "SELECT id, session_file, messages, tokens FROM trajectory_records INDEXED BY " + index +
		" WHERE " + where + " ORDER BY session_file, id LIMIT ?"
}

func countToCutSQL(q *hub.CutQuery) string {
	index, where := uncutSQL(q)
	return "SELECT count(*), coalesce(sum(messages), 0), coalesce(sum(tokens), 0) FROM trajectory_records INDEXED BY " + index + " WHERE " + where
}

// SessionsToCut returns up to q.Limit sessions behind q.After, in the order of
// (session_file, id).
func (s *Store) SessionsToCut(ctx context.Context, q hub.CutQuery) ([]hub.CutRef, error) {
	rows, err := s.readers.query(ctx, sessionsToCutSQL(&q), q.After.File, q.After.ID, max(q.Limit, 1))
	if err != nil {
		return nil, s.fail("list sessions to be cut", err)
	}
	var list []hub.CutRef
	err = each(rows, func() error {
		list = append(list, hub.CutRef{})
		r := &list[len(list)-1]
		return rows.Scan(&r.ID, &r.File, &r.Messages, &r.Tokens)
	})
	return list, s.fail("list sessions to be cut", err)
}

// CountToCut counts the sessions behind q.After that SessionsToCut would list,
// their messages and estimated tokens.
func (s *Store) CountToCut(ctx context.Context, q hub.CutQuery) (sessions, messages, tokens int, err error) {
	args, dest := []any{q.After.File, q.After.ID}, []any{&sessions, &messages, &tokens}
	err = s.readers.row(ctx, countToCutSQL(&q), args, dest)
	return sessions, messages, tokens, s.fail("count sessions to be cut", err)
}

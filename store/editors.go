package store

import (
	"context"

	"winnow/core/review"
)

const waitingSQL = "SELECT count(*) FROM edits WHERE clash = 1"

// WaitingEdits returns how many edits wait, as another message is recorded in their
// place than they were made on.
func (s *Store) WaitingEdits(ctx context.Context) (n int, err error) {
	err = s.db.Rows(ctx, waitingSQL).One(&n)
	return n, s.fail("count the edits that wait", err)
}

const editorsSQL = "SELECT n, part, op, why, clash, entry, curator, at FROM edits JOIN journal ON journal.id = edits.entry WHERE body = ? AND n BETWEEN ? AND ? ORDER BY n, part"

// EditedBy tells of the edits over messages from..to (inclusive) of a body who made
// them and when, in the order of their places. Where there are none it asks for their number
// only.
func (s *Store) EditedBy(ctx context.Context, body int64, from, to int) (list []review.EditedBy, err error) {
	var some bool
	if _, err := s.db.Rows(ctx, "SELECT edits > 0 FROM bodies WHERE id = ?", body).Maybe(&some); err != nil || !some {
		return nil, s.fail("read edits", err)
	}
	var e review.EditedBy
	rows := s.db.Rows(ctx, editorsSQL, body, from, to)
	for range rows.Into(&e.N, &e.Part, &e.Op, &e.Why, &e.Clash, &e.Entry, &e.By, timeIn(&e.At)) {
		list = append(list, e)
	}
	return list, s.fail("read edits", rows.Err())
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"winnow/core/review"
)

const lastEntrySQL = `SELECT entry FROM journal_changes WHERE segment_id >= ? AND segment_id < ?
ORDER BY segment_id DESC, entry DESC LIMIT 1`

// LastEntry returns the newest journal entry that changed a segment whose id
// begins with a prefix, whether it is still there or not; review.ErrNotFound if
// there is none.
func (s *Store) LastEntry(ctx context.Context, prefix string) (review.Entry, error) {
	from, to, err := idRange(prefix)
	if err != nil {
		return review.Entry{}, s.fail("journal of a segment", err)
	}
	var id int64
	err = s.db.Rows(ctx, lastEntrySQL, from, to).One(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("entry of %s: %w", prefix, review.ErrNotFound)
	}
	if err != nil {
		return review.Entry{}, s.fail("journal of a segment", err)
	}
	list, err := s.Journal(ctx, id+1, 1)
	if err == nil && len(list) == 0 {
		err = s.fail("journal of a segment", review.ErrNotFound)
	}
	if err != nil {
		return review.Entry{}, err
	}
	return list[0], nil
}

package store

import (
	"context"
	"database/sql"
	"errors"
)

// noteText notes that the messages of a body behind keep are others by now, and
// that it ends with message last. What is in the text index of those that were
// there is not true any more; filling it removes that.
func (im *importing) noteText(body int64, keep, last int) error {
	indexed := keep
	if keep > 0 {
		var was int
		if err := im.Row("SELECT indexed FROM bodies WHERE id = ?", []any{body}, &was); err != nil {
			return err
		}
		if was > keep {
			var id int64
			err := im.Row(beforeSQL, []any{passagesFrom(body, 0), passagesFrom(body, keep+1) - 1}, &id)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			if p := passageOf(id); err == nil && p.last > keep {
				indexed = p.first - 1 // a passage is true as a whole, or not
			}
		}
	}
	const text = `UPDATE bodies SET stored = ?2, changed = ?4,
		outdated = iif(indexed > ?3 OR part > 0 AND indexed = ?3, 1, outdated),
		part = iif(indexed < ?3 OR part < 0 AND indexed = ?3, part, 0), indexed = min(indexed, ?3) WHERE id = ?1`
	_, err := im.Exec(text, body, last, indexed, im.number)
	return err
}

const shareSQL = "SELECT coalesce(sum(indexed), 0), coalesce(sum(stored), 0) FROM bodies WHERE dropped = 0"

// IndexedShare returns how many of all stored messages can be found by their
// text by now.
func (s *Store) IndexedShare(ctx context.Context) (done, all int64, err error) {
	err = s.db.Readers.Row(ctx, shareSQL, nil, []any{&done, &all})
	return done, all, s.fail("look at the text index", err)
}
